/** C-HNSW: what holds of the links after any changes, and how much of the exact answer is found for how many distances. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { insert, remove } from '../../../src/core/algorithms/c-hnsw'
import type { Linked } from '../../../src/core/algorithms/c-hnsw-layers'
import { type Counter, descend, hierarchical, nearness } from '../../../src/core/algorithms/c-hnsw-search'
import { type Random, random } from '../../../src/core/random'
import { quantize } from '../../../src/core/vectors'
import { type Index, index } from './layered'

function exact(one: Index, layer: number, vector: Int8Array, k: number): string[] {
  return [...(one.maps[layer] ?? [])]
    .map(([id, node]) => ({ id, score: nearness(vector, node.vector) }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, k)
    .map((hit) => hit.id)
}

/** What must hold of every layer, as complaints. */
function faults(one: Index): string[] {
  return one.maps.flatMap((map, layer) => [
    ...[...map].flatMap(([id, node]) => faultsOf(one, layer, id, node)),
    ...piecesOf(one, map, layer),
  ])
}

function faultsOf(one: Index, layer: number, id: string, node: Linked): string[] {
  const below = node.down === undefined ? undefined : one.maps[layer - 1]?.get(node.down)
  const wanted = layer > 0 && (one.maps[layer - 1]?.size ?? 0) > 0
  return [
    ...node.links.filter((other) => !one.maps[layer]?.get(other)?.links.includes(id)).map((other) => `${id} – ${other} goes one way`),
    ...(node.links.includes(id) || new Set(node.links).size < node.links.length ? [`${id} links to itself or twice`] : []),
    ...(wanted === (below !== undefined) ? [] : [`${id} has no right link down`]),
    ...(below && !below.ups.includes(id) ? [`${node.down} does not know ${id}`] : []),
    ...node.ups.filter((up) => one.maps[layer + 1]?.get(up)?.down !== id).map((up) => `${up} does not point to ${id}`),
  ]
}

function piecesOf(one: Index, map: ReadonlyMap<string, Linked>, layer: number): string[] {
  const [first] = map.keys()
  const seen = new Set(first === undefined ? [] : [first])
  for (const id of seen) for (const other of map.get(id)?.links ?? []) seen.add(other)
  return [
    ...(seen.size < map.size ? [`layer ${layer} is in pieces`] : []),
    ...(map.size > 0 && !map.has(one.entry(layer) ?? '') ? [`layer ${layer} has no entry`] : []),
  ]
}

const normals = (numbers: Random, dimensions: number, spread: number): number[] =>
  Array.from({ length: dimensions }, () => numbers.normal() * spread)
const small = { links: 3, candidates: 8 } as const

describe('links', () => {
  it('[A6] after any insertions and deletions every layer is connected, links go both ways, and every node points down', () => {
    const numbers = random('pool')
    const pool = Array.from({ length: 60 }, (_, i) => quantize(normals(numbers, 6, i % 7 === 0 ? 0 : 1)))
    const step = fc.tuple(fc.boolean(), fc.nat(2), fc.nat(59))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
        const one = index()
        // Layers from the bottom up: an upper layer is only there over a lower one.
        for (let layer = 0; layer < 3; layer++) insert(one, layer, `first ${layer}`, pool[layer] as Int8Array, small)
        for (const [coming, layer, at] of steps) {
          if (coming) insert(one, layer, `n${layer}-${at}`, pool[at] as Int8Array, small)
          else remove(one, layer, `n${layer}-${at}`, small)
        }
        expect(faults(one)).toEqual([])
      }),
      { seed: 65, numRuns: 60 },
    )
  })

  it('[A6] the link down is the nearest node below, where the search sees all of them', () => {
    const numbers = random('down')
    const one = index()
    for (let i = 0; i < 12; i++) insert(one, 1, `up${i}`, quantize(normals(numbers, 6, 1)), { links: 3, candidates: 64 })
    for (let i = 0; i < 50; i++) insert(one, 0, `n${i}`, quantize(normals(numbers, 6, 1)), { links: 3, candidates: 64 })
    for (let i = 0; i < 20; i++) remove(one, 0, `n${i}`, { links: 3, candidates: 64 })
    for (const [, node] of one.maps[1] ?? []) expect(node.down).toBe(exact(one, 0, node.vector, 1)[0])
  })

  it('[A6] an emptied index holds nothing, and can be filled again', () => {
    const numbers = random('empty')
    const one = index()
    for (let i = 0; i < 30; i++) insert(one, 0, `n${i}`, quantize(normals(numbers, 6, 1)), small)
    for (let i = 0; i < 30; i++) remove(one, 0, `n${i}`, small)
    expect([one.maps[0]?.size, one.entry(0), descend(one, new Int8Array(6), 0, 5)]).toEqual([0, undefined, []])
    insert(one, 0, 'again', quantize(normals(numbers, 6, 1)), small)
    expect(descend(one, quantize(normals(numbers, 6, 1)), 0, 5).map((hit) => hit.id)).toEqual(['again'])
  })
})

