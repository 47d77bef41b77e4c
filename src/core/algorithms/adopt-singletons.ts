/**
 * Joins communities of one node to the community they are linked to most: to one that has room, else to half of a full one, which is divided for it
 * as a full node of a B-tree is. Bounded modularity leaves a node alone if its neighbours are all in full communities, and a layer of such nodes
 * groups nothing. Every community stays connected and within the bound.
 */
import { connectedParts, countOf } from './connected-parts'
import { renumbered } from './numbering'
import type { WeightedGraph } from './weighted-graph'

export function adoptSingletons(graph: WeightedGraph, communities: Int32Array, max: number): Int32Array {
  let out: Int32Array = communities.slice()
  let members = membersOf(out)
  for (let u = 0; u < graph.size; u++) {
    const own = out[u] ?? 0
    if (members[own]?.length !== 1) continue
    const linked = [...linksTo(graph, u, out)].filter(([other]) => other !== own).sort((a, b) => b[1] - a[1] || a[0] - b[0])
    const roomy = linked.find(([other]) => (members[other]?.length ?? 0) < max)
    const target = (roomy ?? linked[0])?.[0]
    if (target === undefined) continue
    if (roomy) {
      out[u] = target
      members[target]?.push(u)
      members[own] = []
      continue
    }
    const divided = out.slice()
    for (const v of halfAround(graph, u, members[target] ?? [])) divided[v] = own
    const parts = connectedParts(graph, divided)
    const after = membersOf(parts)
    if (alone(after) >= alone(members)) continue // what is left of the full community would be in pieces
    out = parts
    members = after
  }
  return renumbered(out)
}

function alone(members: readonly (readonly number[])[]): number {
  return members.filter((one) => one.length === 1).length
}

/** Half of a full community, grown from a node that is linked to it; each time the member joins that is linked most to the half so far. */
function halfAround(graph: WeightedGraph, u: number, full: readonly number[]): readonly number[] {
  const left = new Map(full.map((v) => [v, 0]))
  const half: number[] = []
  const pull = (from: number): void => {
    for (let i = graph.offsets[from] ?? 0; i < (graph.offsets[from + 1] ?? 0); i++) {
      const v = graph.targets[i] ?? 0
      const before = left.get(v)
      if (before !== undefined) left.set(v, before + (graph.weights[i] ?? 0))
    }
  }
  pull(u)
  while (half.length < full.length >> 1) {
    const [next] = [...left].filter(([, weight]) => weight > 0).sort((a, b) => b[1] - a[1] || a[0] - b[0])
    if (!next) break
    left.delete(next[0])
    half.push(next[0])
    pull(next[0])
  }
  return half
}

function linksTo(graph: WeightedGraph, u: number, communities: Int32Array): Map<number, number> {
  const out = new Map<number, number>()
  for (let i = graph.offsets[u] ?? 0; i < (graph.offsets[u + 1] ?? 0); i++) {
    const other = communities[graph.targets[i] ?? 0] ?? 0
    out.set(other, (out.get(other) ?? 0) + (graph.weights[i] ?? 0))
  }
  return out
}

function membersOf(communities: Int32Array): number[][] {
  const out = Array.from({ length: countOf(communities) }, (): number[] => [])
  communities.forEach((community, u) => {
    out[community]?.push(u)
  })
  return out
}
