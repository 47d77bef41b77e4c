/**
 * Spectral clustering by normalised cuts (Shi & Malik 2000; von Luxburg 2007): a connected part that is too large is cut in two along its second
 * eigenvector, where weight across ÷ strength of either side is least, and so on until all fit. Then small pieces join their
 * strongest neighbour that has room. Every community is connected and none is larger than `most`; parts without a link share none.
 *
 * In place of k eigenvectors and k-means (Ng, Jordan & Weiss 2002) with k = nodes ÷ most, as the official code has it: one vector at a time
 * is O(edges) a level instead of O(nodes · k²), the bound and the connectedness come of themselves, and the communities are better
 * (measured, docs/archrag.md). Deterministic: the same graph and numbering, its edges in whatever order, give the same communities.
 */
import { induced, membersOf, settle } from './bounded-groups'
import { connectedParts } from './connected-parts'
import { fiedler } from './fiedler'
import { strengthsOf } from './modularity'
import { eachEdge, type WeightedEdge, type WeightedGraph, weightedGraph } from './weighted-graph'

export interface SpectralOptions {
  readonly seed: number | string
  /** Most nodes of a community. */
  readonly most: number
}

const SHARE = 0.05 // of the nodes, at least, on either side of a cut: so at most some 20 · ln(nodes ÷ most) levels; free cuts were four times slower and no better
const PASSES = 5 // over the nodes of a cut; few are left to move after the third
const NOTHING = 1e-12 // a gain this small is rounding

/** The community of each node, numbered from 0 in order of their first node. */
export function spectral(given: WeightedGraph, { seed, most }: SpectralOptions): Int32Array {
  const graph = ordered(given)
  const home = new Int32Array(graph.size)
  let next = 0
  const open = [[...home.keys()]]
  for (let nodes = open.pop(); nodes; nodes = open.pop()) {
    const inside = induced(graph, nodes)
    const all = nodes
    for (const part of membersOf(connectedParts(inside, new Int32Array(inside.size))).values()) {
      const members = part.map((i) => all[i] ?? 0)
      if (members.length <= Math.max(1, most)) for (const u of members) home[u] = next
      else
        open.push(
          ...halves(part.length < all.length ? induced(inside, part) : inside, seed).map((half) => half.map((i) => members[i] ?? 0)),
        )
      next++
    }
  }
  settle(graph, home, { most, small: Math.floor(most / 2) })
  return connectedParts(graph, home)
}

/** A connected graph of two nodes or more in two: as many nodes along the vector as make the normalised cut least, then those on the wrong side change. */
function halves(graph: WeightedGraph, seed: number | string): readonly [number[], number[]] {
  const values = fiedler(graph, seed)
  const along = [...values.keys()].sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b)
  const least = Math.max(1, Math.floor(SHARE * graph.size))
  const side = new Uint8Array(graph.size)
  for (const u of along.slice(0, sweep(graph, along, least))) side[u] = 1
  change(graph, side, least)
  return [along.filter((u) => side[u] === 1).sort(byNumber), along.filter((u) => side[u] === 0).sort(byNumber)]
}

const byNumber = (a: number, b: number): number => a - b

/** How many nodes along this order make the best cut. */
function sweep(graph: WeightedGraph, along: readonly number[], least: number): number {
  const strengths = strengthsOf(graph)
  const all = strengths.reduce((sum, one) => sum + one, 0)
  const behind = new Uint8Array(graph.size)
  let strength = 0
  let across = 0
  let best = { at: graph.size >> 1, cut: Number.POSITIVE_INFINITY } // the middle where no link weighs anything
  along.forEach((u, i) => {
    strength += strengths[u] ?? 0
    across -= pull(graph, u, behind)
    behind[u] = 1
    const cut = across / strength + across / (all - strength)
    if (i + 1 >= least && i + 1 <= graph.size - least && cut < best.cut) best = { at: i + 1, cut }
  })
  return best.at
}

/** Nodes more strongly linked to the other side go there, again and again (as Kernighan & Lin 1970, one by one): what an unfinished vector tore comes together. */
function change(graph: WeightedGraph, side: Uint8Array, least: number): void {
  const counts = [0, 0]
  for (const one of side) counts[one] = (counts[one] ?? 0) + 1
  for (let pass = 0, moves = 1; pass < PASSES && moves > 0; pass++) {
    moves = 0
    for (let u = 0; u < graph.size; u++) {
      const from = side[u] ?? 0
      const gain = from === 0 ? pull(graph, u, side) : -pull(graph, u, side)
      if (gain <= NOTHING || (counts[from] ?? 0) <= least) continue
      side[u] = 1 - from
      counts[from] = (counts[from] ?? 0) - 1
      counts[1 - from] = (counts[1 - from] ?? 0) + 1
      moves++
    }
  }
}

/** Weight of a node's links to side 1, less that to side 0. */
function pull(graph: WeightedGraph, u: number, side: Uint8Array): number {
  let weight = 0
  for (let i = graph.offsets[u] ?? 0; i < (graph.offsets[u + 1] ?? 0); i++) {
    weight += side[graph.targets[i] ?? 0] === 1 ? (graph.weights[i] ?? 0) : -(graph.weights[i] ?? 0)
  }
  return weight
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