describe('10,000 clustered vectors', () => {
  const D = 24
  const N = 10_000
  const shape = { links: 10, candidates: 32 }
  const numbers = random('clusters')
  const tops = Array.from({ length: 20 }, () => normals(numbers, D, 1))
  const centres = Array.from({ length: 200 }, (_, i) =>
    normals(numbers, D, 0.9).map((x, d) => x + ((tops[i % 20] as number[])[d] as number)),
  )
  const leaf = (i: number): Int8Array => quantize(normals(numbers, D, 0.8).map((x, d) => x + ((centres[i % 200] as number[])[d] as number)))
  const one = index()

  beforeAll(() => {
    tops.forEach((vector, i) => {
      insert(one, 2, `t${i}`, quantize(vector), shape)
    })
    centres.forEach((vector, i) => {
      insert(one, 1, `c${i}`, quantize(vector), shape)
    })
    for (let i = 0; i < N; i++) insert(one, 0, `e${i}`, leaf(i), shape)
  })

  /** Of 60 questions: mean recall@10 in each layer, and mean distances as a share of the lowest. */
  function measured(ef: number): { readonly recall: readonly number[]; readonly share: number } {
    const asking = random('questions')
    const recall = [0, 0, 0]
    let distances = 0
    for (let i = 0; i < 60; i++) {
      const centre = centres[asking.below(200)] as number[]
      const question = quantize(centre.map((x) => x + 0.8 * asking.normal()))
      const counters: Counter[] = []
      const found = hierarchical(one, question, 10, ef, counters)
      for (let layer = 0; layer < 3; layer++) {
        const ids = new Set(found[layer]?.map((hit) => hit.id))
        recall[layer] = (recall[layer] ?? 0) + exact(one, layer, question, 10).filter((id) => ids.has(id)).length / 10 / 60
      }
      distances += (counters[0]?.distances ?? 0) / 60
    }
    return { recall, share: distances / (one.maps[0]?.size ?? 1) }
  }

  function good(): void {
    const { recall, share } = measured(64)
    for (const layer of recall) expect(layer).toBeGreaterThanOrEqual(0.95)
    expect(share).toBeLessThanOrEqual(0.1)
  }

  it('[A9] recall@10 of every layer is at least .95 for distances to at most a tenth of the lowest', () => {
    good()
  })

  it('[A9] it stays so when 30 % of the nodes have gone and as many have come', () => {
    for (const id of random('leaving')
      .shuffle([...(one.maps[0]?.keys() ?? [])])
      .slice(0, 0.3 * N))
      remove(one, 0, id, shape)
    for (let i = 0; i < 0.3 * N; i++) insert(one, 0, `new${i}`, leaf(i), shape)
    expect(faults(one)).toEqual([])
    good()
  })
})
