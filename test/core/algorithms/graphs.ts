/** Any weighted graph, small: in pieces, with nodes that stand alone. */
import fc from 'fast-check'
import type { WeightedEdge } from '../../../src/core/algorithms/weighted-graph'

export interface Given {
  readonly size: number
  readonly edges: readonly WeightedEdge[]
}

export function anyGraph(max: { readonly size: number; readonly edges: number }, weight: fc.Arbitrary<number>): fc.Arbitrary<Given> {
  return fc
    .record({
      size: fc.integer({ min: 1, max: max.size }),
      raw: fc.array(fc.tuple(fc.nat(), fc.nat(), weight), { maxLength: max.edges }),
    })
    .map(({ size, raw }) => {
      const pairs = new Map<string, WeightedEdge>()
      for (const [a, b, weight] of raw) {
        const [u, v] = [Math.min(a % size, b % size), Math.max(a % size, b % size)]
        if (u !== v) pairs.set(`${u} ${v}`, { u, v, weight })
      }
      return { size, edges: [...pairs.values()] }
    })
}
