/** A sentence as it is compared with others: its words, their kinds, and which of them have a meaning. Pure. */

import type { Stemmed } from '../text/languages'
import { readTerms as terms } from '../text/read-terms'
import { STEMMED_LANGUAGES, stemmingOf } from '../text/stemming'
import { STOP_WORDS } from '../text/stop-words'
import { fold } from '../text/terms'
import { calendarName } from './calendar'
import { hanNumber } from './han-numbers'
import type { Word } from './statement-word'
import * as lists from './statement-words'
import { wholeValues, yearOf } from './whole-values'

const MAX_WORDS = 60 // of a sentence: alignment costs the product of both; two characters of Han count as a word

export interface Statement {
  readonly words: readonly Word[]
  /** Forms of the words that have a meaning and are not values. */
  readonly about: ReadonlySet<string>
  readonly hasValue: boolean
}

const HAN_DIGIT = '[\\p{Nd}〇零一二三四五六七八九十]'
const KANA = '\\p{Script=Hiragana}\\p{Script=Katakana}ー'
const HIRAGANA_RUN = '\\p{Script=Hiragana}'
/** Written without spaces: what these letters stand for is taken apart where the script changes, and Han character by character. */
const UNSPACED = `\\p{Script=Han}${KANA}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Hangul}`
const LETTER = `[\\p{L}--[${UNSPACED}]]`
const WORD = new RegExp(
  [
    `(?:${HAN_DIGIT}{2,4}年)?${HAN_DIGIT}{1,3}月(?:${HAN_DIGIT}{1,3}[日号])?`,
    `${HAN_DIGIT}{2,4}年(?!间|間)`,
    `${HAN_DIGIT}{1,3}[点點时時](?:${HAN_DIGIT}{1,3}分|半)?(?![间間])`,
    '[〇零一二两三四五六七八九十百千万]+',
    '\\p{Script=Han}',
    `${HIRAGANA_RUN}+?(?=(?:ます|ました|ません|ませんでした)(?!${HIRAGANA_RUN}))`, // the verb, and its ending apart
    `${HIRAGANA_RUN}+`,
    '[\\p{Script=Katakana}ー]+',
    ...['Thai', 'Lao', 'Khmer', 'Myanmar', 'Hangul'].map((script) => `\\p{Script=${script}}[\\p{Script=${script}}\\p{M}]*`),
    `(?:[lndjmstcLNDJMSTC]|[Qq]u)['’](?=${LETTER})`,
    `(?:${LETTER}|\\p{N})(?:${LETTER}|[\\p{N}\\p{M}'’])*(?:[.,:\\/\\-](?=\\p{N})\\p{N}+)*`,
  ].join('|'),
  'gv',
)
const HAN = /^\p{Script=Han}/u
const HIRAGANA = /^\p{Script=Hiragana}/u
const CAPITAL = /^\p{Lu}/u
const DIGITS = /^\p{Nd}/u

/** Undefined: too long. */
export function statementOf(sentence: string): Statement | undefined {
  const found = [...sentence.matchAll(WORD)].map((match) => ({ text: match[0], start: match.index, end: match.index + match[0].length }))
  const short = found.filter(({ text }) => HAN.test(text) || HIRAGANA.test(text)).length
  if (found.length - short / 2 > MAX_WORDS) return undefined
  const language = languageOf(found.map(({ text }) => text.toLowerCase()))
  const words = wholeValues(kindsOf(found, sentence, language), sentence)
  const about = new Set(words.filter((word) => word.kind === 'word').map((word) => word.form))
  const hasValue = words.some((word) => isValue(word) || word.kind === 'negation')
  return { words, about, hasValue }
}

export const isValue = ({ kind }: Pick<Word, 'kind'>): boolean => kind === 'number' || kind === 'date' || kind === 'name'

type Found = Pick<Word, 'text' | 'start' | 'end'>

function kindsOf(found: readonly Found[], sentence: string, language: Stemmed | undefined): Word[] {
  let negates = false // French: a "ne" stands before
  return found.map((one, i) => {
    const folded = fold(one.text)
    const isCalled = lists.NUMBERED.has(fold(found[i - 1]?.text ?? ''))
    const hasNumber = [found[i - 1], found[i + 1]].some((other) => other && DIGITS.test(other.text))
    const isNoun = language === 'de' && !isGermanName(found, i)
    const isNe = folded === 'ne' || folded === "n'" || folded === 'n’'
    const word = isNe
      ? { form: folded, kind: 'stop' as const }
      : negates && lists.NE_PARTNERS.has(folded)
        ? NOT
        : kindOf({ ...one, folded, isFirst: i === 0, isCalled, hasNumber, isNoun }, sentence, language)
    negates = negates || isNe
    return { ...one, ...word }
  })
}

/** German nouns have capitals, too: one alone is a name only where no noun could stand without an article. */
function isGermanName(found: readonly Found[], i: number): boolean {
  const beside = [i > 1 ? found[i - 1] : undefined, found[i + 1]]
  return beside.some((one) => one && CAPITAL.test(one.text)) || lists.GERMAN_BEFORE_NAMES.has(fold(found[i - 1]?.text ?? ''))
}

