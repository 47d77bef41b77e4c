/** The keyword–label graph: what it is made of, and that it depends only on what is in it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeId } from '../../../src/core/ids'
import { goragIndex } from '../../../src/core/strategies/gorag/index'
import { keywordCounts, lengthOf } from '../../../src/core/strategies/gorag/keywords'
import { nameOf } from '../../../src/core/strategies/gorag/label-name'
import { republicationChanges } from '../../../src/core/strategies/gorag/publish'
import { type GoragSettings, goragDefaults } from '../../../src/core/strategies/gorag/settings'
import { viewOf } from '../../../src/core/strategies/gorag/view'
import { weightsOf } from '../../../src/core/strategies/gorag/weights'
import { ask, drop, empty, filled, lines, put, topics } from './corpus'

const fixed = { seed: 9, numRuns: 25 }
const shuffles = fc.shuffledSubarray([...topics], { minLength: topics.length })

it('[C4] putting a label and dropping it again gives back the same graph', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: topics.length - 1 }), (i) => {
      const [one] = topics.slice(i, i + 1)
      const graph = filled(topics.filter((topic) => topic !== one))
      const before = lines(graph)
      if (one) put(graph, one)
      expect(lines(graph).length).toBeGreaterThan(before.length)
      drop(graph, one?.id ?? '')
      expect(lines(graph)).toEqual(before)
    }),
    fixed,
  )
})

it('[C4] dropping all labels leaves an empty graph', () => {
  const graph = filled()
  for (const { id } of topics) drop(graph, id)
  expect(lines(graph)).toEqual([])
})

it('[C4] putting the same label again changes nothing, and other examples replace it', () => {
  const graph = filled()
  const before = lines(graph)
  for (const topic of topics) put(graph, topic)
  expect(lines(graph)).toEqual(before)
  put(graph, { id: 'weather', texts: ['Is a storm coming'] })
  put(graph, { id: 'weather', texts: topics[3]?.texts ?? [] })
  expect(lines(graph)).toEqual(before)
})

it('[C4] the order of labels does not matter', () => {
  const expected = filled()
  fc.assert(
    fc.property(shuffles, (order) => {
      const graph = filled(order)
      expect(lines(graph)).toEqual(lines(expected))
      expect(ask(graph, 'the rate for my card top up')).toEqual(ask(expected, 'the rate for my card top up'))
    }),
    fixed,
  )
})

it('[C4] the order of a label’s examples does not matter, nor does giving one twice', () => {
  const graph = filled()
  const turned = filled(topics.map((topic) => ({ ...topic, texts: [...topic.texts].reverse() })))
  expect(ask(turned, 'is my card safe')).toEqual(ask(graph, 'is my card safe'))
  const twice = filled(topics.map((topic) => ({ ...topic, texts: [...topic.texts, ...topic.texts] })))
  expect(ask(twice, 'is my card safe')).toEqual(ask(graph, 'is my card safe'))
})

it('[C6] every text with a word yields keywords, and weights reach from least to largest (B1)', () => {
  const long = Array.from({ length: 120 }, (_, i) => `word${i} other`).join(' ')
  const graph = filled([...topics, { id: 'long', texts: [long] }])
  const index = goragIndex(graph, goragDefaults)
  const view = viewOf(index, goragDefaults, 0)
  for (const text of view.labelled.texts) expect(text.kept.size).toBeGreaterThan(0)
  const weights = weightsOf(view)
  const label = view.labelled.numbers.get(nodeId('label', 'lost_card'))
  const own = [...view.cells].flatMap(([keyword, row]) => [...(weights.rows.get(keyword) ?? [])].filter((_, i) => row[i]?.label === label))
  expect(Math.min(...own)).toBeCloseTo(0.05, 10)
  expect(Math.max(...own)).toBeGreaterThan(0.5)
})

/** Eq. 2 and 4 as printed, over the texts given. */
function naive(texts: readonly { label: string; text: string }[], keyword: string, label: string): number {
  const counts = texts.map(({ text }) => keywordCounts(text, 2))
  const df = counts.filter((one) => one.has(keyword)).length
  const idf = Math.log((texts.length + 1) / (df + 1)) / Math.log(texts.length + 1)
  const own = counts.filter((one, i) => one.has(keyword) && texts[i]?.label === label)
  const mean = own.reduce((sum, one) => sum + (one.get(keyword) ?? 0) / lengthOf(one), 0) / own.length
  return mean * idf * (keyword.includes(' ') ? 0.5 : 1)
}

