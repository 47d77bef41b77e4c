/**
 * What `tokenx` estimates for a text in which only words contain characters beyond ASCII, in one pass over the characters instead of a dozen
 * patterns for each word: tokens are counted of every sentence, passage and chunk, and took a fifth of the work of taking in a document. A test
 * compares the two.
 */
/** Characters beyond ASCII that may stand between words or are not counted by words: white space, and from Hangul and CJK upwards. */
export const BEYOND_WORDS = /[\u0085\u00a0\u1100-\u11ff\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2e80-\uffff]/

const WHITE = 1
const SIGN = 2
const OTHER = 3

const CLASS = new Uint8Array(128).fill(OTHER)
for (const code of [9, 10, 11, 12, 13, 32]) CLASS[code] = WHITE
for (const sign of '.,!?;(){}[]<>:/\\|@#$%^&*+=`~_"-') CLASS[sign.charCodeAt(0)] = SIGN

/** `text` must contain none of `BEYOND_WORDS`. `estimate` is called for words with letters beyond ASCII. */
export function tokensByWords(text: string, estimate: (word: string) => number): number {
  let sum = 0
  let before = 0 // the class of the previous run
  for (let start = 0; start < text.length; ) {
    const kind = classOf(text, start)
    let end = start + 1
    while (end < text.length && classOf(text, end) === kind) end++
    sum += kind === WHITE ? white(text, start, end, before) : kind === SIGN ? sized(end - start, 6) : word(text, start, end, estimate)
    before = kind
    start = end
  }
  return sum
}

function classOf(text: string, at: number): number {
  return CLASS[text.charCodeAt(at)] ?? OTHER
}

/** Only white space with a meaning counts: a new line that ends no sentence, an indentation, an empty line. */
function white(text: string, start: number, end: number, before: number): number {
  const line = text.indexOf('\n', start)
  if (line < 0 || line >= end) return 0
  return line + 1 < end || before !== SIGN ? 1 : 0
}

function word(text: string, start: number, end: number, estimate: (word: string) => number): number {
  const length = end - start
  let lower = true
  let digits = true
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code > 127 && !(code >= 0x2010 && code <= 0x2026)) return estimate(text.slice(start, end)) // except dashes and quotes, which count like letters of a word
    lower &&= code >= 97 && code <= 122
    digits &&= code >= 48 && code <= 57
  }
  if (digits) return Math.ceil(length / 3)
  return lower && length <= 8 ? 1 : sized(length, 7)
}

function sized(length: number, characters: number): number {
  return length <= 3 ? 1 : Math.ceil(length / characters)
}
