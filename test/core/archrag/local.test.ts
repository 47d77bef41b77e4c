/** Clustering again round about a change: as good by the whole graph's measure as nodes can make it one by one, whatever is cut out. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Counter } from '../../../src/core/algorithms/c-hnsw-search'
import { leiden } from '../../../src/core/algorithms/leiden'
import { nearness } from '../../../src/core/algorithms/nearness'
import { weightedGraph } from '../../../src/core/algorithms/weighted-graph'
import { mentionsOf } from '../../../src/core/builders/mention-list'
import { draftOf } from '../../../src/core/graph/draft'
import { random } from '../../../src/core/random'
import { clusterAnew } from '../../../src/core/strategies/archrag/build'
import { clusteringOf, keepState, parentOf, sizeOf, stateOf } from '../../../src/core/strategies/archrag/clustering-state'
import { communityOf } from '../../../src/core/strategies/archrag/community'
import { drift } from '../../../src/core/strategies/archrag/drift'
import { mayGroupWhole } from '../../../src/core/strategies/archrag/grow'
import { rowsIn } from '../../../src/core/strategies/archrag/rows'
import { compareBeside, compareDown, isBeyondSight, isLarge } from '../../../src/core/strategies/archrag/search'
import { settleState } from '../../../src/core/strategies/archrag/similarity-links'
import { anyGraph } from '../algorithms/graphs'
import { communitiesIn, D, doc, docs, settingsWith, sparse, vectorFor, type World, world } from './worlds'

const TWICE = 5000 // weight of the whole graph, of which a few nodes are cut out

it('[A2] of a part cut out of a large graph, moving a node gains nothing by the large graph’s measure, wherever it began', () => {
  fc.assert(
    fc.property(anyGraph({ size: 20, edges: 50 }, fc.integer({ min: 1, max: 9 })), (one) => {
      const graph = weightedGraph(one.size, one.edges)
      const strengths = new Float64Array(one.size)
      for (const { u, v, weight } of one.edges) for (const end of [u, v]) strengths[end] = (strengths[end] ?? 0) + weight
      // Where the part alone is best divided: as its communities were before they met.
      const start = leiden(graph, { seed: 1, max: one.size })
      const found = leiden(graph, { seed: 1, max: one.size, whole: { strengths, twice: TWICE }, start })
      const quality = (home: Int32Array): number => {
        const totals = new Map<number, number>()
        home.forEach((own, u) => {
          totals.set(own, (totals.get(own) ?? 0) + (strengths[u] ?? 0))
        })
        const inside = one.edges.reduce((sum, { u, v, weight }) => sum + (home[u] === home[v] ? 2 * weight : 0), 0)
        return inside - [...totals.values()].reduce((sum, total) => sum + total ** 2, 0) / TWICE
      }
      for (let u = 0; u < one.size; u++) {
        for (const into of new Set(found)) {
          const other = found.slice()
          other[u] = into
          expect(quality(other)).toBeLessThanOrEqual(quality(found) + 1e-6)
        }
      }
    }),
    { seed: 66, numRuns: 100 },
  )
})

it('[A18] a corpus that has outgrown the state it was clustered with is due, and is not once it was clustered anew', () => {
  const settings = settingsWith({ max: 8, min: 2 })
  const one = world(settings)
  const pool = docs('pool', 30)
  for (const each of pool) one.change({ add: [each] })
  expect(drift(one.graph, { ...settings.archrag, drift: 1 }).due).toBe(true)
  one.take(clusterAnew(one.graph, settings))
  expect(drift(one.graph, { ...settings.archrag, drift: 1 }).due).toBe(false)
})

it('[A18] grown a document at a time, each layer has about as many communities as when it is built at once', () => {
  const settings = settingsWith({})
  const [grown, built] = [world(settings), world(settings)]
  const pool = sparse(200)
  for (const each of pool) grown.change({ add: [each] })
  built.change({ add: pool })
  const counts = ({ graph }: World): number[] => [1, 2, 3].map((layer) => graph.count('community', layer))
  const [one, other] = [counts(grown), counts(built)]
  expect(other[1]).toBeGreaterThan(0)
  one.forEach((count, i) => {
    expect(count).toBeLessThanOrEqual(1.3 * (other[i] ?? 0) + 1)
  })
})

it('[A2363] when a layer of communities has doubled, only those that arrive are linked anew; those that were there keep their links', () => {
  const one = world(settingsWith({}))
  const linksAmong = (ids: ReadonlySet<string>): Set<string> => {
    const rows = rowsIn(one.graph)
    return new Set(
      [...ids].flatMap((id) => (rows.read(1, id)?.near ?? []).filter((other) => ids.has(other)).map((other) => `${id} ${other}`)),
    )
  }
  const pool = sparse(160)
  one.change({ add: pool.slice(0, 60) })
  let doubled = 0
  for (const each of pool.slice(60)) {
    const before = new Set(rowsIn(one.graph).ids(1))
    const links = linksAmong(before)
    const size = stateOf(one.graph, 1)?.size
    one.change({ add: [each] })
    if (stateOf(one.graph, 1)?.size === size) continue
    doubled++
    expect([...linksAmong(before)].filter((link) => !links.has(link))).toEqual([])
  }
  expect(doubled).toBeGreaterThan(0)
})

it('[A11] an entity whose neighbour has gone, or whose one relation has, finds another home', () => {
  const one = world(settingsWith({ max: 40 }))
  one.change({ add: docs('pool', 60) })
  const said = (id: string, text: string) => doc(id, [text], [vectorFor('alike')])
  const pair = said('pair', 'Here stood Yundland beside Wexford.')
  one.change({ add: [pair, said('alone', 'There stood Yundland.')] })
  one.change({ remove: [pair] })
  expect(mates(one, 'Yundland')).toBeGreaterThan(1)
})

function mates({ graph }: World, name: string): number {
  const id = graph.page('entity', '', 1000).find((entity) => graph.node(entity)?.text === name) ?? ''
  const home = graph.node(parentOf(graph, id) ?? '')
  return home ? communityOf(home).members.length : 0
}

it('[A260] a community that keeps most of its members keeps its name, and what one document writes does not grow with the corpus', () => {
  const one = world(settingsWith({}))
  const pool = sparse(160)
  const written: number[] = []
  for (const each of pool) {
    const before = new Map(communitiesIn(one.graph).map((node) => [node.id, new Set(communityOf(node).members)]))
    written.push(one.change({ add: [each] }).patch.length)
    for (const { id, data } of communitiesIn(one.graph)) {
      const members = data.members as string[]
      const [same] = [...before].filter(([, known]) => {
        const shared = members.filter((member) => known.has(member)).length
        return 2 * shared > known.size && 2 * shared > members.length
      })
      if (same) expect(id).toBe(same[0])
    }
  }
  const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1] ?? 0
  expect(median(written.slice(120))).toBeLessThanOrEqual(1.5 * median(written.slice(20, 60)))
})

it('[A262] without a text model an extract stands until its community has grown by half or what it repeats has gone', () => {
  const one = world(settingsWith({}))
  const said = (id: string, text: string) => doc(id, [text], [vectorFor('alike')])
  const names = ['Wexford', 'Yundland', 'Zorland', 'Vimland', 'Quorland']
  one.change({ add: names.slice(1).map((name, i) => said(`d${i}`, `Here stood Wexford beside ${name}.`)) })
  const report = () => communitiesIn(one.graph).find((node) => node.layer === 1 && communityOf(node).members.length > 3)
  const before = report()?.text
  one.change({ add: [said('e', 'Here stood Wexford beside Ulmland.')] })
  expect([report()?.text, report()?.stale]).toEqual([before, undefined])
  expect(communityOf(report() ?? fail('no report')).members.length).toBe(names.length + 1)
  one.change({ add: ['Tarland', 'Sorland', 'Rimland'].map((name, i) => said(`f${i}`, `Here stood Wexford beside ${name}.`)) })
  expect(report()?.text).not.toBe(before)
  one.change({ remove: [said('d0', 'Here stood Wexford beside Yundland.')] })
  expect(communitiesIn(one.graph).some((node) => node.text.includes('Yundland'))).toBe(false)
})

it('[A263] what is near an entity is found by way of the communities, of a corpus too large to compare all: nearly what comparing all finds', () => {
  const one = world(settingsWith({}))
  one.change({ add: sparse(300) })
  const rows = rowsIn(one.graph)
  const numbers = random('asked')
  const shared: number[] = []
  let compared = 0
  for (let i = 0; i < 40; i++) {
    const ids = rows.ids(0)
    const vector = rows.read(0, ids[numbers.below(ids.length)] ?? '')?.vector ?? fail('no vector')
    const best = (layer: number): string[] =>
      rows
        .ids(layer)
        .map((id) => ({ id, score: nearness(vector, rows.read(layer, id)?.vector ?? new Int8Array(D)) }))
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
        .slice(0, 10)
        .map(({ id }) => id)
    const counters: Counter[] = []
    const found = compareDown(one.graph, rows, vector, { wide: 10, counters, whole: 20 })
    for (const layer of [0, 1]) {
      const near = new Set(found[layer]?.map(({ id }) => id))
      shared[layer] = (shared[layer] ?? 0) + best(layer).filter((id) => near.has(id)).length
    }
    compared += counters[0]?.distances ?? 0
  }
  expect(rows.top()).toBeGreaterThan(1) // so that communities, too, are found by those above them
  expect(compared / 40).toBeLessThan(rows.ids(0).length)
  expect(Math.min(...shared) / 400).toBeGreaterThan(0.9)
})

it('[A263] an asker who may not see all is compared with every entity, so that what is hidden moves nothing', () => {
  const of = (isPartial: boolean, entities: number) => isLarge({ isPartial, count: () => entities }, 0)
  expect([of(false, 8000), of(false, 8001), of(true, 8001)]).toEqual([false, true, false])
})

it('[A2460] beyond that, such an asker’s question is compared with what the passages near it name and the communities above, and with nothing else', () => {
  const of = (isPartial: boolean, entities: number) => isBeyondSight({ isPartial, count: () => entities })
  expect([of(true, 20_000), of(true, 20_001), of(false, 20_001)]).toEqual([false, true, false])
  const one = world(settingsWith({}))
  one.change({ add: sparse(120) })
  const { graph } = one
  const chunk = graph.page('chunk', '', 10)[7] ?? fail('no chunk')
  const passage = graph.chunk(chunk)?.passages[0]?.id ?? fail('no passage')
  const vector = graph.vector(passage) ?? fail('no vector')
  const query = {
    text: '',
    terms: [],
    vector,
    near: {
      passage: [
        { id: passage, score: 1 },
        { id: 'c_gone#0', score: 1 },
      ],
    },
  }
  const named = mentionsOf(graph, chunk).map(({ entity }) => entity)
  const counters: Counter[] = []
  const [entities = [], communities = []] = compareBeside(graph, rowsIn(graph), query, vector, { wide: 100, counters })
  expect(entities.map(({ id }) => id).sort()).toEqual([...named].sort())
  expect(new Set(communities.map(({ id }) => id))).toEqual(new Set(named.map((id) => parentOf(graph, id))))
  expect(entities.map(({ score }) => score)).toEqual(entities.map(({ score }) => score).sort((a, b) => b - a))
  expect(counters[0]?.distances).toBe(named.length)
})

it('[A2461] what a large layer is linked with is taken from a part of it that is drawn evenly, and no large layer is grouped again at once', () => {
  const settings = settingsWith({})
  const one = world(settings)
  one.change({ add: sparse(300) })
  const draft = draftOf(one.graph)
  const whole = stateOf(draft, 0) ?? fail('no state')
  const clustering = clusteringOf(draft, settings.archrag, false)
  const read = new Set<string>()
  const rows = {
    ...clustering.rows,
    ids: () => fail('the whole layer is read'),
    read: (layer: number, id: string) => {
      read.add(id)
      return clustering.rows.read(layer, id)
    },
  }
  keepState(draft, 0, undefined)
  expect(settleState({ ...clustering, rows }, 0, 100)).toBe(true)
  const part = stateOf(draft, 0) ?? fail('no state')
  expect(part.size).toBe(sizeOf({ draft }, 0))
  expect(read.size).toBeLessThan(part.size) // the sample and what it is related to
  expect(Math.abs(part.threshold - whole.threshold)).toBeLessThan(0.1)
  expect(Math.abs(part.cap - whole.cap)).toBeLessThanOrEqual(1)
  expect([mayGroupWhole(0, 10), mayGroupWhole(1, 4096), mayGroupWhole(1, 4097)]).toEqual([false, true, false])
})

function fail(what: string): never {
  throw new Error(what)
}
