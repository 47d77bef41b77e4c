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
const LOWER = new Uint8Array(128)
for (let code = 0; code < 128; code++)
  if (/[a-zA-Z0-9]/.test(String.fromCharCode(code))) LOWER[code] = code < 65 || code > 90 ? code : code + 32

const slots = new Int32Array(SLOTS) // number of a word plus 1; 0: empty
const hashes = new Int32Array(KEPT)
const used = new Uint8Array(KEPT) // whether used since room was last made
const numbers = new Int32Array(KEPT) // number of a word's term plus 1; 0: not asked yet
const words: string[] = []
const terms: string[] = []

/** The terms of `text` except empty ones; undefined if it contains a character beyond U+007F. `termOf` is called once for each word it is shown. */
export function asciiTerms(text: string, termOf: (word: string) => string): string[] | undefined {
  const out: string[] = []
  const take = (term: string): void => {
    if (term !== '') out.push(term)
  }
  return eachTerm(text, { start: 0, end: text.length }, termOf, take) ? out : undefined
}

/**
 * The same for a part of a text, with each term as its number. `numberOf` is called once for each word until `forgetNumbers`. False if the part
 * contains a character beyond U+007F: some terms may have been taken by then.
 */
export function asciiNumbers(
  text: string,
  span: { readonly start: number; readonly end: number },
  of: { readonly term: (word: string) => string; readonly number: (term: string) => number },
  take: (number: number) => void,
): boolean {
  return eachTerm(text, span, of.term, (term, word) => {
    if (term === '') return
    const known = word < 0 ? 0 : (numbers[word] as number)
    const number = known === 0 ? of.number(term) : known - 1
    if (known === 0 && word >= 0) numbers[word] = number + 1
    take(number)
  })
}

export function forgetNumbers(): void {
  numbers.fill(0)
}

/** `take` also gets the number under which the word is remembered; -1 if it is not. */
function eachTerm(
  text: string,
  { start: from, end: to }: { readonly start: number; readonly end: number },
  termOf: (word: string) => string,
  take: (term: string, word: number) => void,
): boolean {
  for (let at = from; at < to; ) {
    const code = text.charCodeAt(at)
    if (code > 127) return false
    if (LOWER[code] === 0) {
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
    if (letter === undefined && at < to) return false
    const end = at + tailAt(text, at, to)
    for (; at < end; at++) hash = Math.imul(hash ^ (LOWER[text.charCodeAt(at)] || APOSTROPHE), 0x01000193)
    if (end - start > LONGEST) take(termOf(text.slice(start, end).toLowerCase()), -1)
    else {
      const word = wordAt(text, start, end, hash, termOf)
      take(terms[word] as string, word)
    }
  }
  return true
}

/** Length of a contraction's or possessive's tail here, which stays on its word: 's, 't, 'd, 'm, 'll, 've, 're. */
function tailAt(text: string, at: number, to: number): number {
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
    numbers[kept] = numbers[i] as number
    slots[freeSlot(hashes[kept] as number)] = ++kept
  }
  words.length = kept
  terms.length = kept
  numbers.fill(0, kept)
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
