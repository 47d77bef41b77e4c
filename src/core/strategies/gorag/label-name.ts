/**
 * Is a label's id its name? `card_not_working` and `mountainRange` say what the label is about, `label 7` and `c12` do not. A meaningful name is
 * read as (the beginning of) the label's description.
 */

/** Words that name the slot, not what is in it. */
const EMPTY = new Set(['label', 'class', 'category', 'type', 'tag', 'intent', 'topic', 'group', 'cluster', 'round', 'item', 'id', 'test'])
const WORD = /[^\p{L}\p{M}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u
const LATIN = /^[\p{Script=Latin}\p{M}]+$/u
const LETTERS = /\p{L}/u

/** The words of an id, or the empty text if they say nothing. */
export function nameOf(id: string): string {
  const words = id.split(WORD).filter(Boolean)
  const says = words.some((word) => LETTERS.test(word) && !EMPTY.has(word.toLowerCase()) && (!LATIN.test(word) || word.length >= 2))
  return says ? words.join(' ').toLowerCase() : ''
}

/** The text that is read, and should be embedded, as a label's description. Empty if there is nothing to read. */
export function descriptionText(label: { readonly id: string; readonly description: string }, names: boolean): string {
  return [names ? nameOf(label.id) : '', label.description.trim()].filter(Boolean).join('. ')
}