describe('[C6] weights on read', () => {
  const settings = { ...goragDefaults, names: false }
  const graph = filled(topics, settings)
  const view = viewOf(goragIndex(graph, settings), settings, 0)
  const weights = weightsOf(view)
  const texts = topics.flatMap(({ id, texts }) => texts.map((text) => ({ label: id, text })))
  const idOf = (number: number): string => topics.find(({ id }) => nodeId('label', id) === view.labelled.labels[number])?.id ?? ''
  const all = [...view.cells].flatMap(([keyword, row]) =>
    row.map((cell, i) => ({ keyword, label: idOf(cell.label), weight: weights.rows.get(keyword)?.[i] ?? 0 })),
  )

  it('[C6] an edge weighs what Eq. 4 says, scaled by its label’s largest score (B2: the idf is that of Eq. 2)', () => {
    const largest = (label: string): number =>
      Math.max(...all.filter((one) => one.label === label).map((one) => naive(texts, one.keyword, label)))
    for (const { keyword, label, weight } of all) expect(weight).toBeCloseTo(1 - (0.95 * naive(texts, keyword, label)) / largest(label), 10)
  })

  it('[C6] two labels are as far apart through the hub as Eq. 7 says', () => {
    const mean = (label: string): number => {
      const own = all.filter((one) => one.label === label)
      return own.reduce((sum, one) => sum + one.weight, 0) / own.length
    }
    for (const [a] of topics.entries()) {
      for (const [b] of topics.entries()) {
        const eq7 = (mean(idOf(a)) / 2 + mean(idOf(b)) / 2) / 2
        expect((weights.hub[a] ?? 0) + (weights.hub[b] ?? 0)).toBeCloseTo(eq7, 10)
      }
    }
  })

  it('[C6] two keywords of one text keep their own weights (B5)', () => {
    const [common, rare] = [all.find(({ keyword }) => keyword === 'card'), all.find(({ keyword }) => keyword === 'train')]
    expect(common?.weight).not.toBe(rare?.weight)
  })
})

it('[C20] configured anew, the graph is as if it had always been so configured', () => {
  const settings = [
    goragDefaults,
    { ...goragDefaults, phrase: 3 as const },
    { ...goragDefaults, keywords: 4 },
    { ...goragDefaults, phrase: 1 as const },
  ]
  const graph = filled()
  let before = goragDefaults
  for (const after of [...settings, ...settings]) {
    graph.apply(republicationChanges(graph, before, after))
    expect(lines(graph)).toEqual(lines(filled(topics, after)))
    before = after
  }
})

it('[C20] phrases have two words at most, or three where wished', () => {
  const words = (settings: GoragSettings): number[] => {
    const graph = filled(topics, settings)
    const kept = viewOf(goragIndex(graph, settings), settings, 0).cells
    return [...new Set([...kept.keys()].map((keyword) => keyword.split(' ').length))].sort()
  }
  expect(words(goragDefaults)).toEqual([1, 2])
  expect(words({ ...goragDefaults, phrase: 3 })).toEqual([1, 2, 3])
  expect(ask(filled(topics, { ...goragDefaults, phrase: 3 }), 'top bank transfer', { ...goragDefaults, phrase: 3 }).keywords).toContain(
    'top bank transfer',
  )
})

it('[C7] words of a description are keywords of its label, and a label without examples can be chosen (B3)', () => {
  const graph = filled([...topics, { id: 'refund', description: 'The customer wants money back for a purchase', texts: [] }])
  expect(graph.edges('indicates', nodeId('keyword', 'monei')).map(({ target }) => target)).toEqual([nodeId('label', 'refund')])
  expect(ask(graph, 'I want my money back for this purchase').label).toBe('refund')
})

it('[C7] an id is read as a name where it is made of words', () => {
  expect(['card_not_working', 'mountainRange', 'label 7', 'class_03', 'c12', '天気', 'R2-D2'].map(nameOf)).toEqual([
    'card not working',
    'mountain range',
    '',
    '',
    '',
    '天気',
    '',
  ])
})

it('[C7] labels without names work from the first round on (B4)', () => {
  const graph = filled(topics.map((topic, i) => ({ ...topic, id: `label ${i}` })))
  expect(ask(graph, 'bake bread').label).toBe('label 4')
})

it('[C6] a keyword spelled like a label is a different node', () => {
  const graph = filled([...topics, { id: 'rain', texts: ['it pours'] }])
  expect(graph.node(nodeId('keyword', 'rain'))?.kind).toBe('keyword')
  expect(graph.node(nodeId('label', 'rain'))?.kind).toBe('label')
})

it('[C14] a dropped label leaves no text of its own anywhere', () => {
  const graph = filled([...topics, { id: 'secret', description: 'About xylophones', texts: ['The zebra plays a xylophone'] }])
  expect(lines(graph).join()).toMatch(/xylophon/)
  drop(graph, 'secret')
  expect(lines(graph).join()).not.toMatch(/xylophon|zebra/)
})

it('[C18] two corpora do not know of each other (B7)', () => {
  const [one, other] = [filled(), empty()]
  put(other, { id: 'only', texts: ['something else'] })
  expect(ask(other, 'I lost my card').candidates.map(({ label }) => label)).toEqual(['only'])
  expect(ask(one, 'I lost my card').label).toBe('lost_card')
})
