/** One normalised cut (Shi & Malik 2000): the order of the nodes along the second eigenvector, the best place in it, and single nodes put right after. */

import { strengthsOf } from '../../src/core/algorithms/modularity'
import type { WeightedGraph } from '../../src/core/algorithms/weighted-graph'
import { fiedler } from './fiedler'

const SHARE = 0.05 // of the nodes, at least, on either side of a cut: so at most some 20 · ln(nodes ÷ most) levels; free cuts were four times the work and no better
const PASSES = 5 // over the nodes of a cut; twenty gave the same communities
const NOTHING = 1e-12 // a gain this small is rounding

/** A connected graph of two nodes or more in two: as many nodes along the vector as make the normalised cut least, then those on the wrong side change. */
export function halves(graph: WeightedGraph, seed: number | string): readonly [number[], number[]] {
  const values = fiedler(graph, seed)
  const along = [...values.keys()].sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b)
  const min = Math.max(1, Math.floor(SHARE * graph.size))
  const side = new Uint8Array(graph.size)
  for (const u of along.slice(0, sweep(graph, along, min))) side[u] = 1
  change(graph, side, min)
  return [along.filter((u) => side[u] === 1).sort(byNumber), along.filter((u) => side[u] === 0).sort(byNumber)]
}

const byNumber = (a: number, b: number): number => a - b

/** How many nodes along this order make the best cut. */
function sweep(graph: WeightedGraph, along: readonly number[], min: number): number {
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
    if (i + 1 >= min && i + 1 <= graph.size - min && cut < best.cut) best = { at: i + 1, cut }
  })
  return best.at
}

/** Nodes more strongly linked to the other side go there, again and again (as Kernighan & Lin 1970, one by one): what an unfinished vector tore comes together. */
function change(graph: WeightedGraph, side: Uint8Array, min: number): void {
  const counts = [0, 0]
  for (const one of side) counts[one] = (counts[one] ?? 0) + 1
  for (let pass = 0, moves = 1; pass < PASSES && moves > 0; pass++) {
    moves = 0
    for (let u = 0; u < graph.size; u++) {
      const from = side[u] ?? 0
      const gain = from === 0 ? pull(graph, u, side) : -pull(graph, u, side)
      if (gain <= NOTHING || (counts[from] ?? 0) <= min) continue
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
