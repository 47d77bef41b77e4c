/** Communities by Leiden, against a naive modularity, graphology's Louvain, and what must hold of every graph. */
import fc from 'fast-check'
import { UndirectedGraph } from 'graphology'
import louvain from 'graphology-communities-louvain'
import { describe, expect, it } from 'vitest'
import { adoptSingletons } from '../../../src/core/algorithms/adopt-singletons'
import { connectedParts, countOf } from '../../../src/core/algorithms/connected-parts'
import { leiden } from '../../../src/core/algorithms/leiden'
import { modularity } from '../../../src/core/algorithms/modularity'
import { type WeightedEdge, type WeightedGraph, weightedGraph } from '../../../src/core/algorithms/weighted-graph'
import { random } from '../../../src/core/random'
import { anyGraph, type Given } from './graphs'

const given = anyGraph({ size: 40, edges: 120 }, fc.integer({ min: 1, max: 9 }))

/** Planted communities: most edges inside, a few between. */
function planted(seed: string, groups: number, each: number): Given {
  const numbers = random(seed)
  const pairs = new Map<string, WeightedEdge>()
  for (let u = 0; u < groups * each; u++) {
    const home = Math.floor(u / each)
    for (let i = 0; i < 5; i++) {
      const inside = numbers.next() < 0.85
      const v = inside ? home * each + numbers.below(each) : numbers.below(groups * each)
      if (u !== v) pairs.set(`${Math.min(u, v)} ${Math.max(u, v)}`, { u: Math.min(u, v), v: Math.max(u, v), weight: 0.5 + numbers.next() })
    }
  }
  return { size: groups * each, edges: [...pairs.values()] }
}

/** Σ over all pairs, straight from the definition. */
function naive({ size, edges }: Given, communities: Int32Array): number {
  const strength = new Float64Array(size)
  const total = edges.reduce((sum, { u, v, weight }) => {
    strength[u] = (strength[u] as number) + weight
    strength[v] = (strength[v] as number) + weight
    return sum + 2 * weight
  }, 0)
  if (total === 0) return 0
  let q = 0
  for (let u = 0; u < size; u++)
    for (let v = 0; v < size; v++)
      if (communities[u] === communities[v]) q -= ((strength[u] as number) * (strength[v] as number)) / total / total
  for (const { u, v, weight } of edges) if (communities[u] === communities[v]) q += (2 * weight) / total
  return q
}

function louvainOf({ size, edges }: Given): Int32Array {
  const graph = new UndirectedGraph()
  for (let u = 0; u < size; u++) graph.addNode(String(u))
  for (const { u, v, weight } of edges) graph.addEdge(String(u), String(v), { weight })
  const numbers = random('louvain')
  const found = louvain(graph, { rng: () => numbers.next() })
  return Int32Array.from({ length: size }, (_, u) => found[String(u)] ?? 0)
}

/** Louvain again and again inside whatever is too large. */
function louvainSplit(all: Given, max: number): Int32Array {
  const out = new Int32Array(all.size)
  let next = 0
  const divide = (nodes: readonly number[]): void => {
    if (nodes.length <= max) {
      for (const u of nodes) out[u] = next
      next++
      return
    }
    const at = new Map(nodes.map((u, i) => [u, i]))
    const edges = all.edges.flatMap(({ u, v, weight }) =>
      at.has(u) && at.has(v) ? [{ u: at.get(u) as number, v: at.get(v) as number, weight }] : [],
    )
    const found = louvainOf({ size: nodes.length, edges })
    const parts = new Map<number, number[]>()
    for (const [i, u] of nodes.entries()) parts.set(found[i] as number, [...(parts.get(found[i] as number) ?? []), u])
    if (parts.size > 1) for (const part of parts.values()) divide(part)
    else for (let i = 0; i < nodes.length; i += max) divide(nodes.slice(i, i + max))
  }
  divide([...Array(all.size).keys()])
  return out
}

function largest(communities: Int32Array): number {
  const sizes = new Map<number, number>()
  for (const one of communities) sizes.set(one, (sizes.get(one) ?? 0) + 1)
  return Math.max(0, ...sizes.values())
}

const graphOf = ({ size, edges }: Given): WeightedGraph => weightedGraph(size, edges)

