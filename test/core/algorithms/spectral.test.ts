/** Communities by normalised cuts: what must hold of every graph, planted blocks, and the vector that cuts are made along. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fiedler } from '../../../bench/variants/fiedler'
import { spectral } from '../../../bench/variants/spectral'
import { largestEigenvector } from '../../../bench/variants/tridiagonal'
import { connectedParts, countOf } from '../../../src/core/algorithms/connected-parts'
import { modularity } from '../../../src/core/algorithms/modularity'
import { type WeightedEdge, type WeightedGraph, weightedGraph } from '../../../src/core/algorithms/weighted-graph'
import { random } from '../../../src/core/random'
import { anyGraph, type Given } from './graphs'

/** Any graph: in pieces, with nodes that stand alone, with equal weights and with weights of 0. */
const given = anyGraph({ size: 50, edges: 150 }, fc.constantFrom(0, 1, 1, 1, 0.3, 7))

const graphOf = ({ size, edges }: Given): WeightedGraph => weightedGraph(size, edges)

function sizesOf(communities: Int32Array): number[] {
  const sizes = new Int32Array(countOf(communities))
  for (const one of communities) sizes[one] = (sizes[one] ?? 0) + 1
  return [...sizes]
}

/** Blocks of these sizes, nearly every pair inside linked, and single links from each to the next few, numbered at random. */
function planted(seed: string, blocks: readonly number[]): Given & { readonly home: readonly number[] } {
  const numbers = random(seed)
  const home = numbers.shuffle(blocks.flatMap((size, block) => Array<number>(size).fill(block)))
  const members = blocks.map((_, block) => [...home.keys()].filter((u) => home[u] === block))
  const edges: WeightedEdge[] = []
  for (let u = 0; u < home.length; u++) {
    for (let v = u + 1; v < home.length; v++) if (home[u] === home[v] && numbers.next() < 0.9) edges.push({ u, v, weight: 1 })
  }
  for (let block = 0; block < blocks.length; block++) {
    for (const step of [1, 2]) {
      const [from, to] = [members[block] ?? [], members[(block + step) % blocks.length] ?? []]
      const [u, v] = [from[numbers.below(from.length)] ?? 0, to[numbers.below(to.length)] ?? 0]
      edges.push({ u: Math.min(u, v), v: Math.max(u, v), weight: 1 })
    }
  }
  return { size: home.length, edges, home }
}

