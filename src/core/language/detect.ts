/**
 * What language a text is in: by the words it is built with where it is one of four, else by its script and sequences of three letters
 * (`franc-min`). Pure; a text is looked at in two places and no further. Undefined: it cannot be told.
 */
import { francAll } from 'franc-min'
import { languageOf, neighbourOf } from '../support/grammar/languages'
import { isLanguage, type Language, languageCodes } from '../text/languages'

const SAMPLE = 1000 // characters read at the beginning, and as many in the middle: front matter is often in another language
const ASKED = 16 // letters of a question, of which only the corpus's languages come into question
const TOLD = 60 // letters from which on sequences of letters tell languages of one script apart
const SURE = 200 // and from which on a model is told so

/** franc's codes (ISO 639-3). */
const CODES: { readonly [language in Language]: string } = {
  ar: 'arb',
  bg: 'bul',
  cs: 'ces',
  da: 'dan',
  de: 'deu',
  el: 'ell',
  en: 'eng',
  es: 'spa',
  fi: 'fin',
  fr: 'fra',
  he: 'heb',
  hi: 'hin',
  hu: 'hun',
  id: 'ind',
  it: 'ita',
  ja: 'jpn',
  ko: 'kor',
  nl: 'nld',
  no: 'nob',
  pl: 'pol',
  pt: 'por',
  ro: 'ron',
  ru: 'rus',
  sr: 'srp',
  sv: 'swe',
  th: 'tha',
  tr: 'tur',
  uk: 'ukr',
  vi: 'vie',
  zh: 'cmn',
}
const BY_CODE = new Map(languageCodes.map((language) => [CODES[language], language]))
/** Of languages that share their letters with no other that is told apart. In this order: Japanese is written with Han, too. */
const SIGNS: readonly (readonly [Language, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['he', /\p{Script=Hebrew}/gu],
]
const LETTER = /\p{L}/gu
const PLAIN = /^[\u0020-\u007e\s]*$/
const BEYOND_LATIN = /(?!\p{Script=Latin})\p{L}/gu
const CYRILLIC = /\p{Script=Cyrillic}/gu
/** Bulgarian and Serbian lack these; Ukrainian, Belarusian, Serbian and Macedonian have those. */
const RUSSIAN = /[ыэ]/iu
const NOT_RUSSIAN = /[іїєґўђјљњћџѓќѕ]/iu
const SPANISH = /[¿¡]/
/** Letters of languages that are written in Arabic script and are not told apart. */
const NOT_ARABIC = /[پچژگکیٹڈڑںھہۃے]/u
const ARABIC = /\p{Script=Arabic}/gu

/** Of a document: where its text is too short to tell, the language its corpus is in. */
export function documentLanguage(text: string, corpus: Language | undefined): Language | undefined {
  const sample = sampleOf(text)
  return certain(sample) ?? corpus ?? (counted(sample, LETTER) >= TOLD ? bySequences(sample, languageCodes) : undefined)
}

/** Of a question, which is short: by sequences of letters only among the languages that are spoken here. */
export function questionLanguage(text: string, spoken: readonly Language[] = []): Language | undefined {
  if (SPANISH.test(text)) return 'es'
  const sample = sampleOf(text)
  return certain(sample) ?? (spoken.length > 0 && counted(sample, LETTER) >= ASKED ? bySequences(sample, [...spoken, 'en']) : undefined)
}

/**
 * Of a text that a model reads or has written, where it can be told beyond doubt: by words and script, or by sequences of letters where it is long and has letters
 * that English lacks. A list of names is in no language.
 */
export function surelyIn(text: string): Language | undefined {
  const sample = sampleOf(text)
  const isGuessed = !PLAIN.test(sample) && counted(sample, LETTER) >= SURE
  return certain(sample) ?? (isGuessed ? bySequences(sample, languageCodes) : undefined)
}

/** May it be English? What no other language claims in letters of its own is taken for it. */
export function mayBeEnglish(text: string): boolean {
  const sample = sampleOf(text)
  const told = certain(sample)
  return told === 'en' || (told === undefined && counted(sample, BEYOND_LATIN) * 2 <= counted(sample, LETTER))
}

function sampleOf(text: string): string {
  const middle = text.length >> 1
  return text.length <= 2 * SAMPLE ? text : `${text.slice(0, SAMPLE)} ${text.slice(middle, middle + SAMPLE)}`
}

/** By signs that no other language has. */
function certain(sample: string): Language | undefined {
  const byWords = languageOf(sample, null) ?? neighbourOf(sample)
  if (byWords || PLAIN.test(sample)) return byWords ?? undefined
  const half = counted(sample, LETTER) / 2
  if (half === 0) return undefined
  // A page of Chinese may quote a Japanese name; Japanese is never without a good deal of its own letters.
  const [own, han] = [SIGNS[0], SIGNS[2]].map((sign) => (sign ? counted(sample, sign[1]) : 0))
  if ((own ?? 0) + (han ?? 0) > half) return (own ?? 0) > (han ?? 0) / 10 ? 'ja' : 'zh'
  const sign = SIGNS.find(([, pattern]) => counted(sample, pattern) > half)?.[0]
  if (sign) return sign
  if (counted(sample, CYRILLIC) > half) return RUSSIAN.test(sample) && !NOT_RUSSIAN.test(sample) ? 'ru' : undefined
  if (counted(sample, ARABIC) > half) return NOT_ARABIC.test(sample) ? undefined : 'ar'
  return SPANISH.test(sample) ? 'es' : undefined
}

function counted(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

function bySequences(sample: string, among: readonly Language[]): Language | undefined {
  const [best] = francAll(sample, { only: among.map((language) => CODES[language]), minLength: 3 })
  const found = best && BY_CODE.get(best[0])
  return found && isLanguage(found) ? found : undefined
}
