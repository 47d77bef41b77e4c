import { describe, expect, it } from 'vitest'
import { chunkOf } from '../../src/core/ids'
import { select, selectionFor } from '../../src/core/selection'
import { auto } from '../../src/core/strategies/auto/auto'
import { hybrid } from '../../src/core/strategies/baselines/hybrid'
import type { Found, Strategy } from '../../src/core/strategy'
import { distinct, terms } from '../../src/core/text/terms'
import { type Asking, doc, world } from './builders/worlds'

const LONG = Array.from(
  { length: 60 },
  (_, i) => `The lighthouse of Varna was painted in year ${i}, and painters number ${i * 7} came by boat.`,
).join(' ')

function corpus() {
  const at = world([])
  at.change({
    add: [
      doc('long', 'Varna', LONG),
      doc('copy', 'Varna again', 'The lighthouse of Varna was painted white.'),
      doc('twin', 'Varna again', 'The lighthouse of Varna was painted white!'),
      doc('keeper', 'Keepers', 'Its keeper Ilse Brandt came from Ulm.'),
      ...Array.from({ length: 12 }, (_, i) => doc(`other${i}`, '', `A market in town ${i} sells fish.`)),
    ],
  })
  const passage = (document: string, ordinal = 0): string => {
    const spans = at.graph.document(document)?.chunks.flatMap(({ chunk }) => at.graph.chunk(chunk)?.passages ?? []) ?? []
    return spans[ordinal]?.id ?? ''
  }
  return { at, passage }
}

const found = (...ids: readonly string[]): Found[] => ids.map((id, i) => ({ id, score: 1 - i / 100, via: 'keyword' }))
const asked = (text: string) => ({ terms: distinct(terms(text)) })

describe('selection', () => {
  it('[Q470] a document has so many passages at most, where a question says so; by default others only come first', () => {
    const { at, passage } = corpus()
    const ranking = found(passage('long', 0), passage('long', 1), passage('long', 2), passage('keeper'))
    const chosen = (isStrict: boolean, count = 4): string[] =>
      select(at.graph, asked('lighthouse'), ranking, { count, maxPerDocument: 2, isStrict, diversity: 0 }).map((one) => one.id)
    expect(chosen(true)).toEqual([passage('long', 0), passage('long', 1), passage('keeper')])
    expect(chosen(false)).toEqual([passage('long', 0), passage('long', 1), passage('keeper'), passage('long', 2)])
    expect(chosen(false, 3)).toEqual([passage('long', 0), passage('long', 1), passage('keeper')])
  })

  it('[Q470] max_per_document holds for every strategy, and what it leaves out makes room for other documents', () => {
    const { at } = corpus()
    const ask = (own: Asking['own']): string[] => {
      const retrieved = at.ask(hybrid, 'Who painted the lighthouse of Varna?', { own: own ?? {}, topK: 4 })
      return retrieved.kind === 'evidence' ? retrieved.found.map((one) => at.graph.placements(chunkOf(one.id))[0]?.document ?? '') : []
    }
    const all = ask({})
    const capped = ask({ max_per_document: 1 })
    expect(all.filter((one) => one === 'long').length).toBeGreaterThan(1)
    expect(capped.length).toBeGreaterThan(2)
    expect(new Set(capped).size).toBe(capped.length)
  })

  it('[Q470] a text that several documents hold counts for the one it is shown of', () => {
    const at = world([])
    at.change({ add: [doc('long', 'Varna', LONG)] })
    const [beginning = '', other = ''] = at.graph.document('long')?.chunks.map((placed) => placed.chunk) ?? []
    at.change({ add: [doc('excerpt', 'Varna', at.graph.chunk(beginning)?.text ?? '')] })
    expect(at.graph.placements(beginning).map((place) => place.document)).toEqual(['excerpt', 'long'])
    const ranking = found(...[beginning, other].map((id) => at.graph.chunk(id)?.passages[0]?.id ?? ''))
    const cap = { count: 2, maxPerDocument: 1, isStrict: true, diversity: 0 }
    expect(select(at.graph, asked('lighthouse'), ranking, cap)).toHaveLength(2)
    expect(select(at.graph, asked('lighthouse'), ranking, { ...cap, documents: new Set(['long']) })).toHaveLength(1)
  })

  it('[Q472] what a strategy is made of keeps its shares: only passages follow that it would find where more are wanted', () => {
    const { at, passage } = corpus()
    const layered: Strategy = {
      name: 'layered',
      builders: [],
      entries: [],
      retrieve: (_graph, _query, _scores, { topK }) => ({
        kind: 'evidence',
        found: [
          ...Array.from({ length: topK / 2 }, (_, i): Found => ({ id: `s_${i}`, score: 1, via: 'layer' })),
          ...found(passage('long', 0), passage('long', 1), passage('keeper')).slice(0, topK / 2),
        ],
      }),
    }
    const retrieved = at.ask(layered, 'lighthouse', { topK: 4, own: { max_per_document: 1 } })
    expect(retrieved.kind === 'evidence' && retrieved.found.map((one) => one.id)).toEqual([
      's_0',
      's_1',
      passage('long', 0),
      passage('keeper'),
    ])
  })

  it('[Q471] the first stays first; then comes what says words of the question that nothing chosen says, and what repeats a passage waits', () => {
    const { at, passage } = corpus()
    const ranking = found(passage('copy'), passage('twin'), passage('long', 0), passage('keeper'))
    const chosen = (diversity: number): string[] =>
      select(at.graph, asked('keeper of the lighthouse of Varna'), ranking, {
        count: 4,
        maxPerDocument: 4,
        isStrict: false,
        diversity,
      }).map((one) => one.id)
    expect(chosen(0)).toEqual(ranking.map((one) => one.id))
    expect(chosen(0.5)).toEqual([passage('copy'), passage('keeper'), passage('long', 0), passage('twin')])
  })

  it('[Q472] a summary keeps its place, and no cap counts it', () => {
    const { at, passage } = corpus()
    const summary: Found = { id: 's_abc', score: 1, via: 'overview' }
    const ranking = [summary, ...found(passage('long', 0), passage('keeper'))]
    const chosen = select(at.graph, asked('keeper'), ranking, { count: 3, maxPerDocument: 1, isStrict: true, diversity: 1 })
    expect(chosen[0]).toBe(summary)
    expect(chosen).toHaveLength(3)
  })

  it('[Q472] options of the question stand over the default of the strategy', () => {
    const given = { ...auto, selection: { perDocument: 0.3, diversity: 0.2 } }
    expect(selectionFor(hybrid, { own: {}, topK: 10 })).toBeUndefined()
    expect(selectionFor(given, { own: {}, topK: 10 })).toEqual({ maxPerDocument: 3, isStrict: false, diversity: 0.2 })
    expect(selectionFor(given, { own: { max_per_document: 5, diversity: 0 }, topK: 10 })).toEqual({
      maxPerDocument: 5,
      isStrict: true,
      diversity: 0,
    })
  })
})
