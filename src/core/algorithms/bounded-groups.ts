/**
 * What the clusterers that do not bound their communities themselves have in common: who is in which, the graph inside one, and a final joining of
 * small ones.
 */
import { type WeightedEdge, type WeightedGraph, weightedGraph } from './weighted-graph'

/** The nodes of each community, in increasing order. */
export function membersOf(home: Int32Array): Map<number, number[]> {
  const members = new Map<number, number[]>()
  home.forEach((community, u) => {
    const list = members.get(community) ?? []
    members.set(community, list)
    list.push(u)
  })
  return members
}

/** The graph among these nodes, each numbered by its place in the list. */
export function induced(graph: WeightedGraph, members: readonly number[]): WeightedGraph {
  const at = new Map(members.map((u, i) => [u, i]))
  const inside: WeightedEdge[] = []
  for (const [u, i] of at) {
    for (let e = graph.offsets[u] ?? 0; e < (graph.offsets[u + 1] ?? 0); e++) {
      const j = at.get(graph.targets[e] ?? 0)
      if (j !== undefined && i < j) inside.push({ u: i, v: j, weight: graph.weights[e] ?? 0 })
    }
  }
  return weightedGraph(members.length, inside)
}

/**
 * Communities of at most `small` nodes, the smallest first, join as a whole the one that their strongest link leads to, as long as it has room for
 * `max`. A community that others have joined stays. Changes `home`; what was connected remains connected.
 */
export function settle(graph: WeightedGraph, home: Int32Array, { max, small }: { readonly max: number; readonly small: number }): void {
  const members = membersOf(home)
  const sizes = new Map([...members].map(([community, list]) => [community, list.length]))
  const movers = [...members].filter(([, list]) => list.length <= small).sort(([, a], [, b]) => a.length - b.length)
  for (const [community, list] of movers) {
    if (sizes.get(community) !== list.length) continue
    const to = strongest(graph, home, list, (other) => other !== community && (sizes.get(other) ?? 0) + list.length <= max)
    if (to === undefined) continue
    sizes.set(community, 0)
    sizes.set(to, (sizes.get(to) ?? 0) + list.length)
    for (const u of list) home[u] = to
  }
}

/** The community that the strongest link of these nodes leads to, among the eligible ones. */
function strongest(
  graph: WeightedGraph,
  home: Int32Array,
  nodes: readonly number[],
  willDo: (community: number) => boolean,
): number | undefined {
  let best: { readonly to: number; readonly weight: number } | undefined
  for (const u of nodes) {
    for (let i = graph.offsets[u] ?? 0; i < (graph.offsets[u + 1] ?? 0); i++) {
      const to = home[graph.targets[i] ?? 0] ?? 0
      const weight = graph.weights[i] ?? 0
      if (weight > (best?.weight ?? 0) && willDo(to)) best = { to, weight }
    }
  }
  return best?.to
}
