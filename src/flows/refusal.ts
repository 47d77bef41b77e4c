/** The sentence for when the documents do not answer, in the language of the question if it can be detected, otherwise in English. Pure. */
import { questionLanguage, surelyIn } from '../core/language/detect'
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

/** `%`: the name of the language. In brackets, because a name in a sentence is declined in many languages. */
const OTHER_LANGUAGE: { readonly [language in Language]?: string } = {
  en: 'The nearest text is in another language (%); only a text model can answer from it.',
  ar: 'أقرب نص مكتوب بلغة أخرى (%)، ولا يجيب منه إلا نموذج لغوي.',
  de: 'Der nächstliegende Text ist in einer anderen Sprache (%); daraus kann nur ein Sprachmodell antworten.',
  es: 'El texto más cercano está en otro idioma (%); solo un modelo de lenguaje puede responder a partir de él.',
  fr: 'Le texte le plus proche est dans une autre langue (%) ; seul un modèle de langage peut répondre à partir de ce texte.',
  it: 'Il testo più vicino è in un’altra lingua (%); solo un modello linguistico può rispondere a partire da esso.',
  ja: '最も近い文章は別の言語（%）で書かれています。そこから答えるには言語モデルが必要です。',
  ko: '가장 가까운 글은 다른 언어(%)로 되어 있으며, 그 글로 답하려면 언어 모델이 필요합니다.',
  nl: 'De dichtstbijzijnde tekst is in een andere taal (%); alleen een taalmodel kan daaruit antwoorden.',
  pt: 'O texto mais próximo está noutra língua (%); só um modelo de linguagem pode responder a partir dele.',
  ru: 'Ближайший текст написан на другом языке (%); ответить по нему может только языковая модель.',
  sv: 'Den närmaste texten är på ett annat språk (%); bara en språkmodell kan svara utifrån den.',
  zh: '最接近的文本使用另一种语言（%），只有语言模型才能根据它回答。',
}

export const NOTHING_HERE = SENTENCES.en ?? ''

/** `nearest`: the text of the evidence that comes nearest to the question; if that is beyond doubt in another language, this is said too. */
export function nothingHere(question: string, nearest = ''): string {
  const asked = questionLanguage(question)
  const sentence = SENTENCES[asked ?? 'en'] ?? NOTHING_HERE
  const other = asked && OTHER_LANGUAGE[asked]
  const written = surelyIn(nearest)
  if (!other || !written || written === asked) return sentence
  const name = new Intl.DisplayNames([asked], { type: 'language' }).of(written) ?? written
  return `${sentence}${asked === 'ja' || asked === 'zh' ? '' : ' '}${other.replace('%', () => name)}`
}
