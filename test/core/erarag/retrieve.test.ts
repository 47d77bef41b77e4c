/** Answers from the tree: collapsed, detailed and summarised; with vectors and without; never a summary without its passages. */
import { describe, expect, it } from 'vitest'
import { present } from '../../../src/core/evidence'
import { chunkOf } from '../../../src/core/ids'
import { erarag } from '../../../src/core/strategies/erarag/erarag'
import { segmentOf } from '../../../src/core/strategies/erarag/tree'
import type { Options, Query, Retrieved } from '../../../src/core/strategy'
import { distinct, terms } from '../../../src/core/text/terms'
import { cosine } from '../../../src/core/vectors'
import { docs, settingsWith, treeIn, type World, world } from './worlds'

const settings = settingsWith({ min: 3, max: 6 })
const pool = docs('ask', 90)

function settled(writer = false, writing: 'eager' | 'lazy' = 'eager'): World {
  const one = world(settingsWith({ min: 3, max: 6, writing }, writer))
  one.change({ add: pool })
  one.settle()
  return one
}

function queryFor(one: World, text: string, vector?: Int8Array): Query {
  const near = (ids: readonly string[]) =>
    ids
      .flatMap((id) => (vector && one.graph.vector(id) ? [{ id, score: cosine(vector, one.graph.vector(id) ?? vector) }] : []))
      .sort((a, b) => b.score - a.score)
      .slice(0, 40)
  const passages = one.graph.page('chunk', '', 1000).flatMap((id) => one.graph.chunk(id)?.passages.map((span) => span.id) ?? [])
  return {
    text,
    terms: distinct(terms(text)),
    near: vector ? { passage: near(passages), summary: near(treeIn(one.graph).summaries.map((node) => node.id)) } : {},
    ...(vector ? { vector } : {}),
  }
}

function ask(one: World, query: Query, more: Partial<Options> = {}): Extract<Retrieved, { kind: 'evidence' }> {
  const options: Options = { topK: 10, budget: 4000, trace: true, own: {}, ...more }
  const answer = erarag.retrieve(one.graph, query, new Map(), options, settings)
  if (answer.kind !== 'evidence') throw new Error('nothing is reranked here')
  return answer
}

const theme = pool[7]?.vectors.passages[0] as Int8Array
const kinds = (answer: { found: readonly { via: string }[] }): number => answer.found.filter((one) => one.via === 'summary').length

