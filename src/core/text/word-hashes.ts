/**
 * Hashes of the terms of plain English text, without making strings: a word of up to 15 letters is packed into three numbers, and what is known of
 * it is found by them in one line of the processor's cache. Only a cache: a hash depends on nothing but the word.
 */
import { LOWER, separates, tailAt } from './ascii-words'

const SETS = 1 << 15
const WAYS = 4 // words of a set: together 64 bytes
const ENTRY = 4 // numbers for a word: its letters, and its term's hash
const BITS = 6 // of a packed letter
const LETTERS = 5 // in one number
const LONGEST = 3 * LETTERS // letters of a word that is packed

/** 1 to 37 for a letter in either case, a digit or an apostrophe; 0 for anything else. */
const SYMBOL = new Uint8Array(128)
for (const [i, symbol] of [..."abcdefghijklmnopqrstuvwxyz0123456789'"].entries()) SYMBOL[symbol.charCodeAt(0)] = i + 1
for (let code = 0; code < 128; code++) if (LOWER[code]) SYMBOL[code] = SYMBOL[LOWER[code] as number] as number

const table = new Int32Array(SETS * WAYS * ENTRY)

/** The hash of a lower-case word's term; 0 if it has none. The same word always has the same. */
export type HashOf = (word: string) => number

/**
 * Calls `take` for each term in a part of the text, in order, with repeats. False if the part contains a character beyond U+007F that may be
 * part of a word: some terms may have been taken by then.
 */
export function takeHashes(
  text: string,
  { start: from, end: to }: { readonly start: number; readonly end: number },
  hashOf: HashOf,
  take: (hash: number) => void,
): boolean {
  for (let at = from; at < to; ) {
    const code = text.charCodeAt(at)
    if (code > 127 && !separates(code)) return false
    if (!LOWER[code]) {
      at++
      continue
    }
    const end = endOfWord(text, at, to)
    if (end < 0) return false
    const hash = end - at > LONGEST ? hashOf(text.slice(at, end).toLowerCase()) : known(text, at, end, hashOf)
    if (hash !== 0) take(hash)
    at = end
  }
  return true
}

/** Where the word that begins here ends, with its tail; -1 if another character beyond U+007F is in the way. */
function endOfWord(text: string, start: number, to: number): number {
  let at = start + 1
  for (; at < to; at++) {
    const code = text.charCodeAt(at)
    const letter = LOWER[code]
    if (letter === undefined && !separates(code)) return -1
    if (!letter) return at + tailAt(text, at, to)
  }
  return at
}

/** Of a word that is packed. One that is met again moves up in its set; a new one takes the last place, where words met once replace each other. */
function known(text: string, start: number, end: number, hashOf: HashOf): number {
  const a = packed(text, start, Math.min(end, start + LETTERS))
  const b = packed(text, start + LETTERS, Math.min(end, start + 2 * LETTERS))
  const c = packed(text, start + 2 * LETTERS, end)
  const mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35)
  const set = (Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 17) * WAYS * ENTRY
  const last = set + (WAYS - 1) * ENTRY
  for (let i = set; i <= last; i += ENTRY) {
    if (table[i] !== a || table[i + 1] !== b || table[i + 2] !== c) continue
    const hash = table[i + 3] as number
    if (i > set) exchange(i - ENTRY, i)
    return hash
  }
  const hash = hashOf(text.slice(start, end).toLowerCase())
  table[last] = a
  table[last + 1] = b
  table[last + 2] = c
  table[last + 3] = hash
  return hash
}

function packed(text: string, from: number, to: number): number {
  let out = 0
  for (let at = from; at < to; at++) out = (out << BITS) | (SYMBOL[text.charCodeAt(at)] as number)
  return out
}

function exchange(one: number, other: number): void {
  for (let i = 0; i < ENTRY; i++) {
    const kept = table[one + i] as number
    table[one + i] = table[other + i] as number
    table[other + i] = kept
  }
}
