/**
 * Which of a question's terms a text says, one bit for each. The result is as by `terms` of the whole text, but only words that begin like one of
 * the question's terms are analysed, and each such word once per question: even in a hundred passages they are few. Pure.
 */
import type { Stemmed } from '../graph/types'
import { fold, terms } from './terms'

const PREFIX = 3 // letters; one less than the term has, since a stem may end differently from the word ("day", "dai")
const PLAIN = /^[a-z0-9]+$/
const BEYOND_ASCII = /[\u0080-\uffff]/
/** In these scripts a word may begin after any letter. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u
const APOSTROPHE = 39

/** Lower case of letters and digits, 0 for anything that is not part of a word. */
const LOWER = new Uint8Array(128)
for (let code = 0; code < 128; code++)
  if (/[a-zA-Z0-9]/.test(String.fromCharCode(code))) LOWER[code] = code < 65 || code > 90 ? code : code + 32

/** `language`: the one by which the text's words are stemmed (terms.ts). */
type TermCover = (text: string, language?: Stemmed) => number

/** For the first 32 terms. */
export function termCover(wanted: readonly string[]): TermCover {
  const bits = new Map(wanted.map((term, i) => [term, 1 << i]))
  const coveredBy = (words: readonly string[]): number => words.reduce((mask, term) => mask | (bits.get(term) ?? 0), 0)
  if (wanted.length === 0 || !wanted.every((term) => PLAIN.test(term))) return (text, language) => coveredBy(terms(text, language))
  const heads = [...new Set(wanted.map((term) => term.slice(0, Math.max(1, Math.min(PREFIX, term.length - 1)))))]
  const other = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(?:${heads.join('|')})[\\p{L}\\p{M}\\p{N}'’]*`, 'gu')
  const begins = beginningAs(heads)
  const words = kept((word) => coveredBy(terms(word)))
  const ascii = (text: string, from: number, to: number): number => asciiCover(text, from, to, { begins, words })
  // Folding does not reach across a space, so only the words with other letters are folded.
  const folded = kept((word) => (fold(word).match(other) ?? []).reduce((mask, one) => mask | words(one), 0))
  return (text, language) => {
    if (language !== undefined) return coveredBy(terms(text, language))
    if (!BEYOND_ASCII.test(text)) return ascii(text, 0, text.length)
    if (UNSPACED.test(text)) return coveredBy(terms(text))
    let mask = 0
    for (let at = 0; at < text.length; ) {
      const space = text.indexOf(' ', at)
      const end = space < 0 ? text.length : space
      mask |= isAscii(text, at, end) ? ascii(text, at, end) : folded(text.slice(at, end))
      at = end + 1
    }
    return mask
  }
}

interface Looking {
  /** Does the text at this place have the beginning of one of the terms? */
  readonly begins: (text: string, at: number, end: number) => boolean
  readonly words: (word: string) => number
}

/** Words that begin with letters and digits, up to where those and apostrophes end. */
function asciiCover(text: string, from: number, to: number, { begins, words }: Looking): number {
  let mask = 0
  for (let at = from; at < to; ) {
    if (!LOWER[text.charCodeAt(at)]) {
      at++
      continue
    }
    let end = at + 1
    if (begins(text, at, to)) {
      while (end < to && (LOWER[text.charCodeAt(end)] || text.charCodeAt(end) === APOSTROPHE)) end++
      mask |= words(text.slice(at, end))
    } else while (end < to && LOWER[text.charCodeAt(end)]) end++
    at = end
  }
  return mask
}

function beginningAs(heads: readonly string[]): Looking['begins'] {
  const byLetter = new Map<number, string[]>()
  for (const head of heads) byLetter.set(head.charCodeAt(0), [...(byLetter.get(head.charCodeAt(0)) ?? []), head])
  const table = Array.from({ length: 128 }, (_, code) => byLetter.get(code))
  return (text, at, end) => {
    const likely = table[LOWER[text.charCodeAt(at)] ?? 0]
    return likely?.some((head) => isAt(head, text, at, end)) ?? false
  }
}

function isAt(head: string, text: string, at: number, end: number): boolean {
  if (at + head.length > end) return false
  for (let i = 1; i < head.length; i++) if (LOWER[text.charCodeAt(at + i)] !== head.charCodeAt(i)) return false
  return true
}

function isAscii(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (text.charCodeAt(at) > 127) return false
  return true
}

function kept(ask: (word: string) => number): (word: string) => number {
  const known = new Map<string, number>()
  return (word) => {
    const held = known.get(word)
    if (held !== undefined) return held
    const mask = ask(word)
    known.set(word, mask)
    return mask
  }
}
