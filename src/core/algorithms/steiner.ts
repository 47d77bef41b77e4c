/**
 * Steiner trees: the cheapest tree that spans given terminals, to within a factor of two, by Mehlhorn (Information Processing Letters 27, 1988) in
 * O(E + V log V). If the graph is not connected, the answer is one tree for each component that holds a terminal, which is the best possible. One
 * terminal alone is its own tree. Weights must not be negative.
 */
import { heap } from './heap'
import { pruned, spanningForest } from './spanning-tree'
import { eachEdge, type WeightedEdge, type WeightedGraph } from './weighted-graph'

export interface SteinerTree {
  /** In increasing order. */
  readonly nodes: readonly number[]
  /** Ends ordered u < v. */
  readonly edges: readonly WeightedEdge[]
  readonly cost: number
}

export function steinerTree(graph: WeightedGraph, terminals: readonly number[]): SteinerTree {
  const wanted = new Set(terminals)
  const regions = nearestTerminals(graph, wanted)
  const bridges = shortestBridges(graph, regions)
  // The tree over the terminals; each of its edges stands for a path in the graph.
  const links = spanningForest(
    graph.size,
    bridges.map(({ edge, length }) => ({ ...between(regions.nearest[edge.u] ?? 0, regions.nearest[edge.v] ?? 0), weight: length })),
  )
  const paths = new Map<number, WeightedEdge>()
  const keep = (edge: WeightedEdge): void => void paths.set(edge.u * graph.size + edge.v, edge)
  const byPair = new Map(bridges.map(({ edge }) => [pairOf(regions, edge, graph.size), edge]))
  for (const link of links) {
    const edge = byPair.get(link.u * graph.size + link.v)
    if (!edge) continue
    keep(edge)
    for (const end of [edge.u, edge.v]) walkBack(regions, end, keep)
  }
  return treeOf(pruned(spanningForest(graph.size, [...paths.values()]), wanted), wanted)
}

/** A tree from its edges; terminals without an edge stand alone. */
export function treeOf(edges: readonly WeightedEdge[], terminals: ReadonlySet<number>): SteinerTree {
  const nodes = new Set(terminals)
  for (const { u, v } of edges) nodes.add(u).add(v)
  return {
    nodes: [...nodes].sort((a, b) => a - b),
    edges,
    cost: edges.reduce((sum, edge) => sum + edge.weight, 0),
  }
}

export function between(a: number, b: number): { readonly u: number; readonly v: number } {
  return a < b ? { u: a, v: b } : { u: b, v: a }
}

interface Regions {
  /** For each node: its nearest terminal, −1 if none can be reached. */
  readonly nearest: Int32Array
  readonly distance: Float64Array
  /** The next node on the path to the nearest terminal; −1 at terminals. */
  readonly towards: Int32Array
  /** Weight of the edge to that node. */
  readonly step: Float64Array
}

/** Dijkstra from all terminals at once. */
function nearestTerminals(graph: WeightedGraph, terminals: ReadonlySet<number>): Regions {
  const nearest = new Int32Array(graph.size).fill(-1)
  const towards = new Int32Array(graph.size).fill(-1)
  const step = new Float64Array(graph.size)
  const distance = new Float64Array(graph.size).fill(Number.POSITIVE_INFINITY)
  const front = heap()
  for (const terminal of [...terminals].sort((a, b) => a - b)) {
    distance[terminal] = 0
    nearest[terminal] = terminal
    front.push(terminal, 0)
  }
  for (let top = front.pop(); top; top = front.pop()) {
    const from = top.item
    if (top.priority > (distance[from] ?? 0)) continue // a shorter path has been found in the meantime
    for (let i = graph.offsets[from] ?? 0; i < (graph.offsets[from + 1] ?? 0); i++) {
      const to = graph.targets[i] ?? 0
      const weight = graph.weights[i] ?? 0
      const reached = top.priority + weight
      if (reached >= (distance[to] ?? 0) || isDeadEnd(graph, to)) continue
      distance[to] = reached
      nearest[to] = nearest[from] ?? -1
      towards[to] = from
      step[to] = weight
      front.push(to, reached)
    }
  }
  return { nearest, distance, towards, step }
}

/** No path leads through a node with one neighbour; terminals, at distance 0, never get here. */
function isDeadEnd(graph: WeightedGraph, node: number): boolean {
  return (graph.offsets[node + 1] ?? 0) - (graph.offsets[node] ?? 0) < 2
}

interface Bridge {
  readonly edge: WeightedEdge
  /** Length of the whole path from terminal to terminal over this edge. */
  readonly length: number
}

/** For every two neighbouring regions, the edge over which their terminals are closest. */
function shortestBridges(graph: WeightedGraph, regions: Regions): Bridge[] {
  const best = new Map<number, Bridge>()
  eachEdge(graph, (u, v, weight) => {
    const [from, to] = [regions.nearest[u] ?? -1, regions.nearest[v] ?? -1]
    if (from < 0 || to < 0 || from === to) return
    const length = (regions.distance[u] ?? 0) + weight + (regions.distance[v] ?? 0)
    const edge = { u, v, weight }
    const pair = pairOf(regions, edge, graph.size)
    const known = best.get(pair)
    // Among equals the smaller ends win; u only grows.
    if (!known || length < known.length || (length === known.length && u === known.edge.u && v < known.edge.v))
      best.set(pair, { edge, length })
  })
  return [...best.values()]
}

function pairOf(regions: Regions, edge: WeightedEdge, size: number): number {
  const { u, v } = between(regions.nearest[edge.u] ?? 0, regions.nearest[edge.v] ?? 0)
  return u * size + v
}

function walkBack(regions: Regions, from: number, keep: (edge: WeightedEdge) => void): void {
  for (let at = from; (regions.towards[at] ?? -1) >= 0; at = regions.towards[at] ?? 0) {
    keep({ ...between(at, regions.towards[at] ?? 0), weight: regions.step[at] ?? 0 })
  }
}
