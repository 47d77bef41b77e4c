/** Splits communities of a graph into their connected parts, numbered from 0 in order of their first node. */
import type { WeightedGraph } from './weighted-graph'

export function connectedParts(graph: WeightedGraph, communities: ArrayLike<number>): Int32Array {
  const parts = new Int32Array(graph.size).fill(-1)
  let count = 0
  for (let start = 0; start < graph.size; start++) {
    if ((parts[start] ?? 0) >= 0) continue
    const part = count++
    const open = [start]
    parts[start] = part
    for (let u = open.pop(); u !== undefined; u = open.pop()) {
      for (let i = graph.offsets[u] ?? 0; i < (graph.offsets[u + 1] ?? 0); i++) {
        const v = graph.targets[i] ?? 0
        if ((parts[v] ?? 0) >= 0 || communities[v] !== communities[u]) continue
        parts[v] = part
        open.push(v)
      }
    }
  }
  return parts
}

/** How many communities there are, in a numbering from 0 without gaps. */
export function countOf(communities: Int32Array): number {
  let max = -1
  for (const one of communities) if (one > max) max = one
  return max + 1
}
