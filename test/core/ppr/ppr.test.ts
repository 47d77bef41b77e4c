/** Personalised PageRank over passages, units, entities and relations. */
import { describe, expect, it } from 'vitest'
import { neighboursIn, rarityIn } from '../../../src/core/channels/entity-neighbours'
import type { GraphReader } from '../../../src/core/graph/reader'
import type { Edge } from '../../../src/core/graph/types'
import { chunkOf, nodeId } from '../../../src/core/ids'
import { hybrid } from '../../../src/core/strategies/baselines/hybrid'
import { ppr } from '../../../src/core/strategies/ppr/ppr'
import type { Query, Retrieved } from '../../../src/core/strategy'
import { doc, docs, documentsOf, settingsWith, vectorFor, type World, world } from '../builders/worlds'

const CHAIN = [
  doc('film', 'Angi Vera', 'A drama of 1978. It was directed by Pál Gábor.'),
  doc('man', 'Pál Gábor', 'He was born in Budapest and taught at the Academy.'),
  ...Array.from({ length: 12 }, (_, i) =>
    doc(`n${i}`, `Film ${i}`, `A drama directed by someone born in town ${i}. The director was born there.`),
  ),
]
const QUESTION = 'Where was the director of Angi Vera born?'

const grown = (add = CHAIN): World => {
  const at = world(ppr.builders)
  at.change({ add })
  return at
}
const traced = (
  asked: Retrieved,
): { readonly seeds: readonly { readonly id: string; readonly score: number }[]; readonly fallback?: string } =>
  asked.kind === 'evidence' ? (asked.trace as never) : { seeds: [] }

describe('ppr answers', () => {
  it('[Q480] a passage is found that shares only a name with the one the question describes', () => {
    const at = grown()
    expect(documentsOf(at, at.ask(ppr, QUESTION)).slice(0, 2)).toEqual(['film', 'man'])
    expect(documentsOf(at, at.ask(hybrid, QUESTION)).slice(0, 2)).not.toContain('man')
  })

  it('[Q480] what comes by the walk alone says so', () => {
    const at = grown()
    const asked = at.ask(ppr, 'Who directed Angi Vera?', { vector: false, near: false })
    const man =
      asked.kind === 'evidence' ? asked.found.find((one) => chunkOf(one.id) === at.graph.document('man')?.chunks[0]?.chunk) : undefined
    expect(man?.via).toBe('walk')
  })

  it('[Q481] the mass of all seeds is 1, passages have the share asked for, and the rarer of two names weighs more', () => {
    const at = grown([
      ...CHAIN,
      doc('other', 'Pál Gábor in Rome', 'Pál Gábor saw Pál Gábor.'),
      doc('third', '', 'Angi Vera is dear to me.'),
    ])
    const { seeds } = traced(at.ask(ppr, 'Angi Vera', { own: { passage_weight: 0.25 } }))
    const mass = (kind: string): number => seeds.filter((one) => one.id.startsWith(kind)).reduce((sum, one) => sum + one.score, 0)
    expect(mass('p_')).toBeCloseTo(0.25)
    expect(mass('e_')).toBeCloseTo(0.75)
    const rarity = rarityIn(at.graph)
    expect(rarity.of(nodeId('entity', 'academy'))).toBeGreaterThan(rarity.of(nodeId('entity', 'pál gábor')))
  })

  it('[Q480] where nothing is named and no unit is asked for, keywords and vectors answer and the trace says so', () => {
    const at = grown()
    const asked = at.ask(ppr, 'a drama of some year', { own: { facts: 0 } })
    expect(traced(asked).fallback).toBeDefined()
    expect(documentsOf(at, asked)).toEqual(documentsOf(at, at.ask(hybrid, 'a drama of some year')))
  })

  it('[Q482] entities lead along their relations, from either end', () => {
    const at = grown()
    const [from, to] = [nodeId('entity', 'angi vera'), nodeId('entity', 'budapest')]
    const edge: Edge = { kind: 'relates', source: to, target: from, weight: 3 }
    const graph: GraphReader = Object.create(at.graph, {
      edges: { value: (kind: string, id: string) => (kind === 'relates' && id === from ? [edge] : at.graph.edges(kind as never, id)) },
    })
    const none = {
      of: () => [],
      in: () => [],
      at: () => [],
      entities: () => [],
      covers: () => 0,
      coversSentence: () => 0,
      lacks: () => false,
      mentions: () => [],
      expect: () => {},
    }
    expect(neighboursIn(graph, none, rarityIn(graph))(from)).toEqual([{ id: to, weight: 1 }])
  })

  it('[Q481] begins at the units and names that the index finds, also where no passage found holds them', () => {
    const at = world(ppr.builders, settingsWith(), (text) => vectorFor(text.includes('Zora') ? 'who?' : text))
    at.change({ add: [...docs('far', 14), doc('lantern', '', 'Zora Quill bought a lantern.')] })
    const unit = at.graph.chunk(at.graph.document('lantern')?.chunks[0]?.chunk ?? '')?.units[0]?.id ?? ''
    const zora = nodeId('entity', 'zora quill')
    const beginsAtZora = (near: Query['near'], names: Query['names'] = []): boolean => {
      const query: Query = { text: 'who?', terms: [], vector: vectorFor('who?'), near, names }
      const own = { facts: 20 }
      const asked = ppr.retrieve(at.graph, query, new Map(), { topK: 10, budget: 4000, trace: true, own }, at.settings)
      return traced(asked).seeds.some((one) => one.id === zora)
    }
    expect(beginsAtZora({})).toBe(false)
    expect(beginsAtZora({ unit: [{ id: unit, score: 1 }] })).toBe(true)
    expect(beginsAtZora({}, [{ text: 'Sora Quil', near: [{ id: zora, score: 0.9 }] }])).toBe(true)
  })

  it('[Q21] nothing outside the filter is found, an empty corpus answers nothing, and the order of arrival does not matter', () => {
    const [one, other] = [grown(docs('order', 20)), grown([...docs('order', 20)].reverse())]
    const question = 'Where did Ada Brant take Seven Lanterns from Ulm?'
    expect(one.ask(ppr, question)).toEqual(other.ask(ppr, question))
    const chunk = one.graph.document('order-3')?.chunks[0]?.chunk ?? ''
    const within = one.ask(ppr, question, { admits: (id) => id === chunk })
    expect(within.kind === 'evidence' && within.found.map((hit) => chunkOf(hit.id)).every((id) => id === chunk)).toBe(true)
    expect(world(ppr.builders).ask(ppr, question)).toMatchObject({ found: [] })
  })
})
