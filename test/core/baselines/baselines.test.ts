import { describe, expect, it } from 'vitest'
import { discriminativeTerms } from '../../../src/core/channels/lexical'
import { HYBRID_WEIGHT, hybrid } from '../../../src/core/strategies/baselines/hybrid'
import { keyword } from '../../../src/core/strategies/baselines/keyword'
import { vector } from '../../../src/core/strategies/baselines/vector'
import type { Retrieved } from '../../../src/core/strategy'
import { doc, docs, documentsOf, world } from '../builders/worlds'

const vias = (retrieved: Retrieved): string[] => (retrieved.kind === 'evidence' ? retrieved.found.map((one) => one.via) : [])

function small() {
  const at = world([])
  at.change({
    add: [
      doc('a', '', 'A red fox crossed the frozen river.'),
      doc('b', '', 'Rivers freeze in January.'),
      doc('c', '', 'Foxes eat berries.'),
    ],
  })
  return at
}

describe('baselines', () => {
  it('[Q10] keyword ranks by BM25 alone', () => {
    const at = small()
    expect(documentsOf(at, at.ask(keyword, 'fox river'))[0]).toBe('a')
    expect(documentsOf(at, at.ask(keyword, 'fox river')).sort()).toEqual(['a', 'b', 'c'])
    expect(documentsOf(at, at.ask(keyword, 'volcano'))).toEqual([])
  })

  it('[Q10] terms in more than a quarter of the passages are dropped when rarer ones exist, and only then', () => {
    const at = world([])
    at.change({ add: [...Array.from({ length: 8 }, (_, i) => doc(`d${i}`, '', `The harbour number x${i}.`)), doc('q', '', 'A quarry.')] })
    expect(discriminativeTerms(at.graph, ['harbour', 'quarri', 'unknown']).map((one) => one.term)).toEqual(['quarri'])
    expect(discriminativeTerms(at.graph, ['harbour']).map((one) => one.term)).toEqual(['harbour'])
  })

  it('[Q11] vector ranks by cosine; without entry points it compares the keyword passages, without a vector it says keyword', () => {
    const at = small()
    const text = 'Foxes eat berries.'
    expect(documentsOf(at, at.ask(vector, text))[0]).toBe('c')
    expect(vias(at.ask(vector, text, { near: false }))).toContain('vector over keyword')
    expect(vias(at.ask(vector, text, { vector: false }))[0]).toBe('keyword')
  })

  it('[Q11] hybrid never lets the vector channel overturn a keyword winner that leads by more than its weight', () => {
    const at = world([])
    at.change({ add: docs('h', 20) })
    for (const text of ['mark x7 x8 x9', 'Ada Brant took Seven Lanterns']) {
      const words = at.ask(keyword, text)
      if (words.kind !== 'evidence') throw new Error('expected evidence')
      const [first, second] = words.found
      const clear = (second?.score ?? 0) < (1 - HYBRID_WEIGHT) * (first?.score ?? 0)
      const both = at.ask(hybrid, text)
      if (clear && both.kind === 'evidence') expect(both.found[0]?.id).toBe(first?.id)
      expect(both.kind).toBe('evidence')
    }
  })

  it('[Q10] evidence never comes from outside the filter', () => {
    const at = small()
    const banned = at.graph.document('a')?.chunks[0]?.chunk
    for (const strategy of [keyword, vector, hybrid]) {
      expect(documentsOf(at, at.ask(strategy, 'fox river', { admits: (chunk) => chunk !== banned }))).not.toContain('a')
    }
  })
})
