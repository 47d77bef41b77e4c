/** How strongly nodes are linked to each group: one array for a whole run, cleared after each node, so that a node costs no more than its links. */
import type { WeightedGraph } from './weighted-graph'

export interface GroupWeights {
  /** Weight to each group, for the nodes added since it was last cleared. */
  readonly to: Float64Array
  /** Groups with a weight, in order of first occurrence. */
  readonly touched: readonly number[]
  /** Adds a node's links; `groupOf` says which group a neighbour counts for, −1 for none. */
  add(u: number, groupOf: (v: number) => number): void
  clear(): void
}

export function groupWeights({ offsets, targets, weights }: WeightedGraph, count: number): GroupWeights {
  const to = new Float64Array(count)
  const touched: number[] = []
  return {
    to,
    touched,
    add(u, groupOf) {
      for (let i = offsets[u] ?? 0; i < (offsets[u + 1] ?? 0); i++) {
        const group = groupOf(targets[i] ?? 0)
        if (group < 0) continue
        if (to[group] === 0) touched.push(group)
        to[group] = (to[group] ?? 0) + (weights[i] ?? 0)
      }
    },
    clear() {
      for (const group of touched) to[group] = 0
      touched.length = 0
    },
  }
}
