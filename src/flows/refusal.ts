/** What is said where the documents do not answer, in the language of the question: of seven, by its words or its script; else in English. Pure. */
import { languageOf } from '../core/support/grammar/languages'

const SENTENCES = {
  en: 'Nothing here answers that.',
  de: 'Hier steht nichts, was das beantwortet.',
  fr: 'Rien ici ne répond à cela.',
  es: 'Aquí nada responde a eso.',
  zh: '这里没有内容能回答这个问题。',
  ja: 'ここにはその答えがありません。',
  ar: 'لا شيء هنا يجيب عن ذلك.',
} as const

/** Signs of one language alone. In this order: Japanese is written with Han, too. */
const SIGNS: readonly (readonly [keyof typeof SENTENCES, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['zh', /\p{Script=Han}/u],
  ['ar', /\p{Script=Arabic}/u],
  ['es', /[¿¡]/u],
]
/** Letters that Arabic does not have, of languages that are written with its script. */
const NOT_ARABIC = /[پچژگکیٹڈڑںھہۃے]/u

export const NOTHING_HERE = SENTENCES.en

export function nothingHere(question: string): string {
  const sign = SIGNS.find(([, pattern]) => pattern.test(question))?.[0]
  if (sign === 'ar' && NOT_ARABIC.test(question)) return SENTENCES.en
  return SENTENCES[sign ?? languageOf(question, null) ?? 'en']
}
