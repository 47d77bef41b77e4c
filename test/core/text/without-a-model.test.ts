import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { materialOf, summarize as summarizeMaterial } from '../../../src/core/text/extract'
import { leadPhrase } from '../../../src/core/text/lead'
import { pack } from '../../../src/core/text/pack'
import { sentences } from '../../../src/core/text/sentences'
import { countTokens } from '../../../src/core/text/tokens'
import { seed, unicodeText } from './arbitrary'

const summarize = (list: readonly string[], limit: number): string =>
  summarizeMaterial(
    list.map((text) => materialOf(text)),
    limit,
  )

const texts = fc.array(unicodeText, { maxLength: 4 })

describe('the lead phrase', () => {
  it.each([
    ['Marie Curie (7 November 1867 – 4 July 1934) was a physicist.', 'Marie Curie'],
    ['Martin Copping( born 1 November 1977) is an actor.', 'Martin Copping'],
    ['The University of Oslo is a university in Norway.', 'University of Oslo'],
    ['“Yesterday” is a song by the Beatles.', 'Yesterday'],
    ["He Knows You're Alone is a 1980 film.", "He Knows You're Alone"],
    ['Fort Wayne, Indiana is a city.', 'Fort Wayne, Indiana'],
    ['Photosynthesis is a process.', 'Photosynthesis'],
    ['# A Heading\nText.', 'A Heading'],
    ['东京是日本的首都。', '东京'],
    ['東京タワーは、塔です。', '東京タワー'],
    ['Москва — столица России.', 'Москва'],
    ['In 2004 he was knighted.', ''],
    ['It was late.', ''],
    ['', ''],
  ])('[X20] of "%s" is "%s"', (text, name) => expect(leadPhrase(text)).toBe(name))

  it('[X20] is short, on one line and made of the text for any text', () => {
    fc.assert(
      fc.property(unicodeText, (text) => {
        const name = leadPhrase(text)
        expect(name).toBe(name.trim())
        expect(name).not.toMatch(/\n/)
        expect(name.length).toBeLessThanOrEqual(text.length)
      }),
      seed,
    )
  })
})

describe('an extractive summary', () => {
  it('[X21] keeps its limit and says nothing that no text says', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 60 }), (list, limit) => {
        const summary = summarize(list, limit)
        if (list.some((text) => text.trim() !== '')) expect(summary).not.toBe('')
        const longestCharacter = 64
        if (summary.length > longestCharacter) expect(countTokens(summary)).toBeLessThanOrEqual(limit)
        const said = new Set(list.join(' '))
        expect([...new Set(summary)].filter((character) => !said.has(character) && character !== ' ')).toEqual([])
      }),
      seed,
    )
  })

  it('[X21] chooses the same sentences whatever the order of the texts', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 5, max: 60 }), (list, limit) => {
        const letters = (text: string): string => [...text.replaceAll(' ', '')].sort().join('')
        expect(letters(summarize([...list].reverse(), limit))).toBe(letters(summarize(list, limit)))
      }),
      seed,
    )
  })

  it('[X21] is the same for texts that are remembered, and reads only those of which it takes a sentence', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 60 }), (list, limit) => {
        const again = (): string =>
          summarizeMaterial(
            list.map((text) => materialOf(text, true)),
            limit,
          )
        const plain = summarize(list, limit)
        expect([again(), again()]).toEqual([plain, plain])
      }),
      seed,
    )
    const read: number[] = []
    const list = ['Floods damage Frankfurt every spring.', 'A dog barked.', 'Floods of the Oder damage Frankfurt.']
    const material = list.map((text, i) => ({ ...materialOf(text), text: () => (read.push(i), text) }))
    expect(summarizeMaterial(material, countTokens(list[0] ?? ''))).toBe(list[0])
    expect(new Set(read)).toEqual(new Set([0]))
  })

  it('[X21] prefers what the texts have in common, says it once and in reading order', () => {
    const summary = summarize(
      [
        'The river Oder floods the town of Frankfurt in spring. A dog barked.',
        'Floods of the river Oder damage Frankfurt every spring. Tea was served.',
        'Engineers built dams against floods of the river Oder near Frankfurt. Somebody laughed.',
      ],
      30,
    )
    expect(summary).toMatch(/Oder/)
    expect(summary).not.toMatch(/dog|Tea|laughed/)
  })

  it('[X21] is whole sentences of the texts, each once and in reading order', () => {
    const flood = 'Floods of the river Oder damage Frankfurt every spring.'
    const list = [`A dog barked. ${flood}`, `${flood} Tea was served.`, 'Engineers built dams against floods near Frankfurt. A dog barked.']
    for (const limit of [20, 40, 60]) {
      const summary = summarize(list, limit)
      const taken = sentences(summary).map((span) => summary.slice(span.start, span.end))
      const places = taken.map((one) => list.join('\n').indexOf(one))
      expect([places.includes(-1), new Set(taken).size, [...places].sort((a, b) => a - b)]).toEqual([false, taken.length, places])
    }
  })
})

it('[F21] a budget is filled in order, and what does not fit is skipped', () => {
  expect(pack([5, 9, 3, 4, 1], (item) => item, 10)).toEqual([5, 3, 1])
  expect(pack([11, 2], (item) => item, 10)).toEqual([2])
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.nat(60), (items, budget) => {
      const packed = pack(items, (item) => item, budget)
      expect(packed.reduce((sum, item) => sum + item, 0)).toBeLessThanOrEqual(budget)
      expect(packed[0]).toBe(items.find((item) => item <= budget))
    }),
    seed,
  )
})
