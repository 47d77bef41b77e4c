/** Communities by SCAN: what must hold of every graph, and the paper's own example of clusters, a hub and an outlier. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { scan } from '../../../bench/variants/scan'
import { connectedParts, countOf } from '../../../src/core/algorithms/connected-parts'
import { weightedGraph } from '../../../src/core/algorithms/weighted-graph'

const edges = (pairs: readonly (readonly [number, number])[]) => pairs.map(([u, v]) => ({ u, v, weight: 1 }))
const clique = (from: number, to: number): [number, number][] => {
  const out: [number, number][] = []
  for (let u = from; u < to; u++) for (let v = u + 1; v < to; v++) out.push([u, v])
  return out
}

it('[A60] every community SCAN finds is connected, none is larger than the bound', () => {
  const pairs = fc.uniqueArray(fc.tuple(fc.nat(29), fc.nat(29)), {
    maxLength: 90,
    selector: ([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`,
  })
  fc.assert(
    fc.property(pairs, fc.integer({ min: 2, max: 12 }), (list, max) => {
      const graph = weightedGraph(
        30,
        list.filter(([a, b]) => a !== b).map(([a, b]) => ({ u: a, v: b, weight: 1 + ((a * b) % 7) })),
      )
      const found = scan(graph, { seed: 1, max })
      expect(countOf(connectedParts(graph, found))).toBe(countOf(found))
      const sizes = new Map<number, number>()
      for (const one of found) sizes.set(one, (sizes.get(one) ?? 0) + 1)
      expect(Math.max(...sizes.values())).toBeLessThanOrEqual(max)
      expect(scan(graph, { seed: 1, max })).toEqual(found)
    }),
    { seed: 37 },
  )
})

it('[A60] two groups that share no neighbours are two communities, a bridge between them joins one', () => {
  const graph = weightedGraph(11, edges([...clique(0, 5), ...clique(5, 10), [4, 10], [5, 10]]))
  const found = [...scan(graph, { seed: 1, max: 15, alike: 0.6 })]
  expect(new Set(found.slice(0, 5)).size).toBe(1)
  expect(new Set(found.slice(5, 10)).size).toBe(1)
  expect(found[0]).not.toBe(found[5])
  expect([found[0], found[5]]).toContain(found[10])
})
