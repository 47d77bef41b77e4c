/** The sentence for when the documents do not answer, in the language of the question if it can be detected, otherwise in English. Pure. */
import { questionLanguage } from '../core/language/detect'
import type { Language } from '../core/text/languages'

const SENTENCES: { readonly [language in Language]?: string } = {
  en: 'Nothing here answers that.',
  ar: 'لا شيء هنا يجيب عن ذلك.',
  de: 'Hier steht nichts, was das beantwortet.',
  es: 'Aquí nada responde a eso.',
  fr: 'Rien ici ne répond à cela.',
  it: 'Qui nulla risponde a questo.',
  ja: 'ここにはその答えがありません。',
  ko: '여기에는 그에 대한 답이 없습니다.',
  nl: 'Hier staat niets dat dat beantwoordt.',
  pt: 'Nada aqui responde a isso.',
  ru: 'Здесь нет ответа на этот вопрос.',
  sv: 'Inget här besvarar det.',
  zh: '这里没有内容能回答这个问题。',
}

export const NOTHING_HERE = SENTENCES.en ?? ''

export function nothingHere(question: string): string {
  return SENTENCES[questionLanguage(question) ?? 'en'] ?? NOTHING_HERE
}
