/**
 * Newman's modularity of a partition, with a resolution γ: Σ over communities of (inside / m) − γ · (strength / 2m)². Between −½ and 1;
 * 0 for a graph without edges. Communities are any whole numbers from 0.
 */
import type { WeightedGraph } from './weighted-graph'

export function modularity(graph: WeightedGraph, communities: ArrayLike<number>, resolution = 1): number {
  const strengths = strengthsOf(graph)
  let twice = 0
  let inside = 0
  const totals = new Map<number, number>()
  for (let u = 0; u < graph.size; u++) {
    const own = communities[u] ?? 0
    const strength = strengths[u] ?? 0
    twice += strength
    totals.set(own, (totals.get(own) ?? 0) + strength)
    for (let i = graph.offsets[u] ?? 0; i < (graph.offsets[u + 1] ?? 0); i++) {
      if ((communities[graph.targets[i] ?? 0] ?? 0) === own) inside += graph.weights[i] ?? 0
    }
  }
  if (!(twice > 0)) return 0
  let expected = 0
  for (const total of totals.values()) expected += (total / twice) ** 2
  return inside / twice - resolution * expected
}

/** Sum of the weights at each node. */
export function strengthsOf(graph: WeightedGraph): Float64Array {
  const strengths = new Float64Array(graph.size)
  for (let u = 0; u < graph.size; u++) {
    for (let i = graph.offsets[u] ?? 0; i < (graph.offsets[u + 1] ?? 0); i++) strengths[u] = (strengths[u] ?? 0) + (graph.weights[i] ?? 0)
  }
  return strengths
}