describe('retrieval', () => {
  it('[E28] an empty corpus and an empty question give nothing', () => {
    const one = world(settings)
    expect(ask(one, queryFor(one, 'anything')).found).toEqual([])
    expect(ask(settled(), queryFor(settled(), '')).found).toEqual([])
  })

  it('[E28] the same graph and question give the same answer', () => {
    const one = settled()
    const query = queryFor(one, 'Fact ask 7', theme)
    expect(ask(one, query)).toEqual(ask(one, query))
  })

  it('[E28] every summary leads to passages below it', () => {
    const one = settled()
    const { found } = ask(one, queryFor(one, 'fact theme', theme), { own: { mode: 'summarised', p: 1 } })
    const summaries = found.filter((hit) => hit.via === 'summary')
    expect(summaries.length).toBeGreaterThan(2)
    for (const { id, support = [] } of summaries) {
      expect(support.length).toBeGreaterThan(0)
      for (const passage of support) {
        const above: string[] = []
        for (let at = one.graph.edges('member', chunkOf(passage))[0]; at; at = one.graph.edges('member', at.target)[0])
          above.push(at.target)
        expect(above).toContain(id)
      }
    }
  })

  it('[E43] ranked by cosine the order is that of the vectors, summaries among them; words alone change nothing but where there are no vectors', () => {
    const one = settled()
    const own = { rank: 'cosine' }
    const { found } = ask(one, queryFor(one, 'Fact ask 7', theme), { own })
    expect(found.map(({ id, score }) => [id, score])).toEqual(found.map(({ id }) => [id, cosine(theme, one.graph.vector(id) ?? theme)]))
    const cosines = found.map(({ id }) => cosine(theme, one.graph.vector(id) ?? theme))
    expect(cosines).toEqual([...cosines].sort((a, b) => b - a))
    const ids = (text: string, vector?: Int8Array) => ask(one, queryFor(one, text, vector), { own }).found.map(({ id }) => id)
    expect(ids('theme', theme)).toEqual(ids('sentence', theme))
    expect(ids('Fact ask 55', theme)).not.toEqual(ask(one, queryFor(one, 'Fact ask 55', theme)).found.map(({ id }) => id))
    expect(ids('Fact ask 7')).toEqual(ask(one, queryFor(one, 'Fact ask 7')).found.map(({ id }) => id))
  })

  it('[E28] detailed search with p = 1 shows passages alone, summarised search as many summaries as fit', () => {
    const one = settled()
    const query = queryFor(one, 'fact about theme', theme)
    expect(kinds(ask(one, query, { own: { mode: 'detailed', p: 1 } }))).toBe(0)
    const all = ask(one, query, { own: { mode: 'summarised', p: 1 } })
    expect(all.found.every((hit) => hit.via === 'summary')).toBe(true)
    const shown = present(one.graph, all.found, { topK: 10, budget: 4000 })
    expect(shown.filter((item) => item.kind === 'summary').length).toBe(all.found.length)
  })

  it('[E28] the favoured kind gets ⌊p · k⌋ of the evidence', () => {
    const one = settled()
    const query = queryFor(one, 'fact about theme', theme)
    const counts = [0, 0.3, 0.6, 1].map(
      (p) => ask(one, query, { own: { mode: 'detailed', p } }).found.filter((hit) => hit.via === 'passage').length,
    )
    expect(counts[3]).toBe(10)
    expect(counts[1]).toBe(3)
    expect(counts[2]).toBe(6)
    expect(counts).toEqual([...counts].sort((a, b) => a - b))
  })

  it('[E28] no summary is shown together with half of its children', () => {
    const one = settled()
    for (let i = 0; i < 20; i++) {
      const query = queryFor(one, `fact ask ${i} theme`, pool[i]?.vectors.passages[0])
      const wishes: readonly Options['own'][] = [{}, { mode: 'summarised', p: 0.5 }, { mode: 'detailed', p: 0.5 }]
      for (const own of wishes) {
        const { found } = ask(one, query, { topK: 30, budget: 100_000, own })
        const shown = new Set(found.flatMap((hit) => [hit.id, chunkOf(hit.id), ...(hit.support?.[0] ? [chunkOf(hit.support[0])] : [])]))
        for (const hit of found.filter((one) => one.via === 'summary')) {
          const node = one.graph.node(hit.id)
          const members = node ? segmentOf(node).members : []
          expect(members.filter((id) => shown.has(id)).length * 2).toBeLessThan(members.length)
        }
      }
    }
  })

  it('[E43] without vectors it works by words, summaries included', () => {
    const one = settled()
    const { found } = ask(one, queryFor(one, 'fact ask 7 theme'), { own: { mode: 'summarised' } })
    expect(kinds({ found })).toBeGreaterThan(0)
    expect(found.filter((hit) => hit.via === 'passage').length).toBeGreaterThan(0)
  })

  it('[E28] the budget holds, and what does not fit is passed over', () => {
    const one = settled()
    const { found } = ask(one, queryFor(one, 'fact theme', theme), { budget: 60 })
    const shown = present(one.graph, found, { topK: 10, budget: 60 })
    expect(shown.length).toBeGreaterThan(1)
    expect(shown.reduce((sum, item) => sum + item.tokens, 0)).toBeLessThanOrEqual(60)
    expect(shown.length).toBeGreaterThanOrEqual(found.length)
  })

  it('[E43] under a filter nothing comes from outside it, summaries included', () => {
    const one = settled()
    const some = new Set(pool.slice(0, 20).map((doc) => doc.chunk.id))
    const query = { ...queryFor(one, 'fact theme', theme), admits: (chunk: string) => some.has(chunk) }
    const { found } = ask(one, query, { own: { mode: 'summarised' }, topK: 40 })
    expect(found.length).toBeGreaterThan(0)
    for (const hit of found) if (hit.via === 'passage') expect(some.has(chunkOf(hit.id))).toBe(true)
    for (const hit of found) for (const id of hit.support ?? []) expect(some.has(chunkOf(id))).toBe(true)
  })

  it('[E28] the trace names the layers and the stale summaries', () => {
    const one = settled(true, 'lazy')
    one.change({ add: docs('late', 1) })
    const { trace } = ask(one, queryFor(one, 'fact theme', theme))
    const told = trace as { layers: { layer: number; count: number }[]; stale: { waiting: { id: string; text: string }[] } }
    expect(told.layers.map((one) => one.count)).toEqual(treeIn(one.graph).layers.map((ids) => ids.length))
    const stale = treeIn(one.graph).summaries.filter((node) => node.stale)
    expect(told.stale.waiting.map((one) => one.id).sort()).toEqual(stale.map((node) => node.id).sort())
    expect(stale.length).toBeGreaterThan(0)
  })

  it('[E28] options that are none are passed over', () => {
    const one = settled()
    const query = queryFor(one, 'fact theme', theme)
    expect(ask(one, query, { own: { mode: 'sideways', p: 7 } }).found).toEqual(ask(one, query).found)
  })
})
