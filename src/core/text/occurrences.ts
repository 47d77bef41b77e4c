/**
 * Where a text says a name, word by word. The words of a name must stand in order, and the first must look like the start of one: not in lower case
 * (scripts without case always qualify; Han and Kana are read character by character). Pure.
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
const BEYOND_ASCII = /[\u0080-\uffff]/
const ASCII_WORD = /[A-Za-z0-9]+/g
const LOWER_A = 97 // capitals and digits come before it

export function wordsOf(text: string): Word[] {
  if (!BEYOND_ASCII.test(text)) return asciiWordsOf(text)
  return [...text.normalize('NFKC').matchAll(WORDS)].map(([word]) => ({ folded: word.toLowerCase(), opens: !LOWER.test(word) }))
}

/** The same for ASCII. Every document is read this way, and letter by letter it takes thirty times as long. */
function asciiWordsOf(text: string): Word[] {
  const out: Word[] = []
  const folded = text.toLowerCase()
  ASCII_WORD.lastIndex = 0
  for (let found = ASCII_WORD.exec(text); found; found = ASCII_WORD.exec(text)) {
    const { index } = found
    out.push({ folded: folded.slice(index, index + found[0].length), opens: opensAt(text, index) })
  }
  return out
}

function opensAt(asciiText: string, at: number): boolean {
  return asciiText.charCodeAt(at) < LOWER_A
}

/** The words of a name's key, as they occur in a text. */
export function keyWords(key: string): string[] {
  return [...key.matchAll(WORDS)].map(([word]) => word)
}

/** `anyCase`: also where its first word is in lower case. */
export function occurs(words: readonly Word[], name: readonly string[], anyCase = false): boolean {
  return name.length > 0 && words.some((_, at) => occursAt(words, at, name, anyCase))
}

export function occursAt(words: readonly Word[], at: number, name: readonly string[], anyCase = false): boolean {
  return (anyCase || words[at]?.opens === true) && name.every((word, i) => words[at + i]?.folded === word)
}

/** Without letter case and compatibility forms, as `saysOne` reads it. */
export function folded(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase()
  return text.normalize('NFKC').toLowerCase()
}

/**
 * Tells whether a text says one of the names. First only the letters are searched for, in the folded text; if it has letters beyond ASCII, where
 * folding moves places, it is then read word by word.
 */
export function saysOne(names: readonly (readonly string[])[]): (text: string, fold: string) => boolean {
  return (text, fold) => {
    const likely = names.filter((name) => standsIn(fold, name))
    if (likely.length === 0) return false
    if (!BEYOND_ASCII.test(text)) return likely.some((name) => standsAsWordsIn(text, fold, name))
    const words = wordsOf(text)
    return likely.some((name) => occurs(words, name))
  }
}

/** Is the name said somewhere, as whole words of which the first may begin a name? */
function standsAsWordsIn(asciiText: string, fold: string, [first = '', ...others]: readonly string[]): boolean {
  for (let at = fold.indexOf(first); at >= 0; at = fold.indexOf(first, at + 1)) {
    if (!opensAt(asciiText, at) || isLetter(fold.charCodeAt(at - 1))) continue
    let end = at + first.length
    const next = (word: string): boolean => {
      if (isLetter(fold.charCodeAt(end))) return false
      end = afterSigns(fold, end)
      if (!fold.startsWith(word, end)) return false
      end += word.length
      return true
    }
    if (others.every(next) && !isLetter(fold.charCodeAt(end))) return true
  }
  return false
}

/** Do the words stand one after the other, with nothing but white space and signs in between? They may be parts of longer words. */
function standsIn(fold: string, [first, ...others]: readonly string[]): boolean {
  if (first === undefined) return false
  for (let at = fold.indexOf(first); at >= 0; at = fold.indexOf(first, at + 1)) {
    let end = at + first.length
    const next = (word: string): boolean => {
      end = afterSigns(fold, end)
      if (!fold.startsWith(word, end)) return false
      end += word.length
      return true
    }
    if (others.every(next)) return true
  }
  return false
}

function afterSigns(text: string, from: number): number {
  let at = from
  for (let code = text.codePointAt(at); code !== undefined && !isLetter(code); code = text.codePointAt(at)) at += code > 0xffff ? 2 : 1
  return at
}

const LETTER = /[\p{L}\p{M}\p{N}]/u

function isLetter(code: number): boolean {
  if (code > 127) return LETTER.test(String.fromCodePoint(code))
  return (code >= 97 && code <= 122) || isDigit(code)
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}
