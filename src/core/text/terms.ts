/**
 * The one tokenizer of keyword search. A text becomes terms: folded words without stop words, English ones stemmed (Porter 1980, by `stemmer`),
 * those of a text in another language also by its stemmer (languages.ts), scripts without spaces as overlapping pairs of characters. Joined by
 * spaces and given to SQLite's FTS5 with `unicode61`, terms come back unchanged: that tokenizer splits at every combining mark, so the marks that
 * folding leaves (vowel signs of Indic scripts, Thai tones) are written as private-use letters; `spelled` turns them back for people to read.
 */
import { stemmer } from 'stemmer'
import { asciiTerms } from './ascii-words'
import { borderBefore } from './borders'
import { fold, lowered } from './fold'
import type { Stemmed } from './languages'
import { stemmingOf } from './stemming'
import { STOP_WORDS } from './stop-words'

export { fold, STOP_WORDS }

const max = {
  term: 64, // code units; anything longer is encoded data, not a word
  kept: 50_000, // words whose terms are remembered; fewer of an English corpus matter
  keptOfOne: 20_000, // words remembered for each other language
} as const
/** Added to a mark's code point to make it a letter for FTS5: Supplementary Private Use Area A. */
const PRIVATE = 0xf0000

const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}ー々〆'
/** A contraction's or possessive's tail stays on its word, and is dropped with it. */
const TAIL = "(?:['’](?:s|t|d|m|ll|ve|re)(?![\\p{L}\\p{M}\\p{N}]))?"
/** Scripts also include punctuation and symbols, which are not part of a word. */
const PAIRED = `(?=[\\p{L}\\p{N}])[${UNSPACED}](?:(?=[\\p{L}\\p{N}])[${UNSPACED}]|\\p{M})*`
const SPACED = `(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}])+`
const WORD = new RegExp(`${PAIRED}|${SPACED}${TAIL}`, 'gu')
const SURFACE = new RegExp(`${PAIRED}|${SPACED}`, 'gu')
const RUN = new RegExp(`^[${UNSPACED}]`, 'u')
const CHARACTER = /[\s\S]\p{M}*/gu
/** Marks, and the vowels of two scripts that were marks in the Unicode version SQLite knows. */
const MARK = /\p{M}|[\u19b0-\u19c0\u19c8\u19c9\u1cf2\u1cf3]/gu
const LETTER = /[\p{L}\p{N}]/u
const STEMMABLE = /^[a-z]+$/
const PRIVATE_MARK = /[\u{f0000}-\u{fffff}]/gu

const made = new Map<string, string>()
const madeIn = new Map<Stemmed, Map<string, string>>()

/**
 * In order, with repeats. `language`: the text's, if its words are stemmed in their own way; those stems follow, unless they are common terms
 * already. So a name is found whatever language surrounds it, and callers that know no language find what they always did.
 */
export function terms(text: string, language?: Stemmed): string[] {
  const common = commonTerms(text)
  if (language !== undefined) addStems(common, text, language)
  return common
}

function commonTerms(text: string): string[] {
  const plain = asciiTerms(text, termOf)
  if (plain) return plain
  const folded = fold(text)
  const bare = asciiTerms(folded, termOf)
  if (bare) return bare
  const out: string[] = []
  for (const word of folded.match(WORD) ?? []) {
    if (RUN.test(word)) addPairs(out, word)
    else addWord(out, word)
  }
  return out
}

/** Only the terms of its own language, in order: small words are left out, and no word has two terms. */
export function stemmedTerms(text: string, language: Stemmed): string[] {
  const out: string[] = []
  for (const word of lowered(text).match(WORD) ?? []) {
    if (RUN.test(word)) addPairs(out, fold(word))
    else {
      const term = stemmedTerm(word, language)
      if (term !== '') out.push(term)
    }
  }
  return out
}

/** Each once, in the order of first occurrence. */
export function distinct(list: readonly string[]): string[] {
  return [...new Set(list)]
}

/** A term as people write it. */
export function spelled(term: string): string {
  return term.replace(PRIVATE_MARK, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? PRIVATE) - PRIVATE))
}

/** The words of a text as they occur in it, with their UTF-16 offsets. A run of a script without spaces is one word. */
export function words(text: string): { readonly text: string; readonly start: number; readonly end: number }[] {
  return [...text.matchAll(SURFACE)].map((match) => ({ text: match[0], start: match.index, end: match.index + match[0].length }))
}

function addWord(out: string[], word: string): void {
  const known = made.get(word)
  const term = known ?? termOf(word)
  if (known === undefined && word.length <= max.term) {
    if (made.size >= max.kept) made.clear()
    made.set(word, term)
  }
  if (term !== '') out.push(term)
}

/** Adds stems for the words whose stem in the language differs from the common term. */
function addStems(out: string[], text: string, language: Stemmed): void {
  for (const word of lowered(text).match(WORD) ?? []) {
    if (RUN.test(word)) continue
    const term = stemmedTerm(word, language)
    if (term !== '' && term !== commonTerm(fold(word))) out.push(term)
  }
}

function commonTerm(word: string): string {
  const known = made.get(word)
  return known ?? termOf(word)
}

/** Empty for a small word. Stems are taken with accents and folded afterwards, since questions are often written without accents. */
function stemmedTerm(word: string, language: Stemmed): string {
  const kept = madeIn.get(language) ?? new Map<string, string>()
  madeIn.set(language, kept)
  const known = kept.get(word)
  if (known !== undefined) return known
  const { stem, stopWords } = stemmingOf(language)
  const tail = word.search(/['’]/)
  const base = tail > 0 ? word.slice(0, tail) : word
  const folded = stopWords.has(base) ? '' : fold(base.length > max.term ? base : stem(base) || base)
  const term = LETTER.test(folded) ? short(encoded(folded)) : ''
  if (kept.size >= max.keptOfOne) kept.clear()
  if (word.length <= max.term) kept.set(word, term)
  return term
}

/** The term of one word of a text without a language, as in `terms`; empty for a word that means nothing. */
export function termOf(word: string): string {
  const tail = word.search(/['’]/)
  // "don't" leaves "don" (a stop word's half), "Verdi's" leaves "Verdi".
  if (tail > 0 && word.endsWith('t') && word[tail - 1] === 'n') return ''
  const base = tail > 0 ? word.slice(0, tail) : word
  if (STOP_WORDS.has(base)) return ''
  if (STEMMABLE.test(base)) return base.length > max.term ? base.slice(0, max.term) : stemmer(base)
  return LETTER.test(base) ? short(encoded(base)) : ''
}

function addPairs(out: string[], run: string): void {
  const characters = run.match(CHARACTER) ?? []
  if (characters.length === 1) out.push(short(encoded(run)))
  for (let i = 1; i < characters.length; i++) out.push(short(encoded(`${characters[i - 1]}${characters[i]}`)))
}

function encoded(word: string): string {
  return word.replace(MARK, (mark) => {
    const code = mark.codePointAt(0) ?? 0
    return code < 0x10000 ? String.fromCodePoint(PRIVATE + code) : ''
  })
}

function short(term: string): string {
  return term.length <= max.term ? term : term.slice(0, borderBefore(term, 0, max.term))
}
