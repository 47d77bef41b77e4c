/** Answering from all layers: what is found, what supports it, and what must not be shown. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { direct, upToLayer } from '../../../bench/variants/archrag'
import { descend } from '../../../src/core/algorithms/c-hnsw-search'
import { present } from '../../../src/core/evidence'
import { chunkOf, kindOf } from '../../../src/core/ids'
import { archrag } from '../../../src/core/strategies/archrag/archrag'
import { archBuilder } from '../../../src/core/strategies/archrag/build'
import { communityOf } from '../../../src/core/strategies/archrag/community'
import { entityVector } from '../../../src/core/strategies/archrag/entities'
import { isLinking } from '../../../src/core/strategies/archrag/linking'
import { rowsIn } from '../../../src/core/strategies/archrag/rows'
import type { ArchSettings } from '../../../src/core/strategies/archrag/settings'
import type { Found, Query, Strategy } from '../../../src/core/strategy'
import { distinct, terms } from '../../../src/core/text/terms'
import { until } from '../until'
import { communitiesIn, docs, faults, settingsWith, vectorFor, type World, world } from './worlds'

const pool = docs('pool', 90)
const built = (arch: Partial<ArchSettings> = {}, writer = false): World => {
  const one = world(settingsWith({ max: 8, min: 2, ...arch }, writer))
  one.change({ add: pool })
  one.settle()
  return one
}
const plain = built()

/** What the schedule does. */
function consolidated(one: World): void {
  one.take(archBuilder.consolidate?.(one.graph, one.settings) ?? { patch: [], tasks: [] })
  one.settle()
}

interface Own {
  readonly [key: string]: string | number | boolean
}

function queryOf(text: string, more: Partial<Query> = {}): Query {
  return { text, terms: distinct(terms(text)), near: {}, vector: vectorFor(text), ...more }
}

function ask(
  { graph, settings }: World,
  query: Query,
  own: Own = {},
  strategy = archrag,
): { found: readonly Found[]; trace: { found: { layer: number }[]; searched: string } } {
  const out = strategy.retrieve(graph, query, new Map(), { topK: 12, budget: 4000, trace: true, own }, settings)
  if (out.kind !== 'evidence') throw new Error('wanted a reranker')
  return { found: out.found, trace: out.trace as never }
}

const questions = fc.constantFrom(
  'What stood beside Belaavon?',
  'matter of Corbbrook and Dancavon',
  'everything',
  'Halfcrest',
  'nothing known of this',
)

