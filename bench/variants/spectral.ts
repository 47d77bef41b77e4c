/**
 * Spectral clustering by normalised cuts (Shi & Malik 2000; von Luxburg 2007): a connected part that is too large is cut in two along its second
 * eigenvector, where weight across ÷ strength of either side is least, and so on until all fit. Then small pieces join their
 * strongest neighbour that has room. Every community is connected and none is larger than `max`; parts without a link share none.
 *
 * In place of k eigenvectors and k-means (Ng, Jordan & Weiss 2002) with k = nodes ÷ most, as the official code has it: one vector at a time
 * is O(edges) a level instead of O(nodes · k²), the bound and the connectedness come of themselves, and the communities are no worse
 * (measured, docs/archrag.md). Deterministic: the same graph and numbering, its edges in whatever order, give the same communities.
 */
import { induced, membersOf, settle } from '../../src/core/algorithms/bounded-groups'
import { connectedParts } from '../../src/core/algorithms/connected-parts'
import { modularity, strengthsOf } from '../../src/core/algorithms/modularity'
import { eachEdge, type WeightedEdge, type WeightedGraph, weightedGraph } from '../../src/core/algorithms/weighted-graph'
import { halves } from './normalised-cut'

export interface SpectralOptions {
  readonly seed: number | string
  /** Most nodes of a community. */
  readonly max: number
  /** Communities to begin from: kept, with small ones settled anew, where cutting afresh is no better by modularity. */
  readonly start?: Int32Array
  /** Twice the total weight of the graph this one is cut from. */
  readonly twice?: number
}

/** The community of each node, numbered from 0 in order of their first node. */
export function spectral(given: WeightedGraph, { seed, max, start, twice }: SpectralOptions): Int32Array {
  const graph = ordered(given)
  const fresh = settled(graph, cut(graph, seed, max), max)
  if (!start) return fresh
  const kept = settled(graph, connectedParts(graph, start), max)
  if ([...membersOf(kept).values()].some((members) => members.length > max)) return fresh
  const resolution = twice ? strengthsOf(graph).reduce((sum, one) => sum + one, 0) / twice : 1
  return modularity(graph, fresh, resolution) > modularity(graph, kept, resolution) ? fresh : kept
}

/** Every connected part cut until all are small enough. */
function cut(graph: WeightedGraph, seed: number | string, max: number): Int32Array {
  const home = new Int32Array(graph.size)
  let next = 0
  const open = [[...home.keys()]]
  for (let nodes = open.pop(); nodes; nodes = open.pop()) {
    const inside = induced(graph, nodes)
    const all = nodes
    for (const part of membersOf(connectedParts(inside, new Int32Array(inside.size))).values()) {
      const members = part.map((i) => all[i] ?? 0)
      if (members.length <= Math.max(1, max)) for (const u of members) home[u] = next
      else
        open.push(
          ...halves(part.length < all.length ? induced(inside, part) : inside, seed).map((half) => half.map((i) => members[i] ?? 0)),
        )
      next++
    }
  }
  return home
}

function settled(graph: WeightedGraph, home: Int32Array, max: number): Int32Array {
  settle(graph, home, { max, small: Math.floor(max / 2) })
  return connectedParts(graph, home)
}

/** The same graph, each row in increasing order. */
function ordered(graph: WeightedGraph): WeightedGraph {
  const edges: WeightedEdge[] = []
  eachEdge(graph, (u, v, weight) => edges.push({ u, v, weight }))
  return weightedGraph(
    graph.size,
    edges.sort((a, b) => a.u - b.u || a.v - b.v),
  )
}
