/**
 * What language a text is in: by the words it is built with if it is one of four, else by its script and sequences of three letters (`franc-min`).
 * Pure; a text is read in two places only. Undefined: it cannot be told.
 */
import { francAll } from 'franc-min'
import { languageOf, neighbourOf } from '../support/grammar/languages'
import { isLanguage, type Language, languageCodes } from '../text/languages'

const SAMPLE = 1000 // characters read at the beginning, and as many in the middle: front matter is often in another language
const ASKED = 16 // letters a question needs for this; only the corpus's languages come into question
const TOLD = 60 // letters from which sequences of letters can tell languages of one script apart
const SURE = 200 // and from which a model is told the result

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
/** Signs of languages that share their letters with no other that is told apart. In this order, because Japanese is also written with Han. */
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
/** Bulgarian and Serbian lack the first; Ukrainian, Belarusian, Serbian and Macedonian have the second. */
const RUSSIAN = /[ыэ]/iu
const NOT_RUSSIAN = /[іїєґўђјљњћџѓќѕ]/iu
const SPANISH = /[¿¡]/
/** Letters of languages that are written in Arabic script and are not told apart. */
const NOT_ARABIC = /[پچژگکیٹڈڑںھہۃے]/u
const ARABIC = /\p{Script=Arabic}/gu

/** The language of a document: if its text is too short to tell, that of its corpus. */
export function documentLanguage(text: string, corpus: Language | undefined): Language | undefined {
  const sample = sampleOf(text)
  return certain(sample) ?? corpus ?? (counted(sample, LETTER) >= TOLD ? bySequences(sample, languageCodes) : undefined)
}

/** The language of a question, which is short: sequences of letters only decide among the languages that the corpus has. */
export function questionLanguage(text: string, spoken: readonly Language[] = []): Language | undefined {
  if (SPANISH.test(text)) return 'es'
  const sample = sampleOf(text)
  return certain(sample) ?? (spoken.length > 0 && counted(sample, LETTER) >= ASKED ? bySequences(sample, [...spoken, 'en']) : undefined)
}

/**
 * The language of a text that a model reads or has written, if it can be told beyond doubt: by words and script, or by sequences of letters if it
 * is long and has letters that English lacks. A list of names is in no language.
 */
export function surelyIn(text: string): Language | undefined {
  const sample = sampleOf(text)
  const isGuessed = !PLAIN.test(sample) && counted(sample, LETTER) >= SURE
  return certain(sample) ?? (isGuessed ? bySequences(sample, languageCodes) : undefined)
}

/** May it be English? Also true of any text mostly in Latin letters whose language is not certain. */
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
  // A page of Chinese may quote a Japanese name; Japanese always has a good number of its own letters.
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