describe('archrag', () => {
  it('[A20] every layer is searched by default, and each switch does what the paper calls it', () => {
    const layers = (strategy = archrag): number[] =>
      ask(plain, queryOf('What stood beside Belaavon?'), {}, strategy).trace.found.map((one) => one.layer)
    const top = Math.max(...communitiesIn(plain.graph).map((node) => node.layer))
    expect(layers()).toEqual(Array.from({ length: top + 1 }, (_, i) => i))
    expect(layers(upToLayer(1))).toEqual([0, 1])
    expect(layers(upToLayer(0))).toEqual([0])
  })

  it('[A21] every piece of evidence leads to a passage that lies below it', () => {
    fc.assert(
      fc.property(
        questions,
        fc.constantFrom<[Own, Strategy]>([{}, archrag], [{}, direct], [{ passages: false }, archrag], [{ around: false, k: 10 }, archrag]),
        (text, [own, strategy]) => {
          const { graph } = plain
          const { found } = ask(plain, queryOf(text), own, strategy)
          for (const { id, support = [] } of found) {
            if (kindOf(id) === 'passage') continue
            expect(support.length).toBeGreaterThan(0)
            const entities = new Set(below(id))
            for (const passage of support) expect(mentionedIn(passage).some((entity) => entities.has(entity))).toBe(true)
          }
          for (const item of present(graph, found, { topK: 12, budget: 4000 })) {
            if (item.document !== null) expect(graph.chunk(item.chunk ?? '')?.text.slice(item.start ?? 0, item.end ?? 0)).toBe(item.text)
          }
        },
      ),
      { seed: 81, numRuns: 40 },
    )
  })

  it('[A21] an entity the question names is found, and so are its communities and its passages, without any vector', () => {
    const { vector: _, ...lexical } = queryOf('What stood beside Belaavon?')
    const { found } = ask(plain, lexical)
    expect(plain.graph.text(found.find((one) => kindOf(one.id) === 'passage')?.id ?? '')?.text).toContain('Belaavon')
    expect(found.some((one) => kindOf(one.id) === 'community')).toBe(true)
  })

  it('[A23] what the caller may not see is neither shown nor summarised', () => {
    fc.assert(
      fc.property(questions, fc.integer({ min: 2, max: 9 }), (text, share) => {
        const allowed = new Set(plain.graph.page('chunk', '', 1000).filter((_, i) => i % share === 0))
        const { found } = ask(plain, queryOf(text, { admits: (chunk) => allowed.has(chunk) }))
        for (const { id, support = [] } of found) {
          if (kindOf(id) === 'passage') expect(allowed.has(chunkOf(id))).toBe(true)
          for (const passage of support) expect(allowed.has(chunkOf(passage))).toBe(true)
          const node = plain.graph.node(id)
          if (node?.kind === 'community') for (const chunk of communityOf(node).from) expect(allowed.has(chunk)).toBe(true)
        }
      }),
      { seed: 82, numRuns: 20 },
    )
  })

  it('[A24] links find nearly what comparing everything finds', () => {
    const linked = built({ exact: 20, links: 8 })
    until(
      () => !isLinking(linked.graph),
      () => consolidated(linked),
    )
    const ids = (one: World, text: string): string[] =>
      ask(one, queryOf(text), { passages: false }).trace.found.flatMap((layer) =>
        (layer as never as { best: { id: string }[] }).best.map((hit) => hit.id),
      )
    let same = 0
    let all = 0
    for (let i = 0; i < 20; i++) {
      const exact = ids(plain, `question ${i}`)
      const found = new Set(ids(linked, `question ${i}`))
      same += exact.filter((id) => found.has(id)).length
      all += exact.length
    }
    expect(ask(linked, queryOf('question')).trace.searched).toBe('links')
    expect(same / all).toBeGreaterThan(0.9)
  })

  const PIECE = 32

  it('[A24] a corpus that grows large is linked a slice at a time, and until then every question compares all', () => {
    const [one, other] = [140, 4000].map((exact) => world(settingsWith({ max: 8, min: 2, exact, links: 8, piece: PIECE }))) as [
      World,
      World,
    ]
    const [first = 0] = docs('large', 200).flatMap((late, at) => {
      if (isLinking(one.graph)) return []
      for (const each of [one, other]) each.change({ add: [late], pieces: false })
      return isLinking(one.graph) ? [at] : []
    })
    expect(first).toBeGreaterThan(0)
    for (const each of [one, other]) each.settle()
    const count = (): number =>
      rowsIn(one.graph)
        .ids(0)
        .filter((id) => rowsIn(one.graph).read(0, id)?.links.length).length
    expect(isLinking(one.graph)).toBe(true)
    expect(ask(one, queryOf('question')).trace.searched).toBe('all')
    expect(ask(one, queryOf('question')).found).toEqual(ask(other, queryOf('question')).found)
    for (let pieces = 0; isLinking(one.graph); pieces++) {
      const before = count()
      one.take(archBuilder.processBacklog?.(one.graph, one.settings) ?? { patch: [], tasks: [] })
      if (pieces === 1) one.change({ add: docs('late', 3), pieces: false })
      one.settle()
      expect([faults(one), count() - before <= 2 * PIECE, pieces < 30]).toEqual([[], true, true])
    }
    expect([count(), ask(one, queryOf('question')).trace.searched]).toEqual([one.graph.count('entity'), 'links'])
    for (const layer of [1, 2]) for (const id of rowsIn(one.graph).ids(layer)) expect(rowsIn(one.graph).read(layer, id)?.down).toBeDefined()
  })

  it('[A24] a vector that turns a little keeps its place, with the links it has, and is found as it is now', () => {
    const one = built({ exact: 20, links: 8 })
    until(
      () => !isLinking(one.graph),
      () => consolidated(one),
    )
    for (const late of docs('more', 60)) one.change({ add: [late] })
    one.settle()
    const rows = rowsIn(one.graph)
    const turned = rows.ids(0).filter((id) => (rows.read(0, id)?.turned ?? 0) > 0)
    expect(turned.length).toBeGreaterThan(0)
    for (const id of rows.ids(0)) expect(rows.read(0, id)?.vector).toEqual(entityVector(one.graph, id))
    for (const id of turned) expect(rows.read(0, id)?.turned).toBeLessThanOrEqual(30)
    const found = turned.filter((id) => descend(rows, rows.read(0, id)?.vector ?? new Int8Array(), 0, 16).some((hit) => hit.id === id))
    expect(found.length / turned.length).toBeGreaterThan(0.95)
  })

  it('[A21] the same graph gives the same answer, and nothing is made up: all text is the corpus’s or a report’s', () => {
    for (const text of ['What stood beside Belaavon?', 'everything']) {
      expect(ask(plain, queryOf(text))).toEqual(ask(plain, queryOf(text)))
      const items = present(plain.graph, ask(plain, queryOf(text)).found, { topK: 12, budget: 4000 })
      const corpus = pool.map((one) => one.chunk.text).join('\n')
      for (const item of items) if (item.kind !== 'community') expect(corpus).toContain(item.text)
    }
  })

  it('[A21] an empty corpus answers with nothing', () => {
    expect(ask(world(settingsWith({})), queryOf('anything')).found).toEqual([])
  })
})

function below(id: string): readonly string[] {
  const node = plain.graph.node(id)
  return node?.kind === 'community' ? communityOf(node).members.flatMap(below) : [id]
}

function mentionedIn(passage: string): string[] {
  return plain.graph
    .page('entity', '', 10_000)
    .filter((entity) => plain.graph.edgesTo('mentions', entity).some((edge) => edge.source === chunkOf(passage)))
}
