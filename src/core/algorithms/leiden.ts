/**
 * Weighted Leiden (Traag, Waltman, van Eck 2019, arXiv 1810.08473) for modularity, with a maximum community size. Every community is connected and
 * none is larger than `max`. Deterministic: the same graph, numbering, start and seed give the same communities. Differences from the paper:
 * refinement takes the best merge instead of a random one, and moves that would exceed the bound are not made.
 */
import { type Random, random } from '../random'
import { connectedParts, countOf } from './connected-parts'
import { groupWeights } from './group-weights'
import { aggregated, GAIN, type Level, levelOf } from './leiden-graph'
import { refine } from './leiden-refine'
import { renumbered, singletons } from './numbering'
import type { WeightedGraph } from './weighted-graph'

export interface LeidenOptions {
  readonly seed: number | string
  /** The most nodes in a community. */
  readonly max: number
  /** γ: higher gives smaller communities. */
  readonly resolution?: number
  /** Communities to begin from; if absent, each node alone. Communities larger than `max` are never made larger. */
  readonly start?: Int32Array
  /** Also runs from each node alone, and takes the better result: from a start whose communities are full, newcomers would stay alone. */
  readonly restart?: boolean
  /** Strengths and twice the total weight of the graph that this one is cut from. */
  readonly whole?: { readonly strengths: Float64Array; readonly twice: number }
}

const ROUNDS = 10 // whole runs, each starting from the result of the one before; later ones rarely change anything
const MOVES = 200 // turns of each node at a level: it ends because every move gains, but this bounds it all the same

/** The community of each node, numbered from 0 in order of their first node. */
export function leiden(graph: WeightedGraph, options: LeidenOptions): Int32Array {
  const base = levelOf(graph, options.whole)
  const { start, restart = false } = options
  const kept = improved(base, connectedParts(graph, start ?? singletons(graph.size)), options)
  if (!start || !restart) return kept
  const anew = improved(base, singletons(graph.size), options)
  return qualityOf(base, anew, options.resolution) > qualityOf(base, kept, options.resolution) + GAIN ? anew : kept
}

function improved(base: Level, start: Int32Array, options: LeidenOptions): Int32Array {
  const numbers = random(`leiden ${options.seed}`)
  let best = start
  if (!(base.twice > 0)) return best
  let quality = qualityOf(base, best, options.resolution)
  for (let round = 0; round < ROUNDS; round++) {
    const next = connectedParts(base.graph, run(base, best, options, numbers))
    const now = qualityOf(base, next, options.resolution)
    if (!(now > quality + GAIN)) break
    best = next
    quality = now
  }
  return best
}

/** Modularity as the whole graph counts it: every move is judged by it, so a run is accepted or rejected by the same measure. Up to a constant. */
function qualityOf({ graph, strengths, twice }: Level, communities: Int32Array, resolution = 1): number {
  const totals = new Float64Array(countOf(communities))
  let inside = 0
  for (let u = 0; u < graph.size; u++) {
    const own = communities[u] ?? 0
    totals[own] = (totals[own] ?? 0) + (strengths[u] ?? 0)
    for (let i = graph.offsets[u] ?? 0; i < (graph.offsets[u + 1] ?? 0); i++) {
      if (communities[graph.targets[i] ?? 0] === own) inside += graph.weights[i] ?? 0
    }
  }
  return inside / twice - resolution * totals.reduce((sum, total) => sum + (total / twice) ** 2, 0)
}

/** One run over all levels. */
function run(base: Level, start: Int32Array, options: LeidenOptions, numbers: Random): Int32Array {
  const flat = Int32Array.from({ length: base.graph.size }, (_, u) => u) // for each original node, the node of the present level that it is in
  let level = base
  let communities = start
  for (;;) {
    communities = moved(level, communities, options, numbers)
    const count = countOf(communities)
    if (count === level.graph.size) break
    const refined = refine(level, communities, options, numbers)
    // If refinement merges nothing, the communities themselves are merged, so that every level is smaller.
    const groups = countOf(refined) < level.graph.size ? refined : connectedParts(level.graph, communities)
    const size = countOf(groups)
    const above = new Int32Array(size)
    for (let u = 0; u < level.graph.size; u++) above[groups[u] ?? 0] = communities[u] ?? 0
    for (let u = 0; u < flat.length; u++) flat[u] = groups[flat[u] ?? 0] ?? 0
    level = aggregated(level, groups, size)
    communities = renumbered(above)
  }
  return flat.map((node) => communities[node] ?? 0)
}

/** Fast local moving: nodes leave a queue, and when one moves, its neighbours elsewhere are queued again. */
function moved(level: Level, start: Int32Array, options: LeidenOptions, numbers: Random): Int32Array {
  const { graph } = level
  const communities = start.slice()
  const table = tableOf(level, communities, graph.size)
  const queue = numbers.shuffle([...communities.keys()])
  const waiting = new Uint8Array(graph.size).fill(1)
  const free = table.free()
  for (let at = 0; at < queue.length; at++) {
    const u = queue[at] ?? 0
    waiting[u] = 0
    const from = communities[u] ?? 0
    table.take(u, from)
    if (table.sizes[from] === 0) free.push(from)
    const to = table.bestFor(u, from, communities, options, free[free.length - 1])
    table.put(u, to)
    if (to === free[free.length - 1]) free.pop()
    communities[u] = to
    if (to === from) continue
    for (let i = graph.offsets[u] ?? 0; i < (graph.offsets[u + 1] ?? 0); i++) {
      const v = graph.targets[i] ?? 0
      if (waiting[v] === 1 || communities[v] === to) continue
      waiting[v] = 1
      queue.push(v)
    }
    if (queue.length > MOVES * graph.size) break
  }
  return renumbered(communities)
}

interface Table {
  readonly sizes: Int32Array
  take(u: number, from: number): void
  put(u: number, to: number): void
  /** Unused community numbers. */
  free(): number[]
  bestFor(u: number, from: number, communities: Int32Array, options: LeidenOptions, free: number | undefined): number
}

/** Strength and size of every community, kept up to date while nodes move. */
function tableOf({ graph, strengths, sizes, twice }: Level, communities: Int32Array, count: number): Table {
  const totals = new Float64Array(count)
  const counts = new Int32Array(count)
  const shift = (u: number, community: number, sign: 1 | -1): void => {
    totals[community] = (totals[community] ?? 0) + sign * (strengths[u] ?? 0)
    counts[community] = (counts[community] ?? 0) + sign * (sizes[u] ?? 0)
  }
  for (let u = 0; u < graph.size; u++) shift(u, communities[u] ?? 0, 1)
  const links = groupWeights(graph, count)
  return {
    sizes: counts,
    take: (u, from) => shift(u, from, -1),
    put: (u, into) => shift(u, into, 1),
    free: () => [...counts.keys()].filter((one) => counts[one] === 0).reverse(),
    bestFor(u, from, communities, { max, resolution = 1 }, free) {
      links.add(u, (v) => communities[v] ?? 0)
      const gainOf = (community: number): number =>
        (links.to[community] ?? 0) - (resolution * (strengths[u] ?? 0) * (totals[community] ?? 0)) / twice
      let best = from
      let gain = gainOf(from)
      for (const community of links.touched) {
        const worth = gainOf(community)
        const better = worth > gain + GAIN || (worth > gain - GAIN && best !== from && community < best)
        if (better && (counts[community] ?? 0) + (sizes[u] ?? 0) <= max) [best, gain] = [community, worth]
      }
      links.clear()
      // A node is better alone than badly placed; and a community above the bound lets it go.
      return free !== undefined && gain < -GAIN ? free : best
    },
  }
}
