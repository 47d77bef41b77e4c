/**
 * Where a text says a name, word by word. The words of a name must stand in order, and the first must look like the start of one:
 * not in lower case (scripts without case always qualify; Han and Kana are read character by character). Pure.
 */

export interface Word {
  /** NFKC, lower case. */
  readonly folded: string
  /** May a name begin here? */
  readonly opens: boolean
}

const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]|[\p{L}\p{M}\p{N}]+?(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\p{L}\p{M}\p{N}]|$)/gu
const LOWER = /^\p{Ll}/u

export function wordsOf(text: string): Word[] {
  return [...text.normalize('NFKC').matchAll(WORDS)].map(([word]) => ({ folded: word.toLowerCase(), opens: !LOWER.test(word) }))
}

/** The words of a name's key, as they stand in a text. */
export function keyWords(key: string): string[] {
  return [...key.matchAll(WORDS)].map(([word]) => word)
}

export function occurs(words: readonly Word[], name: readonly string[]): boolean {
  return name.length > 0 && words.some((_, at) => occursAt(words, at, name))
}

export function occursAt(words: readonly Word[], at: number, name: readonly string[]): boolean {
  return words[at]?.opens === true && name.every((word, i) => words[at + i]?.folded === word)
}

/** Does the text say one of the names? The letters alone are looked for first: few texts must be read word by word. */
export function says(text: string, names: readonly (readonly string[])[]): boolean {
  const folded = text.normalize('NFKC').toLowerCase()
  const likely = names.filter((name) => name.length > 0 && lettersOf(name).test(folded))
  if (likely.length === 0) return false
  const words = wordsOf(text)
  return likely.some((name) => occurs(words, name))
}

/** Words hold letters, marks and digits only, so they can stand in a pattern as they are. */
function lettersOf(name: readonly string[]): RegExp {
  return new RegExp(name.join('[^\\p{L}\\p{M}\\p{N}]*'), 'u')
}