describe('modularity', () => {
  it('[A2] modularity is what its definition says', () => {
    fc.assert(
      fc.property(given, fc.integer({ min: 1, max: 6 }), (one, groups) => {
        const communities = Int32Array.from({ length: one.size }, (_, u) => (u * 7) % groups)
        expect(modularity(graphOf(one), communities)).toBeCloseTo(naive(one, communities), 9)
      }),
      { seed: 61 },
    )
  })
})

describe('leiden', () => {
  it('[A2] every community is connected and none is larger than the bound', () => {
    fc.assert(
      fc.property(given, fc.integer({ min: 1, max: 12 }), (one, max) => {
        const graph = graphOf(one)
        const found = leiden(graph, { seed: 1, max })
        expect(countOf(connectedParts(graph, found))).toBe(countOf(found))
        expect(largest(found)).toBeLessThanOrEqual(max)
      }),
      { seed: 62, numRuns: 200 },
    )
  })

  it('[A2] moving any single node elsewhere gains nothing that the bound allows', () => {
    fc.assert(
      fc.property(given, (one) => {
        const graph = graphOf(one)
        const found = leiden(graph, { seed: 1, max: one.size })
        const quality = modularity(graph, found)
        expect(quality).toBeGreaterThanOrEqual(
          modularity(
            graph,
            Int32Array.from({ length: one.size }, (_, u) => u),
          ) - 1e-9,
        )
        for (let u = 0; u < one.size; u++) {
          for (let into = 0; into < countOf(found); into++) {
            const other = found.slice()
            other[u] = into
            expect(modularity(graph, other)).toBeLessThanOrEqual(quality + 1e-6)
          }
        }
      }),
      { seed: 63, numRuns: 60 },
    )
  })

  it('[A2] uncapped it is at least as good as Louvain less .005, capped at least Louvain split by the same cap', () => {
    for (const seed of ['a', 'b', 'c', 'd']) {
      const one = planted(seed, 12, 30)
      const graph = graphOf(one)
      expect(modularity(graph, leiden(graph, { seed: 1, max: one.size }))).toBeGreaterThanOrEqual(modularity(graph, louvainOf(one)) - 0.005)
      expect(modularity(graph, leiden(graph, { seed: 1, max: 15 }))).toBeGreaterThanOrEqual(modularity(graph, louvainSplit(one, 15)))
    }
  })

  it('[A2] the same graph gives the same communities, and a start is never made worse', () => {
    fc.assert(
      fc.property(given, fc.integer({ min: 1, max: 5 }), (one, groups) => {
        const graph = graphOf(one)
        expect(leiden(graph, { seed: 1, max: 8 })).toEqual(leiden(graph, { seed: 1, max: 8 }))
        const start = connectedParts(
          graph,
          Int32Array.from({ length: one.size }, (_, u) => u % groups),
        )
        expect(modularity(graph, leiden(graph, { seed: 1, max: one.size, start }))).toBeGreaterThanOrEqual(modularity(graph, start) - 1e-9)
      }),
      { seed: 64 },
    )
  })
})

it('[A261] adopting nodes that stand alone keeps every community connected and within the bound, and leaves no more of them alone', () => {
  const alone = (communities: Int32Array): number => {
    const sizes = new Map<number, number>()
    for (const one of communities) sizes.set(one, (sizes.get(one) ?? 0) + 1)
    return [...sizes.values()].filter((size) => size === 1).length
  }
  fc.assert(
    fc.property(given, fc.integer({ min: 2, max: 8 }), ({ size, edges }, max) => {
      const graph = weightedGraph(size, edges)
      const found = leiden(graph, { seed: 1, max })
      const adopted = adoptSingletons(graph, found, max)
      expect(countOf(connectedParts(graph, adopted))).toBe(countOf(adopted))
      expect(Math.max(...adopted.map((own) => adopted.filter((one) => one === own).length))).toBeLessThanOrEqual(max)
      expect(alone(adopted)).toBeLessThanOrEqual(alone(found))
    }),
    { seed: 68, numRuns: 200 },
  )
  // Four nodes that all know each other, full at four, and a fifth that knows them: divided for it.
  const clique = [0, 1, 2, 3, 4].flatMap((u) => [0, 1, 2, 3, 4].flatMap((v) => (u < v ? [{ u, v, weight: 1 }] : [])))
  expect(alone(adoptSingletons(weightedGraph(5, clique), Int32Array.of(0, 0, 0, 0, 1), 4))).toBe(0)
})
