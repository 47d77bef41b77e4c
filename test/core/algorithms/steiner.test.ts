/** Steiner trees against the definition and against a brute-force optimum on small graphs. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spanningForest } from '../../../src/core/algorithms/spanning-tree'
import { type SteinerTree, steinerTree } from '../../../src/core/algorithms/steiner'
import { forestOf, steinerTreeInForest } from '../../../src/core/algorithms/steiner-mst'
import { unionFind } from '../../../src/core/algorithms/union-find'
import { type WeightedEdge, weightedGraph } from '../../../src/core/algorithms/weighted-graph'

const SIZE = 8
const fixed = { seed: 5, numRuns: 300 }

interface Case {
  readonly edges: readonly WeightedEdge[]
  readonly terminals: readonly number[]
}

/** Random graphs over eight nodes, often not connected, with many equal weights. */
const cases: fc.Arbitrary<Case> = fc.record({
  edges: fc
    .uniqueArray(fc.tuple(fc.nat(SIZE - 1), fc.nat(SIZE - 1), fc.integer({ min: 0, max: 5 })), {
      selector: ([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`,
      maxLength: 16,
    })
    .map((rows) => rows.filter(([a, b]) => a !== b).map(([a, b, weight]) => ({ u: Math.min(a, b), v: Math.max(a, b), weight }))),
  terminals: fc.uniqueArray(fc.nat(SIZE - 1), { minLength: 1, maxLength: 5 }),
})

const mehlhorn = ({ edges, terminals }: Case): SteinerTree => steinerTree(weightedGraph(SIZE, edges), terminals)
const alg2 = ({ edges, terminals }: Case): SteinerTree => steinerTreeInForest(forestOf(weightedGraph(SIZE, edges)), terminals)

function componentOf(edges: readonly WeightedEdge[]): (node: number) => number {
  const sets = unionFind(SIZE)
  for (const { u, v } of edges) sets.union(u, v)
  return sets.find
}

/** Tries every set of further nodes: the best tree is a spanning forest of the right ones. */
function optimum({ edges, terminals }: Case): number {
  const whole = componentOf(edges)
  let best = Number.POSITIVE_INFINITY
  for (let mask = 0; mask < 2 ** SIZE; mask++) {
    if (terminals.some((t) => !(mask & (1 << t)))) continue
    const forest = spanningForest(
      SIZE,
      edges.filter(({ u, v }) => mask & (1 << u) && mask & (1 << v)),
    )
    const part = componentOf(forest)
    const spans = terminals.every((a) => terminals.every((b) => whole(a) !== whole(b) || part(a) === part(b)))
    if (spans)
      best = Math.min(
        best,
        forest.reduce((sum, edge) => sum + edge.weight, 0),
      )
  }
  return best
}

describe.each([
  ['Mehlhorn', mehlhorn],
  ['Algorithm 2', alg2],
])('%s', (_, tree) => {
  it('[C1] a Steiner tree has no cycle, uses edges of the graph, and its nodes are those of its edges and the terminals', () => {
    fc.assert(
      fc.property(cases, (one) => {
        const found = tree(one)
        const sets = unionFind(SIZE)
        for (const edge of found.edges) expect(sets.union(edge.u, edge.v)).toBe(true)
        for (const edge of found.edges) expect(one.edges).toContainEqual(edge)
        expect(found.nodes).toEqual([...new Set([...one.terminals, ...found.edges.flatMap(({ u, v }) => [u, v])])].sort((a, b) => a - b))
      }),
      fixed,
    )
  })

  it('[C1] terminals that the graph connects are connected by the tree, and no leaf is there for nothing', () => {
    fc.assert(
      fc.property(cases, (one) => {
        const found = tree(one)
        const [whole, part] = [componentOf(one.edges), componentOf(found.edges)]
        for (const a of one.terminals) for (const b of one.terminals) expect(part(a) === part(b)).toBe(whole(a) === whole(b))
        for (const node of found.nodes) {
          const degree = found.edges.filter(({ u, v }) => u === node || v === node).length
          if (!one.terminals.includes(node)) expect(degree).toBeGreaterThan(1)
        }
      }),
      fixed,
    )
  })

  it('[C1] one terminal is its own tree', () => {
    expect(tree({ edges: [{ u: 0, v: 1, weight: 1 }], terminals: [1] })).toEqual({ nodes: [1], edges: [], cost: 0 })
  })

  it('[C1] the order of edges and terminals does not matter', () => {
    fc.assert(
      fc.property(cases, (one) => {
        const turned = { edges: [...one.edges].reverse(), terminals: [...one.terminals].reverse() }
        expect(tree(turned)).toEqual(tree(one))
      }),
      fixed,
    )
  })
})

it('[C1] Mehlhorn’s tree costs at most 2 − 2/k times the optimum for k terminals', () => {
  fc.assert(
    fc.property(cases, (one) => {
      const best = optimum(one)
      expect(mehlhorn(one).cost).toBeGreaterThanOrEqual(best)
      expect(mehlhorn(one).cost).toBeLessThanOrEqual((2 - 2 / one.terminals.length) * best + 1e-9)
    }),
    { seed: 6, numRuns: 150 },
  )
})

it('[C1] Algorithm 2 goes round a ring where Mehlhorn takes the edge', () => {
  const n = 8
  const edges = Array.from({ length: n - 1 }, (_, u) => ({ u, v: u + 1, weight: 1 }))
  const ring = { edges: [...edges, { u: 0, v: n - 1, weight: 1.001 }], terminals: [0, n - 1] }
  expect([mehlhorn(ring).cost, alg2(ring).cost]).toEqual([1.001, n - 1])
})
