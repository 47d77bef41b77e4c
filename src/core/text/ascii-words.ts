/**
 * Terms of plain English text in one pass over its characters: a word is hashed as it is read and found in a table by its letters, so that no string is made
 * of it, and no pattern run, unless it is new. Terms are taken of every sentence again and again, and were a tenth of the work of taking a document in.
 */

const SLOTS = 1 << 17 // of the table, twice as many as words at least
const KEPT = 50_000 // words remembered; an English corpus has fewer that matter
const LONGEST = 64 // code units of a word that is remembered
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

/** Lower case of letters and digits, 0 for what is no part of a word. */
const LOWER = new Uint8Array(128)
for (let code = 0; code < 128; code++)
  if (/[a-zA-Z0-9]/.test(String.fromCharCode(code))) LOWER[code] = code < 65 || code > 90 ? code : code + 32

const slots = new Int32Array(SLOTS) // number of a word and 1; 0: none
let hashes = new Int32Array(KEPT)
let words: string[] = []
let terms: string[] = []

/** The terms of `text`, those that are empty left out; undefined where it holds a character beyond U+007F. `termOf` is asked once for a word it is shown. */
export function asciiTerms(text: string, termOf: (word: string) => string): string[] | undefined {
  const out: string[] = []
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code > 127) return undefined
    if (LOWER[code] === 0) {
      at++
      continue
    }
    const start = at
    let hash = 0x811c9dc5
    let letter: number | undefined
    for (; at < text.length; at++) {
      letter = LOWER[text.charCodeAt(at)]
      if (!letter) break
      hash = Math.imul(hash ^ letter, 0x01000193)
    }
    if (letter === undefined && at < text.length) return undefined
    const end = at + tailAt(text, at)
    for (; at < end; at++) hash = Math.imul(hash ^ (LOWER[text.charCodeAt(at)] || APOSTROPHE), 0x01000193)
    const term = termAt(text, start, end, hash, termOf)
    if (term !== '') out.push(term)
  }
  return out
}

/** How long a contraction's or possessive's tail stands here, which stays on its word: 's, 't, 'd, 'm, 'll, 've, 're. */
function tailAt(text: string, at: number): number {
  if (text.charCodeAt(at) !== APOSTROPHE) return 0
  const [first, second] = [letterAt(text, at + 1), letterAt(text, at + 2)]
  const single = first === S || first === T || first === D || first === M
  if (!second) return single ? 2 : 0
  const double = (first === L && second === L) || ((first === V || first === R) && second === E)
  return double && !letterAt(text, at + 3) ? 3 : 0
}

/** 0 where no word goes on. */
function letterAt(text: string, at: number): number {
  return LOWER[text.charCodeAt(at)] ?? 0
}

function termAt(text: string, start: number, end: number, hash: number, termOf: (word: string) => string): string {
  if (end - start > LONGEST) return termOf(text.slice(start, end).toLowerCase())
  let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
  for (let known = slots[slot] as number; known !== 0; known = slots[slot] as number) {
    if (hashes[known - 1] === hash && isWord(words[known - 1] as string, text, start, end)) return terms[known - 1] as string
    slot = (slot + 1) & (SLOTS - 1)
  }
  const word = text.slice(start, end).toLowerCase()
  const term = termOf(word)
  if (words.length >= KEPT) {
    slots.fill(0)
    hashes = new Int32Array(KEPT)
    words = []
    terms = []
    slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
  }
  hashes[words.length] = hash
  words.push(word)
  terms.push(term)
  slots[slot] = words.length
  return term
}

function isWord(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) !== (LOWER[text.charCodeAt(start + i)] || APOSTROPHE)) return false
  return true
}
