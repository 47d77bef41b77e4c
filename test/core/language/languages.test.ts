import { describe, expect, it } from 'vitest'
import { MemoryGraph } from '../../../src/core/graph/memory'
import type { Patch } from '../../../src/core/graph/types'
import { documentLanguage, mayBeEnglish, questionLanguage } from '../../../src/core/language/detect'
import { frequenciesOf, questionTerms } from '../../../src/core/language/question-terms'
import { askedTerms } from '../../../src/core/text/asked-terms'
import { divide } from '../../../src/core/text/divide'
import { languageCodes, stemmed } from '../../../src/core/text/languages'
import { readTerms } from '../../../src/core/text/read-terms'
import { stemmingOf } from '../../../src/core/text/stemming'
import { distinct, terms } from '../../../src/core/text/terms'
import { nothingHere } from '../../../src/flows/refusal'

const SAMPLES = {
  ar: 'تقع المكتبة العامة في قصر قديم قرب الميناء وتضم أربعين ألف كتاب ومجموعة من المخطوطات النادرة.',
  de: 'Die Käserei verarbeitet täglich 3000 Liter Milch, und die Laibe reifen neun Monate in einem Stollen.',
  en: 'The dairy takes in three thousand litres of milk a day, and its wheels ripen for nine months in a tunnel.',
  es: 'La almazara prensa las aceitunas de ciento cuarenta familias y la campaña comienza en noviembre.',
  fr: 'Le moulin de Valserre a été construit par le meunier, et il possède quatre meules et une roue de sept mètres.',
  it: 'Il mulino della valle è stato costruito dal mugnaio e ha quattro macine con una ruota di sette metri.',
  ja: '岬の灯台は明治二十二年に点灯した。高さは二十八メートルである。',
  pt: 'O moinho do vale foi construído pelo moleiro e tem quatro mós com uma roda de sete metros.',
  ru: 'На стекольном заводе работают двести человек, здесь выдувают вазы и ёлочные игрушки.',
  zh: '云溪石桥建于明朝，全长六十二米，共有七个桥孔。',
} as const

const CHUNKS = { chunk: 400, overlap: 0, passage: 60 }

function graphOf(documents: readonly { readonly id: string; readonly text: string; readonly language?: string }[]): MemoryGraph {
  const graph = new MemoryGraph(4)
  const patch: Patch = documents.flatMap(({ id, text, language }) => {
    const { name, chunks, placed } = divide({ title: '', text, language }, CHUNKS)
    return [
      ...chunks.map((chunk) => ({ op: 'put-chunk' as const, chunk, vectors: { passages: [], units: [] } })),
      { op: 'put-document' as const, document: { id, title: '', name, url: null, metadata: {}, chunks: placed } },
    ]
  })
  graph.apply(patch)
  return graph
}

const found = (graph: MemoryGraph, question: string) => graph.match(questionTerms(graph, question).terms, 10).map((hit) => hit.id)

describe('which language a text is in', () => {
  it('[T820] is told by its words, its script or its sequences of letters', () => {
    for (const [language, text] of Object.entries(SAMPLES))
      expect([language, documentLanguage(text, undefined)]).toEqual([language, language])
  })

  it('[T820] of a text that is too short is the corpus’s, and none where the corpus has none', () => {
    expect(documentLanguage('Hufnagel, Kaiserring 12', 'de')).toBe('de')
    expect(documentLanguage('Hufnagel, Kaiserring 12', undefined)).toBeUndefined()
    expect(documentLanguage('', 'de')).toBe('de')
    expect(documentLanguage('12345 — 67', undefined)).toBeUndefined()
    // A script that one language alone has is told however short.
    expect(documentLanguage('これは猫です', 'de')).toBe('ja')
  })

  it('[T820] of a question by letters only among those that are spoken here', () => {
    expect(questionLanguage('Сколько пролётов моста взорвали?', ['ru', 'de'])).toBe('ru')
    expect(questionLanguage('Grieser 1743', ['de'])).toBeUndefined()
    expect(mayBeEnglish('Who built it?')).toBe(true)
    expect(mayBeEnglish('Grieser 1743')).toBe(true)
    expect(mayBeEnglish('誰が建てましたか')).toBe(false)
    expect(mayBeEnglish('Сколько машин?')).toBe(false)
  })
})

