/**
 * Which of a question's terms a text says, and how often. The result is as by `terms` of the whole text, but only words that begin like one of
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
type Scan = (text: string, language?: Stemmed) => void

interface Noting<T> {
  /** What terms in a row mean to the caller; asked once for each word. */
  readonly meaning: (terms: readonly string[]) => T
  readonly note: (meaning: T) => void
}

/** Tells which of these terms a text says; for the first 32 of them. */
export function termCover(wanted: readonly string[]): (text: string, language?: Stemmed) => number {
  const bits = new Map(wanted.map((term, i) => [term, 1 << i]))
  let mask = 0
  const scan = scanFor<number>(wanted, {
    meaning: (words) => words.reduce((all, term) => all | (bits.get(term) ?? 0), 0),
    note: (own) => {
      mask |= own
    },
  })
  return (text, language) => {
    mask = 0
    scan(text, language)
    return mask
  }
}

/** Counts how often a text says each of these terms. */
export function termCounter(wanted: readonly string[]): (text: string, language?: Stemmed) => number[] {
  const places = new Map(wanted.map((term, i) => [term, i]))
  let counts: number[] = []
  const scan = scanFor<readonly number[]>(wanted, {
    meaning: (words) => words.flatMap((term) => places.get(term) ?? []),
    note: (own) => {
      for (const at of own) counts[at] = (counts[at] ?? 0) + 1
    },
  })
  return (text, language) => {
    counts = wanted.map(() => 0)
    scan(text, language)
    return counts
  }
}

/** Notes what is meant by every word that begins like one of these terms, or by all words where they cannot be told apart so. */
function scanFor<T>(wanted: readonly string[], { meaning, note }: Noting<T>): Scan {
  if (wanted.length === 0 || !wanted.every((term) => PLAIN.test(term))) return (text, language) => note(meaning(terms(text, language)))
  const heads = [...new Set(wanted.map((term) => term.slice(0, Math.max(1, Math.min(PREFIX, term.length - 1)))))]
  const other = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(?:${heads.join('|')})[\\p{L}\\p{M}\\p{N}'’]*`, 'gu')
  const begins = beginningAs(heads)
  const meant = kept((word) => meaning(terms(word)))
  const words = (word: string): void => note(meant(word))
  const ascii = (text: string, from: number, to: number): void => scanAscii(text, from, to, { begins, words })
  // Folding does not reach across a space, so only the words with other letters are folded.
  const folded = kept((word) => meaning((fold(word).match(other) ?? []).flatMap((one) => terms(one))))
  return (text, language) => {
    if (language !== undefined) note(meaning(terms(text, language)))
    else if (!BEYOND_ASCII.test(text)) ascii(text, 0, text.length)
    else if (UNSPACED.test(text)) note(meaning(terms(text)))
    else
      for (let at = 0; at < text.length; ) {
        const space = text.indexOf(' ', at)
        const end = space < 0 ? text.length : space
        if (isAscii(text, at, end)) ascii(text, at, end)
        else note(folded(text.slice(at, end)))
        at = end + 1
      }
  }
}

interface Looking {
  /** Does the text at this place have the beginning of one of the terms? */
  readonly begins: (text: string, at: number, end: number) => boolean
  readonly words: (word: string) => void
}

/** Words that begin with letters and digits, up to where those and apostrophes end. */
function scanAscii(text: string, from: number, to: number, { begins, words }: Looking): void {
  for (let at = from; at < to; ) {
    if (!LOWER[text.charCodeAt(at)]) {
      at++
      continue
    }
    let end = at + 1
    if (begins(text, at, to)) {
      while (end < to && (LOWER[text.charCodeAt(end)] || text.charCodeAt(end) === APOSTROPHE)) end++
      words(text.slice(at, end))
    } else while (end < to && LOWER[text.charCodeAt(end)]) end++
    at = end
  }
}

function beginningAs(heads: readonly string[]): Looking['begins'] {
  const byLetter = new Map<number, string[]>()
  for (const head of heads) byLetter.set(head.charCodeAt(0), [...(byLetter.get(head.charCodeAt(0)) ?? []), head])
  const table = Array.from({ length: 128 }, (_, code) => byLetter.get(code))
  return (text, at, end) => {
    const likely = table[LOWER[text.charCodeAt(at)] ?? 0]
    if (likely) for (const head of likely) if (isAt(head, text, at, end)) return true
    return false
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

function kept<T>(ask: (word: string) => T): (word: string) => T {
  const known = new Map<string, T>()
  return (word) => {
    const held = known.get(word)
    if (held !== undefined) return held
    const made = ask(word)
    known.set(word, made)
    return made
  }
}
