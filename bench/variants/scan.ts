/**
 * SCAN (Xu, Yuruk, Feng, Schweiger 2007): nodes that share their neighbours belong together. Two linked nodes are alike by the cosine of
 * their weighted neighbourhoods, each node its own strongest neighbour; a node with enough alike is a core, and cores gather what is
 * alike to them. Differences from the paper: hubs and outliers join the community of their strongest link that has room, and a community
 * larger than `max` is cut by Leiden. So every community is connected, none is too large, and no node is left out. Deterministic.
 */
import { induced, membersOf, settle } from '../../src/core/algorithms/bounded-groups'
import { connectedParts } from '../../src/core/algorithms/connected-parts'
import { leiden } from '../../src/core/algorithms/leiden'
import { eachEdge, type WeightedEdge, type WeightedGraph, weightedGraph } from '../../src/core/algorithms/weighted-graph'

export interface ScanOptions {
  readonly seed: number | string
  /** Most nodes of a community. */
  readonly max: number
  /** ε: how alike two nodes must be. */
  readonly alike?: number
  /** μ: nodes a core is alike to, itself counted. */
  readonly fewest?: number
}

const ALIKE = 0.5 // the paper finds .5 to .8 useful
const FEWEST = 2 // the paper's least

/** The community of each node, numbered from 0 in order of their first node. */
export function scan(graph: WeightedGraph, { seed, max, alike = ALIKE, fewest = FEWEST }: ScanOptions): Int32Array {
  const ties: WeightedEdge[] = []
  const degree = new Int32Array(graph.size).fill(1)
  const likeness = similarities(graph)
  eachEdge(graph, (u, v) => {
    const weight = likeness(u, v)
    if (weight < alike) return
    ties.push({ u, v, weight })
    for (const end of [u, v]) degree[end] = (degree[end] ?? 0) + 1
  })
  const home = gathered(graph.size, ties, (u) => (degree[u] ?? 0) >= fewest)
  cut(graph, home, max, seed)
  settle(graph, home, { max, small: 1 })
  return connectedParts(graph, home)
}

/** Cosine of two nodes' neighbourhoods. */
function similarities(graph: WeightedGraph): (u: number, v: number) => number {
  const rows = Array.from({ length: graph.size }, (_, u) => {
    const row = new Map<number, number>()
    let strongest = 0
    for (let i = graph.offsets[u] ?? 0; i < (graph.offsets[u + 1] ?? 0); i++) {
      row.set(graph.targets[i] ?? 0, graph.weights[i] ?? 0)
      strongest = Math.max(strongest, graph.weights[i] ?? 0)
    }
    return row.set(u, strongest)
  })
  const lengths = rows.map((row) => Math.sqrt([...row.values()].reduce((sum, weight) => sum + weight * weight, 0)))
  return (u, v) => {
    const [small, large] = (rows[u]?.size ?? 0) < (rows[v]?.size ?? 0) ? [rows[u], rows[v]] : [rows[v], rows[u]]
    let shared = 0
    for (const [node, weight] of small ?? []) shared += weight * (large?.get(node) ?? 0)
    const length = (lengths[u] ?? 0) * (lengths[v] ?? 0)
    return length > 0 ? shared / length : 0
  }
}

/** Cores that are alike, transitively, and each other node with the core it is most alike to. */
function gathered(size: number, ties: readonly WeightedEdge[], isCore: (u: number) => boolean): Int32Array {
  const cores = ties.filter(({ u, v }) => isCore(u) && isCore(v))
  const home = connectedParts(weightedGraph(size, cores), new Int32Array(size))
  const best = new Float64Array(size)
  for (const { u, v, weight } of ties) {
    if (isCore(u) === isCore(v)) continue
    const [core, other] = isCore(u) ? [u, v] : [v, u]
    if (weight <= (best[other] ?? 0)) continue
    best[other] = weight
    home[other] = home[core] ?? 0
  }
  return home
}

/** Communities that are too large, each by itself. */
function cut(graph: WeightedGraph, home: Int32Array, max: number, seed: number | string): void {
  let next = graph.size
  for (const members of membersOf(home).values()) {
    if (members.length <= max) continue
    const parts = leiden(induced(graph, members), { seed, max })
    members.forEach((u, i) => {
      home[u] = next + (parts[i] ?? 0)
    })
    next += members.length
  }
}
