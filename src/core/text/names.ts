/**
 * When are two surface forms the same name? Decided by a key: Unicode-folded, without leading article, possessive, trailing bracket and
 * punctuation. Letters of every script are kept. Pure.
 */

const ARTICLES = new Set(['the', 'a', 'an'])
const BRACKET = /\s*[([（【][^()[\]（）【】]*[)\]）】]\s*$/u
const POSSESSIVE = /['’]s?$/u
const NOT_WORD = /[^\p{L}\p{M}\p{N}]+/gu

/** The key of a name; empty if it has no letter and no digit. */
export function nameKey(surface: string): string {
  const words = surface.normalize('NFKC').toLowerCase().trim().replace(POSSESSIVE, '').replace(NOT_WORD, ' ').trim().split(' ')
  if (words.length > 1 && ARTICLES.has(words[0] ?? '')) words.shift()
  return words.join(' ')
}

/** A title without the bracket that only distinguishes namesakes: in text, "Alien (film)" is called "Alien". */
export function bareTitle(title: string): string {
  const bare = title.replace(BRACKET, '').trim()
  return bare === '' ? title.trim() : bare
}