interface Seen extends Found {
  readonly folded: string
  readonly isFirst: boolean
  /** It may be what a thing is called by. */
  readonly isCalled: boolean
  /** A number stands beside it. */
  readonly hasNumber: boolean
  /** No name, although it has a capital. */
  readonly isNoun: boolean
}

type Meant = Pick<Word, 'form' | 'kind' | 'value'>

const NOT: Meant = { form: 'not', kind: 'negation' }

function kindOf(seen: Seen, sentence: string, language: Stemmed | undefined): Meant {
  const { text, folded, end } = seen
  if (HAN.test(text) || HIRAGANA.test(text) || hanNumber(text) !== undefined) return kindOfUnspaced(seen, sentence)
  if (lists.NEGATIONS.has(folded) && sentence[end] === ',') return { form: folded, kind: 'stop' } // "No, it is open"
  if (lists.NEGATIONS.has(folded) || folded.endsWith("n't") || folded.endsWith('n’t')) return NOT
  if (/^.{1,2}['’]$/u.test(folded) || lists.SOFT.has(folded)) return { form: folded, kind: 'stop' }
  return dateOf(seen, language) ?? numberOf(seen, sentence) ?? otherOf(seen, language)
}

function dateOf({ text, folded, hasNumber }: Seen, language: Stemmed | undefined): Meant | undefined {
  const name = calendarName(folded)
  if (!name || (name.isCapital && !CAPITAL.test(text))) return undefined
  // Elsewhere than in their own language they may be other words: "mars", "mart".
  if (!CAPITAL.test(text) && /^\p{Script=Latin}/u.test(text) && language === undefined && !hasNumber) return undefined
  return { form: `${name.unit} ${name.at}`, kind: 'date', value: { [name.unit]: name.at } }
}

function numberOf(seen: Seen, sentence: string): Meant | undefined {
  const { text, folded, isFirst, isCalled } = seen
  const number = DIGITS.test(text) ? numberForm(folded) : isFirst ? undefined : lists.NUMBERS.get(folded)
  if (number === undefined) return undefined
  if (isCalledInHan(seen, sentence)) return { form: number, kind: 'word' }
  const year = isCalled ? undefined : yearOf(number)
  return year === undefined ? { form: number, kind: 'number' } : { form: number, kind: 'date', value: { year } }
}

function otherOf({ text, folded, isFirst, isNoun }: Seen, language: Stemmed | undefined): Meant {
  if (lists.CONTRASTS.has(folded)) return { form: folded, kind: 'word' }
  const isSmall = language === undefined ? STOP_WORDS.has(folded) : stemmingOf(language).stopWords.has(text.toLowerCase())
  if (isSmall) return { form: folded, kind: 'stop' }
  if (!isFirst && !isNoun && CAPITAL.test(text)) return { form: folded, kind: 'name' }
  return { form: terms(text)[0] ?? folded, kind: 'word' }
}

/** 第3章, 3号楼 */
const isCalledInHan = ({ start, end }: Seen, sentence: string): boolean =>
  sentence[start - 1] === '第' || lists.HAN_CALLED.test(sentence[end] ?? '')

function kindOfUnspaced(seen: Seen, sentence: string): Meant {
  const { text, folded } = seen
  if (HIRAGANA.test(text)) {
    if (lists.HIRAGANA_NEGATION.test(text)) return NOT
    return { form: folded, kind: lists.HIRAGANA_SMALL.test(text) ? 'stop' : 'word' }
  }
  if (lists.HAN_NEGATIONS.has(text)) return NOT
  const number = hanNumber(text)
  if (number !== undefined) return { form: number, kind: isCalledInHan(seen, sentence) ? 'word' : 'number' }
  return { form: folded, kind: lists.HAN_SMALL.has(text) ? 'stop' : 'word' }
}

/** `1,200` is 1200, and 9.30 may be a time. */
const numberForm = (text: string): string =>
  text
    .replaceAll(/[,'’](?=\d{3}(?!\d))/g, '')
    .replace(/(\d)[:.](\d\d)$/, '$1.$2')
    .replace(/\.0+$/, '')

let small: ReadonlyMap<string, readonly Stemmed[]> | undefined

/** Whose small words it has most of; undefined: English, or none. */
function languageOf(words: readonly string[]): Stemmed | undefined {
  small ??= smallWords()
  const counts = new Map<Stemmed, number>()
  let most = words.filter((word) => STOP_WORDS.has(word)).length
  let best: Stemmed | undefined
  for (const word of words) for (const language of small.get(word) ?? []) counts.set(language, (counts.get(language) ?? 0) + 1)
  for (const [language, count] of counts) if (count > most) [most, best] = [count, language]
  return best
}

function smallWords(): ReadonlyMap<string, readonly Stemmed[]> {
  const languages = new Map<string, Stemmed[]>()
  for (const language of STEMMED_LANGUAGES)
    for (const word of stemmingOf(language).stopWords) languages.set(word, [...(languages.get(word) ?? []), language])
  return languages
}
