/** Learning online, and undoing it. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { MemoryGraph } from '../../../src/core/graph/memory'
import { nodeId } from '../../../src/core/ids'
import { classify, labels } from '../../../src/core/strategies/gorag/gorag'
import { goragIndex } from '../../../src/core/strategies/gorag/index'
import { goragDefaults } from '../../../src/core/strategies/gorag/settings'
import { viewOf } from '../../../src/core/strategies/gorag/view'
import { drop, filled, forget, lines, put, teach, topics } from './corpus'

const fixed = { seed: 11, numRuns: 20 }
const { halfLife } = goragDefaults.learning
const heard = [
  ['My wallet was snatched in Berlin', 'lost_card'],
  ['Snatched wallet, what now', 'lost_card'],
  ['Will there be thunder over Oslo', 'weather'],
  ['A good soup with leek please', 'recipe'],
  ['Is my card broken', 'lost_card'],
] as const

const weights = (graph: MemoryGraph, now = 0): number[] =>
  viewOf(goragIndex(graph, goragDefaults), goragDefaults, now).learned.map(({ weight }) => weight)

it('[C11] what is learned is found again', () => {
  const graph = filled()
  const asked = { text: 'snatched wallet', now: 0 }
  expect(classify(graph, asked, goragDefaults).label).not.toBe('lost_card')
  expect(teach(graph, heard[0][0], 'lost_card')).not.toBeNull()
  expect(teach(graph, heard[1][0], 'lost_card')).not.toBeNull()
  expect(classify(graph, asked, goragDefaults).label).toBe('lost_card')
})

it('[C341] a learned word speaks for its label once two learned texts have it; with one confirmation, as in the paper, at once', () => {
  const said = (confirmations: number, times: number): string | null => {
    const settings = { ...goragDefaults, learning: { ...goragDefaults.learning, confirmations } }
    const graph = filled()
    for (const [text, label] of heard.slice(0, times)) teach(graph, text, label, { settings })
    expect(lines(graph).join()).toMatch(/snatch/) // an edge of the graph either way
    return classify(graph, { text: 'snatched wallet', now: 0 }, settings).label
  }
  expect([said(1, 1), said(2, 1), said(2, 2), said(3, 2)]).toEqual(['lost_card', 'top_up', 'lost_card', 'top_up'])
})

it('[C11] learning the same text twice changes nothing, as whatever label', () => {
  const graph = filled()
  const first = teach(graph, heard[0][0], 'lost_card')
  const before = lines(graph)
  expect(teach(graph, heard[0][0], 'lost_card', { at: 5 })).toBe(first)
  expect(teach(graph, ` ${heard[0][0]} `, 'weather', { confidence: 1 })).toBe(first)
  expect(lines(graph)).toEqual(before)
})

it('[C11] nothing is learned below the confidence, as an unknown label, or from a labelled text (B10)', () => {
  const graph = filled()
  const before = lines(graph)
  expect(teach(graph, heard[0][0], 'lost_card', { confidence: goragDefaults.learning.confidence - 0.01 })).toBeNull()
  expect(teach(graph, heard[0][0], 'no such label', { confidence: 1 })).toBeNull()
  expect(teach(graph, topics[0]?.texts[0] ?? '', 'lost_card', { confidence: 1 })).toBeNull()
  expect(lines(graph)).toEqual(before)
})

it('[C11] what was learned can be undone one by one, in any order', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...heard], { minLength: heard.length }),
      fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
      (order, undo) => {
        const graph = filled()
        const before = lines(graph)
        const ids = order.map(([text, label]) => teach(graph, text, label) ?? '')
        expect(lines(graph)).not.toEqual(before)
        for (const i of undo) forget(graph, { id: ids[i] ?? '' })
        expect(lines(graph)).toEqual(before)
      },
    ),
    fixed,
  )
})

it('[C11] what was learned from a time on can be undone', () => {
  const graph = filled()
  teach(graph, heard[0][0], 'lost_card', { at: 10 })
  const before = lines(graph)
  teach(graph, heard[2][0], 'weather', { at: 20 })
  teach(graph, heard[3][0], 'recipe', { at: 30 })
  forget(graph, { since: 20 })
  expect(lines(graph)).toEqual(before)
})

it('[C4] the order of learning does not matter', () => {
  const expected = filled()
  for (const [text, label] of heard) teach(expected, text, label)
  fc.assert(
    fc.property(fc.shuffledSubarray([...heard], { minLength: heard.length }), (order) => {
      const graph = filled()
      for (const [text, label] of order) teach(graph, text, label)
      expect(lines(graph)).toEqual(lines(expected))
    }),
    fixed,
  )
})

it('[C4] a label put after learning gives the same graph as one put before', () => {
  const extra = { id: 'theft', texts: ['Someone snatched my wallet and remainingBudget'] }
  const [one, other] = [filled(), filled([...topics, extra])]
  for (const graph of [one, other]) for (const [text, label] of heard) teach(graph, text, label)
  put(one, extra)
  expect(lines(one)).toEqual(lines(other))
})

it('[C13] a learned text weighs less than a labelled one, in proportion to its confidence', () => {
  const graph = filled()
  teach(graph, heard[0][0], 'lost_card', { confidence: 0.8 })
  expect(weights(graph)).toEqual([goragDefaults.learning.weight * 0.8])
})

it('[C13] what nothing confirms fades by half with every half-life', () => {
  const graph = filled()
  teach(graph, heard[3][0], 'recipe', { confidence: 1 })
  const [now = 0, later = 0] = [weights(graph)[0], weights(graph, 2 * halfLife)[0]]
  expect(later / now).toBeCloseTo(0.25, 2)
})

it('[C13] what another text of the label confirms does not fade', () => {
  const graph = filled()
  teach(graph, 'snatched wallet Berlin', 'lost_card', { confidence: 1 })
  teach(graph, 'wallet snatched', 'lost_card', { confidence: 1 })
  expect(weights(graph, 10 * halfLife)).toEqual(weights(graph))
})

it('[C13] what a label learned never outweighs what its owner gave it', () => {
  const graph = filled()
  for (let i = 0; i < 20; i++) teach(graph, `thunder number ${i} over Oslo`, 'weather', { confidence: 1 })
  // Two examples and the name.
  expect(weights(graph).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(3, 10)
})

it('[C14] a dropped label takes what was learned as it along', () => {
  const expected = filled(topics.filter(({ id }) => id !== 'weather'))
  const graph = filled()
  teach(graph, heard[2][0], 'weather')
  drop(graph, 'weather')
  expect(lines(graph)).toEqual(lines(expected))
  expect(lines(graph).join()).not.toMatch(/thunder/)
})

it('[C14] a text labelled by hand is no longer remembered as learned', () => {
  const graph = filled()
  teach(graph, heard[2][0], 'recipe')
  const weather = { id: 'weather', texts: [...(topics[3]?.texts ?? []), heard[2][0]] }
  put(graph, weather)
  expect(lines(graph)).toEqual(lines(filled([...topics.filter(({ id }) => id !== 'weather'), weather])))
})

it('[C18] learning adds to document frequencies what undoing takes back', () => {
  const graph = filled()
  const size = (): number => viewOf(goragIndex(graph, goragDefaults), goragDefaults, 0).size
  const before = size()
  const id = teach(graph, heard[0][0], 'lost_card')
  expect(size()).toBe(before + 1)
  forget(graph, { id: id ?? '' })
  expect(size()).toBe(before)
})

it('[C13] learned edges carry text, source, confidence and time', () => {
  const graph = filled()
  const id = teach(graph, heard[0][0], 'lost_card', { confidence: 0.85, at: 42 })
  const [edge] = graph.edges('indicates', nodeId('keyword', 'wallet'))
  expect(edge).toEqual({
    kind: 'indicates',
    source: nodeId('keyword', 'wallet'),
    target: nodeId('label', 'lost_card'),
    weight: 1,
    data: { texts: 0, count: 0, learned: [{ id, source: 'model', confidence: 0.85, at: 42 }] },
  })
  expect(labels(graph, goragDefaults).find(({ label }) => label === 'lost_card')?.learned).toBe(1)
})

it('[C13] only the most confident texts of a label are kept, whatever their order', () => {
  const settings = { ...goragDefaults, learning: { ...goragDefaults.learning, max: 2 } }
  const rows = [0.8, 0.95, 0.85, 0.9].map((confidence, i) => ({ text: `thunder ${'abcd'[i]}oslo`, confidence }))
  const teachAll = (order: typeof rows): string[] => {
    const graph = filled(topics, settings)
    for (const { text, confidence } of order) teach(graph, text, 'weather', { confidence, settings })
    return lines(graph)
  }
  const kept = teachAll(rows.filter(({ confidence }) => confidence >= 0.9))
  expect(teachAll(rows)).toEqual(kept)
  expect(teachAll([...rows].reverse())).toEqual(kept)
})

it('[C20] only new keywords are learned (Eq. 13)', () => {
  const graph = filled(topics)
  teach(graph, 'my card was snatched', 'top_up')
  const targets = (keyword: string): string[] => graph.edges('indicates', nodeId('keyword', keyword)).map(({ target }) => target)
  expect(targets('snatch')).toEqual([nodeId('label', 'top_up')])
  expect(targets('card')).not.toContain(nodeId('label', 'top_up'))
})
