/** Clustering again round about a change: as good by the whole graph's measure as nodes can make it one by one, whatever is cut out. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { leiden } from '../../../src/core/algorithms/leiden'
import { nearness } from '../../../src/core/algorithms/nearness'
import { weightedGraph } from '../../../src/core/algorithms/weighted-graph'
import { random } from '../../../src/core/random'
import { clusterAnew } from '../../../src/core/strategies/archrag/build'
import { parentOf, stateOf } from '../../../src/core/strategies/archrag/clustering-state'
import { communityOf } from '../../../src/core/strategies/archrag/community'
import { drift } from '../../../src/core/strategies/archrag/drift'
import { rowsIn } from '../../../src/core/strategies/archrag/rows'
import { compareMembers, isLarge } from '../../../src/core/strategies/archrag/search'
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
  let shared = 0
  for (let i = 0; i < 40; i++) {
    const ids = rows.ids(0)
    const vector = rows.read(0, ids[numbers.below(ids.length)] ?? '')?.vector ?? fail('no vector')
    const best = (layer: number, k: number): { id: string; score: number }[] =>
      rows
        .ids(layer)
        .map((id) => ({ id, score: nearness(vector, rows.read(layer, id)?.vector ?? new Int8Array(D)) }))
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
        .slice(0, k)
    const found = new Set(compareMembers(one.graph, rows, vector, { above: best(1, 96), k: 10, counters: [] }).map(({ id }) => id))
    shared += best(0, 10).filter(({ id }) => found.has(id)).length
  }
  expect(shared / 400).toBeGreaterThan(0.9)
})

it('[A263] an asker who may not see all is compared with every entity, so that what is hidden moves nothing', () => {
  const of = (isPartial: boolean, entities: number) => isLarge({ isPartial, count: () => entities })
  expect([of(false, 8000), of(false, 8001), of(true, 8001)]).toEqual([false, true, false])
})

function fail(what: string): never {
  throw new Error(what)
}
