/**
 * An undirected weighted graph over the nodes 0 … n−1, packed as rows: the neighbours of u are `targets[offsets[u] … offsets[u + 1])`. Every edge
 * is in the rows of both ends. Plain data and what makes it; no algorithm.
 */

export interface WeightedGraph {
  readonly size: number
  readonly offsets: Int32Array
  readonly targets: Int32Array
  readonly weights: Float64Array
}

export interface WeightedEdge {
  readonly u: number
  readonly v: number
  /** Not negative. */
  readonly weight: number
}

/** Packs edges; each is given once, in any order and direction. */
export function weightedGraph(size: number, edges: readonly WeightedEdge[]): WeightedGraph {
  return packed(
    size,
    edges.map(({ u }) => u),
    edges.map(({ v }) => v),
    edges.map(({ weight }) => weight),
  )
}

/** The same from three columns, for many edges. */
export function packed(size: number, us: readonly number[], vs: readonly number[], lengths: readonly number[]): WeightedGraph {
  const offsets = new Int32Array(size + 1)
  for (const column of [us, vs]) for (const end of column) offsets[end + 1] = (offsets[end + 1] ?? 0) + 1
  for (let u = 0; u < size; u++) offsets[u + 1] = (offsets[u + 1] ?? 0) + (offsets[u] ?? 0)
  const next = offsets.slice(0, size)
  const targets = new Int32Array(2 * us.length)
  const weights = new Float64Array(2 * us.length)
  const put = (from: number, to: number, weight: number): void => {
    const at = next[from] ?? 0
    next[from] = at + 1
    targets[at] = to
    weights[at] = weight
  }
  for (let i = 0; i < us.length; i++) {
    put(us[i] ?? 0, vs[i] ?? 0, lengths[i] ?? 0)
    put(vs[i] ?? 0, us[i] ?? 0, lengths[i] ?? 0)
  }
  return { size, offsets, targets, weights }
}

/** Every edge once, u < v, with u ascending. */
export function eachEdge(graph: WeightedGraph, visit: (u: number, v: number, weight: number) => void): void {
  for (let u = 0; u < graph.size; u++) {
    for (let i = graph.offsets[u] ?? 0; i < (graph.offsets[u + 1] ?? 0); i++) {
      const v = graph.targets[i] ?? 0
      if (u < v) visit(u, v, graph.weights[i] ?? 0)
    }
  }
}

/** Shorter first, then by ends: a total order, so that the same graph always gives the same tree. Ends are ordered u < v. */
export function byWeight(a: WeightedEdge, b: WeightedEdge): number {
  return a.weight - b.weight || a.u - b.u || a.v - b.v
}
