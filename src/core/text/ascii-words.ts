/**
 * Terms of plain English text in one pass over its characters: a word is hashed as it is read and found in a table by its letters, so that no
 * string is made of it, and no pattern run, unless it is new. Terms are needed of every sentence again and again, and took a tenth of the work of
 * taking in a document.
 */

const SLOTS = 1 << 17 // of the table, at least twice as many as words
const KEPT = 50_000 // words remembered; fewer of an English corpus matter
const SURVIVING = (3 * KEPT) / 4 // at most, when room is made
const LONGEST = 64 // code units of a word that is remembered, at most
const APOSTROPHE = 39
const [D, E, L, M, R, S, T, V] = [...'delmrstv'].map((letter) => letter.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
]

/** Lower case of letters and digits, 0 for anything that is not part of a word. */
export const LOWER = new Uint8Array(128)
for (let code = 0; code < 128; code++)
  if (/[a-zA-Z0-9]/.test(String.fromCharCode(code))) LOWER[code] = code < 65 || code > 90 ? code : code + 32

/** Beyond ASCII, but never part of a word nor changed by what stands beside it: half of all English sentences that are not ASCII have nothing else. */
const SEPARATORS = new Set([...'–—“”…«»•\u00a0'].map((one) => one.charCodeAt(0)))

/** Does a character beyond U+007F only stand between words? */
export function separates(code: number): boolean {
  return SEPARATORS.has(code)
}

const slots = new Int32Array(SLOTS) // number of a word plus 1; 0: empty
const hashes = new Int32Array(KEPT)
const used = new Uint8Array(KEPT) // whether used since room was last made
const words: string[] = []
const terms: string[] = []

/** The terms of `text` except empty ones; undefined if it contains a character beyond U+007F that may be part of a word. `termOf` is called once for each word it is shown. */
export function asciiTerms(text: string, termOf: (word: string) => string): string[] | undefined {
  const out: string[] = []
  const to = text.length
  for (let at = 0; at < to; ) {
    const code = text.charCodeAt(at)
    if (code > 127 && !separates(code)) return undefined
    if (!LOWER[code]) {
      at++
      continue
    }
    const start = at
    let hash = 0x811c9dc5
    let letter: number | undefined
    for (; at < to; at++) {
      letter = LOWER[text.charCodeAt(at)]
      if (!letter) break
      hash = Math.imul(hash ^ letter, 0x01000193)
    }
    if (letter === undefined && at < to && !separates(text.charCodeAt(at))) return undefined
    const end = at + tailAt(text, at, to)
    for (; at < end; at++) hash = Math.imul(hash ^ (LOWER[text.charCodeAt(at)] || APOSTROPHE), 0x01000193)
    const term =
      end - start > LONGEST ? termOf(text.slice(start, end).toLowerCase()) : (terms[wordAt(text, start, end, hash, termOf)] as string)
    if (term !== '') out.push(term)
  }
  return out
}

/** Length of a contraction's or possessive's tail here, which stays on its word: 's, 't, 'd, 'm, 'll, 've, 're. */
export function tailAt(text: string, at: number, to: number): number {
  if (at >= to || text.charCodeAt(at) !== APOSTROPHE) return 0
  const [first, second] = [letterAt(text, at + 1, to), letterAt(text, at + 2, to)]
  const single = first === S || first === T || first === D || first === M
  if (!second) return single ? 2 : 0
  const double = (first === L && second === L) || ((first === V || first === R) && second === E)
  return double && !letterAt(text, at + 3, to) ? 3 : 0
}

/** 0 if no word continues here. */
function letterAt(text: string, at: number, to: number): number {
  return at >= to ? 0 : (LOWER[text.charCodeAt(at)] ?? 0)
}

/** Number of the word. */
function wordAt(text: string, start: number, end: number, hash: number, termOf: (word: string) => string): number {
  let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
  for (let known = slots[slot] as number; known !== 0; known = slots[slot] as number) {
    if (hashes[known - 1] === hash && isWord(words[known - 1] as string, text, start, end)) {
      used[known - 1] = 1
      return known - 1
    }
    slot = (slot + 1) & (SLOTS - 1)
  }
  const word = text.slice(start, end).toLowerCase()
  const term = termOf(word)
  if (words.length >= KEPT) {
    forgetUnused()
    slot = freeSlot(hash)
  }
  hashes[words.length] = hash
  words.push(word)
  terms.push(term)
  slots[slot] = words.length
  return words.length - 1
}

/**
 * Makes room: forgets words met only once since room was last made. A large corpus has more of these than of all others, and otherwise the others
 * would be stemmed again.
 */
function forgetUnused(): void {
  slots.fill(0)
  let kept = 0
  for (let i = 0; i < words.length && kept < SURVIVING; i++) {
    if (used[i] === 0) continue
    words[kept] = words[i] as string
    terms[kept] = terms[i] as string
    hashes[kept] = hashes[i] as number
    slots[freeSlot(hashes[kept] as number)] = ++kept
  }
  words.length = kept
  terms.length = kept
  used.fill(0)
}

function freeSlot(hash: number): number {
  let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
  while (slots[slot] !== 0) slot = (slot + 1) & (SLOTS - 1)
  return slot
}

function isWord(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) !== (LOWER[text.charCodeAt(start + i)] || APOSTROPHE)) return false
  return true
}