describe('spectral clustering', () => {
  it('[A60] every community is connected, none is larger than the bound, and what fits stays whole', () => {
    fc.assert(
      fc.property(given, fc.integer({ min: 1, max: 15 }), (one, max) => {
        const graph = graphOf(one)
        const found = spectral(graph, { seed: 1, max })
        expect(found.length).toBe(one.size)
        expect(countOf(connectedParts(graph, found))).toBe(countOf(found))
        expect(Math.max(...sizesOf(found))).toBeLessThanOrEqual(max)
        // Being connected, no community reaches over two parts of the graph; a part within the bound is one.
        const parts = connectedParts(graph, new Int32Array(one.size))
        const sizes = sizesOf(parts)
        for (let part = 0; part < sizes.length; part++) {
          const within = new Set(found.filter((_, u) => parts[u] === part))
          if ((sizes[part] ?? 0) <= max) expect(within.size).toBe(1)
        }
      }),
      { seed: 150, numRuns: 300 },
    )
  })

  it('[A60] dense blocks with few links between them are found exactly', () => {
    for (const seed of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const one = planted(seed, [8, 15, 9, 12, 10, 8, 14, 11, 9, 13, 8, 12])
      const found = spectral(graphOf(one), { seed: 1, max: 15 })
      const pairs = new Set(one.home.map((block, u) => `${block} ${found[u]}`))
      expect([countOf(found), pairs.size]).toEqual([12, 12])
    }
  })

  it('[A60] where every cut is as good as any other there is one all the same: stars, rings, cliques, paths', () => {
    const all = [...Array(64).keys()]
    const shapes: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
      star: all.slice(1).map((v) => [0, v]),
      ring: all.map((u) => [Math.min(u, (u + 1) % 64), Math.max(u, (u + 1) % 64)]),
      path: all.slice(1).map((v) => [v - 1, v]),
      clique: all.flatMap((u) => all.slice(u + 1).map((v) => [u, v] as const)),
    }
    for (const [shape, pairs] of Object.entries(shapes)) {
      const graph = weightedGraph(
        64,
        pairs.map(([u, v]) => ({ u, v, weight: 1 })),
      )
      const found = spectral(graph, { seed: 1, max: 8 })
      expect(countOf(connectedParts(graph, found)), shape).toBe(countOf(found))
      expect(Math.max(...sizesOf(found)), shape).toBeLessThanOrEqual(8)
      if (shape !== 'star') expect(countOf(found), shape).toBeLessThanOrEqual(14) // 8 at the least
    }
  })

  it('[A60] the same graph gives the same communities, in whatever order its edges come', () => {
    fc.assert(
      fc.property(given, fc.integer({ min: 2, max: 12 }), fc.nat(), (one, max, order) => {
        const turned = random(order)
          .shuffle(one.edges)
          .map(({ u, v, weight }) => (turn(u, v, order) ? { u: v, v: u, weight } : { u, v, weight }))
        expect(spectral(graphOf({ size: one.size, edges: turned }), { seed: 1, max })).toEqual(spectral(graphOf(one), { seed: 1, max }))
      }),
      { seed: 151 },
    )
  })

  it('[A60] with a start it is never worse than without, and no larger than the bound whatever the start', () => {
    fc.assert(
      fc.property(given, fc.integer({ min: 2, max: 12 }), fc.integer({ min: 1, max: 12 }), (one, max, groups) => {
        const graph = graphOf(one)
        const start = connectedParts(
          graph,
          Int32Array.from({ length: one.size }, (_, u) => u % groups),
        )
        const found = spectral(graph, { seed: 1, max, start })
        expect(countOf(connectedParts(graph, found))).toBe(countOf(found))
        expect(Math.max(...sizesOf(found))).toBeLessThanOrEqual(max)
        expect(modularity(graph, found)).toBeGreaterThanOrEqual(modularity(graph, spectral(graph, { seed: 1, max })))
      }),
      { seed: 153 },
    )
  })

  it('[A60] what joins a graph leaves its communities as they are, and finds its place', () => {
    const blocks = [9, 10, 11, 12]
    const one = planted('grown', blocks)
    const start = Int32Array.from(one.home)
    const grown = weightedGraph(one.size + 1, [...one.edges, { u: 0, v: one.size, weight: 1 }])
    const found = spectral(grown, { seed: 1, max: 15, start: Int32Array.from([...start, blocks.length]), twice: 10_000 })
    expect(new Set(one.home.map((block, u) => `${block} ${found[u]}`)).size).toBe(blocks.length)
    expect(found[one.size]).toBe(found[0])
  })

  it('[A60] cuts are made along the second eigenvector: of a path it is the cosine that grows from end to end', () => {
    const size = 18
    const path = weightedGraph(
      size,
      Array.from({ length: size - 1 }, (_, u) => ({ u, v: u + 1, weight: 2 })),
    )
    const values = fiedler(path, 1)
    for (let u = 0; u < size; u++) expect((values[u] ?? 0) / (values[0] ?? 0)).toBeCloseTo(Math.cos((Math.PI * u) / (size - 1)), 6)
  })

  it('[A60] the eigenvector of a tridiagonal matrix satisfies its equation for the largest eigenvalue', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(), (size, seed) => {
        const numbers = random(seed)
        // Rows sum to less than 1: eigenvalues in [−1, 1].
        const diagonal = Array.from({ length: size }, () => (2 * numbers.next() - 1) / 3)
        const beside = Array.from({ length: size - 1 }, () => 0.05 + numbers.next() / 4)
        const times = (x: ArrayLike<number>): number[] =>
          diagonal.map((entry, i) => entry * (x[i] ?? 0) + (beside[i - 1] ?? 0) * (x[i - 1] ?? 0) + (beside[i] ?? 0) * (x[i + 1] ?? 0))
        const found = largestEigenvector(diagonal, beside)
        const image = times(found)
        const value = image.reduce((sum, y, i) => sum + y * (found[i] ?? 0), 0)
        image.forEach((y, i) => {
          expect(y).toBeCloseTo(value * (found[i] ?? 0), 6)
        })
        // Links are positive, so the vector of the largest eigenvalue, and no other, has one sign (Perron and Frobenius).
        expect(new Set([...found].filter((x) => Math.abs(x) > 1e-6).map(Math.sign)).size).toBe(1)
      }),
      { seed: 152 },
    )
  })
})

const turn = (u: number, v: number, order: number): boolean => (u * 7 + v * 3 + order) % 2 === 0
