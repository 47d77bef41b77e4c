/**
 * What Leiden works on: a weighted graph whose nodes stand for groups of nodes of the original one. Strengths and the total belong to the
 * original graph (or to a larger one it is cut from), so that the same gain means the same thing at every level.
 */
import { strengthsOf } from './modularity'
import { type WeightedEdge, type WeightedGraph, weightedGraph } from './weighted-graph'

export interface Level {
  readonly graph: WeightedGraph
  /** Σ weights at each node, inner ones twice. */
  readonly strengths: Float64Array
  /** Original nodes each stands for. */
  readonly sizes: Int32Array
  /** Twice the weight of the whole graph. */
  readonly twice: number
}

export function levelOf(graph: WeightedGraph, whole?: { readonly strengths: Float64Array; readonly twice: number }): Level {
  const strengths = whole?.strengths ?? strengthsOf(graph)
  const twice = whole?.twice ?? strengths.reduce((sum, one) => sum + one, 0)
  return { graph, strengths, sizes: new Int32Array(graph.size).fill(1), twice }
}

/** One node per group; weights between groups are added, weights inside count in the strengths alone. */
export function aggregated({ graph, strengths, sizes, twice }: Level, groups: Int32Array, count: number): Level {
  const members: number[][] = Array.from({ length: count }, () => [])
  for (let u = 0; u < graph.size; u++) members[groups[u] ?? 0]?.push(u)
  const ownStrengths = new Float64Array(count)
  const ownSizes = new Int32Array(count)
  const edges: WeightedEdge[] = []
  const to = new Float64Array(count)
  members.forEach((nodes, group) => {
    const touched: number[] = []
    for (const u of nodes) {
      ownStrengths[group] = (ownStrengths[group] ?? 0) + (strengths[u] ?? 0)
      ownSizes[group] = (ownSizes[group] ?? 0) + (sizes[u] ?? 0)
      for (let i = graph.offsets[u] ?? 0; i < (graph.offsets[u + 1] ?? 0); i++) {
        const other = groups[graph.targets[i] ?? 0] ?? 0
        if (other <= group) continue
        if (to[other] === 0) touched.push(other)
        to[other] = (to[other] ?? 0) + (graph.weights[i] ?? 0)
      }
    }
    for (const other of touched) {
      edges.push({ u: group, v: other, weight: to[other] ?? 0 })
      to[other] = 0
    }
  })
  return { graph: weightedGraph(count, edges), strengths: ownStrengths, sizes: ownSizes, twice }
}
