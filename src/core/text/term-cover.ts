/**
 * Which of a question's terms a text says, one bit for each. As `terms` would have it of the whole text, but only words that begin as one of the
 * question's terms does are looked at: of a hundred passages, few words are. Pure.
 */
import { fold, terms } from './terms'

const PREFIX = 3 // letters; one less than a term has, since a stem may end otherwise than the word ("day", "dai")
const PLAIN = /^[a-z0-9]+$/
const BEYOND_ASCII = /[^\p{ASCII}]/u
/** In such scripts a word may begin after any letter. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u

/** Of the first 32 terms. */
export function termCover(wanted: readonly string[]): (text: string) => number {
  const bits = new Map(wanted.map((term, i) => [term, 1 << i]))
  const coveredBy = (words: readonly string[]): number => words.reduce((mask, term) => mask | (bits.get(term) ?? 0), 0)
  if (wanted.length === 0 || !wanted.every((term) => PLAIN.test(term))) return (text) => coveredBy(terms(text))
  const heads = [...new Set(wanted.map((term) => term.slice(0, Math.max(1, Math.min(PREFIX, term.length - 1)))))].join('|')
  const ascii = new RegExp(`(?<![a-z0-9])(?:${heads})[a-z0-9']*`, 'gi')
  const other = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(?:${heads})[\\p{L}\\p{M}\\p{N}'’]*`, 'gu')
  return (text) => {
    if (UNSPACED.test(text)) return coveredBy(terms(text))
    const words = BEYOND_ASCII.test(text) ? fold(text).match(other) : text.match(ascii)
    return (words ?? []).reduce((mask, word) => mask | coveredBy(terms(word)), 0)
  }
}
