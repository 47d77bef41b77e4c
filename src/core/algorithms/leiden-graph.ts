/**
 * What Leiden works on: a weighted graph whose nodes stand for groups of nodes of the original one. Strengths and the total belong to the original
 * graph (or to a larger one that it is cut from), so that the same gain means the same at every level.
 */
import { groupWeights } from './group-weights'
import { strengthsOf } from './modularity'
import { type WeightedEdge, type WeightedGraph, weightedGraph } from './weighted-graph'

export const GAIN = 1e-10 // a smaller gain is rounding

export interface Level {
  readonly graph: WeightedGraph
  /** Sum of the weights at each node; inner ones count twice. */
  readonly strengths: Float64Array
  /** How many original nodes each stands for. */
  readonly sizes: Int32Array
  /** Twice the weight of the whole graph. */
  readonly twice: number
}

export function levelOf(graph: WeightedGraph, whole?: { readonly strengths: Float64Array; readonly twice: number }): Level {
  const strengths = whole?.strengths ?? strengthsOf(graph)
  const twice = whole?.twice ?? strengths.reduce((sum, one) => sum + one, 0)
  return { graph, strengths, sizes: new Int32Array(graph.size).fill(1), twice }
}

/** One node per group; weights between groups are added up, weights inside only count in the strengths. */
export function aggregated({ graph, strengths, sizes, twice }: Level, groups: Int32Array, count: number): Level {
  const members: number[][] = Array.from({ length: count }, () => [])
  for (let u = 0; u < graph.size; u++) members[groups[u] ?? 0]?.push(u)
  const ownStrengths = new Float64Array(count)
  const ownSizes = new Int32Array(count)
  const edges: WeightedEdge[] = []
  const links = groupWeights(graph, count)
  members.forEach((nodes, group) => {
    const later = (v: number): number => ((groups[v] ?? 0) > group ? (groups[v] ?? 0) : -1)
    for (const u of nodes) {
      ownStrengths[group] = (ownStrengths[group] ?? 0) + (strengths[u] ?? 0)
      ownSizes[group] = (ownSizes[group] ?? 0) + (sizes[u] ?? 0)
      links.add(u, later)
    }
    for (const other of links.touched) edges.push({ u: group, v: other, weight: links.to[other] ?? 0 })
    links.clear()
  })
  return { graph: weightedGraph(count, edges), strengths: ownStrengths, sizes: ownSizes, twice }
}