describe('terms by language', () => {
  it('[T821] of a text in a language with a stemmer are the common ones and its stems', () => {
    for (const text of Object.values(SAMPLES)) {
      const common = terms(text)
      for (const language of stemmed) expect(terms(text, language).slice(0, common.length)).toEqual(common)
    }
    expect(terms('Die alten Häuser', 'de')).toContain('haus')
    expect(terms('المكتبات', 'ar')).toContain(terms('مكتبة', 'ar').at(-1))
    expect(terms('أُسِّسَت', 'ar').at(-1)).toBe(terms('أسست', 'ar').at(-1))
    expect(terms('машинами', 'ru').at(-1)).toBe(terms('машины', 'ru').at(-1))
    expect(terms('的 云溪石桥', 'de')).toEqual(terms('的 云溪石桥'))
  })

  it('[T821] every stemmer gives the same again, and something for what is no word of its language', () => {
    for (const language of stemmed) {
      const { stem, stopWords } = stemmingOf(language)
      expect(stopWords.size).toBeGreaterThan(50)
      for (const word of ['bridge', 'häuser', 'машины', 'المكتبات', 'x', 'ß']) expect(stem(word)).toBe(stem(word))
      expect(terms('Quillon x1 7', language)).toEqual(expect.arrayContaining(['quillon', 'x1', '7']))
    }
    expect(languageCodes).toEqual(expect.arrayContaining([...stemmed]))
  })

  it('[T822] a chunk’s language is part of its id where its words are stemmed by it, and no other language is', () => {
    const ids = [undefined, 'en', 'zh', 'de', 'es'].map(
      (language) => divide({ title: '', text: SAMPLES.de, language }, CHUNKS).chunks[0]?.id,
    )
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).toBe(ids[0])
    expect(new Set(ids).size).toBe(3)
  })

  it('[T823] a question finds inflected words of its language, and names of any, in a corpus of several', () => {
    const graph = graphOf([
      { id: 'de', text: 'Der letzte Zug brachte die Häuser aus Holz nach Tannau.', language: 'de' },
      { id: 'ru', text: 'Паром перевозит тридцать машин за один рейс.', language: 'ru' },
      { id: 'ar', text: 'أهدت الطبيبة معظم المخطوطات عام 1954.', language: 'ar' },
      { id: 'en', text: 'The ferry at Tannau carries thirty cars.' },
    ])
    expect(graph.stemmings()).toHaveLength(4)
    for (const [question, document] of [
      ['Welches Haus war es?', 'de'],
      ['Сколько машины перевозят паромы?', 'ru'],
      ['من أهدى المخطوطة؟', 'ar'],
      ['How many cars are carried?', 'en'],
    ] as const)
      expect([question, graph.placements(chunkOf(graph, found(graph, question)[0]))[0]?.document]).toEqual([question, document])
    expect(found(graph, 'Tannau')).toHaveLength(2)
    // An English question asks for what it asked for before.
    expect(questionTerms(graph, 'How many cars are carried?').terms).toEqual(distinct(terms('How many cars are carried?')))
  })

  it('[T823] small words of its language say nothing, and every other word counts by the most frequent of its forms', () => {
    const graph = graphOf([{ id: 'de', text: 'Die Häuser. Das Haus.', language: 'de' }])
    const asked = questionTerms(graph, 'Wo ist das Haus von Grieser?')
    expect(asked.terms).toEqual(expect.arrayContaining(['haus', 'grieser']))
    expect(asked.terms).not.toContain('da')
    expect(frequenciesOf(graph, asked, 64).map(([term]) => term)).toEqual(['hau', 'grieser'])
    expect(askedTerms('Haus', [undefined]).forms).toBeUndefined()
  })

  it('[T824] what is read, cited and checked has the stems of its script, and of Chinese and Japanese no small words', () => {
    expect(readTerms('المكتبات')).toEqual(readTerms('مكتبة'))
    expect(readTerms('машины')).toEqual(readTerms('машин'))
    expect(readTerms('灯台はいつ無人になりましたか')).toEqual(['灯台', '無人'])
    expect(readTerms('石桥有几个桥孔？')).toContain('石桥')
    expect(readTerms('什么')).toEqual(terms('什么'))
    expect(readTerms('The old mill')).toEqual(terms('The old mill'))
  })
})

it('[F710] a refusal is in the language of the question', () => {
  const refusals = [
    'Where is it?',
    'Wo ist es denn?',
    'Где находится этот мост, который взорвали?',
    '어디에 있습니까',
    'Dove è il mulino della valle?',
    '¿Dónde?',
  ]
  expect(new Set(refusals.map((question) => nothingHere(question))).size).toBe(refusals.length)
})

function chunkOf(graph: MemoryGraph, passage: string | undefined): string {
  return graph.page('chunk', '', 100).find((id) => passage?.slice(2).startsWith(id.slice(2))) ?? ''
}
