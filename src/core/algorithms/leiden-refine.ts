/**
 * Leiden's second step (Traag et al. 2019, algorithm A.3): inside each community, starting from single nodes, well-connected ones join the best
 * well-connected group. The next level is made of the resulting groups, so that no community can fall apart.
 */
import type { Random } from '../random'
import { groupWeights } from './group-weights'
import { GAIN, type Level } from './leiden-graph'
import { renumbered, singletons } from './numbering'

interface Groups {
  readonly of: Int32Array
  readonly strengths: Float64Array
  /** Weight from each group to the rest of its community. */
  readonly outward: Float64Array
  /** 1 if no node has joined the node's own group and it has not joined another. */
  readonly alone: Uint8Array
}

export function refine(
  level: Level,
  communities: Int32Array,
  { resolution = 1 }: { readonly resolution?: number },
  numbers: Random,
): Int32Array {
  const { graph, strengths, twice } = level
  const totals = new Float64Array(graph.size)
  for (let u = 0; u < graph.size; u++) totals[communities[u] ?? 0] = (totals[communities[u] ?? 0] ?? 0) + (strengths[u] ?? 0)
  const groups = single(level, communities)
  const connected = (group: number, community: number): boolean => {
    const own = groups.strengths[group] ?? 0
    return (groups.outward[group] ?? 0) >= (resolution * own * ((totals[community] ?? 0) - own)) / twice - GAIN
  }
  const links = groupWeights(graph, graph.size)
  /** The group that gains most by the node's joining; the node's own if none gains. */
  const bestFor = (u: number, community: number): number => {
    let best = u
    let gain = 0
    for (const group of links.touched) {
      const worth = (links.to[group] ?? 0) - (resolution * (strengths[u] ?? 0) * (groups.strengths[group] ?? 0)) / twice
      const better = worth > gain + GAIN || (worth > gain - GAIN && best !== u && group < best)
      if (better && group !== u && connected(group, community)) [best, gain] = [group, worth]
    }
    return best
  }
  for (const u of numbers.shuffle([...groups.of.keys()])) {
    const community = communities[u] ?? 0
    if (groups.alone[u] !== 1 || !connected(u, community)) continue
    links.add(u, (v) => (communities[v] === community ? (groups.of[v] ?? 0) : -1))
    const best = bestFor(u, community)
    if (best !== u) join(groups, u, best, strengths[u] ?? 0, links.to[best] ?? 0)
    links.clear()
  }
  return renumbered(groups.of)
}

/** Each node in its own group. */
function single({ graph, strengths }: Level, communities: Int32Array): Groups {
  const outward = new Float64Array(graph.size)
  for (let u = 0; u < graph.size; u++) {
    for (let i = graph.offsets[u] ?? 0; i < (graph.offsets[u + 1] ?? 0); i++) {
      if (communities[graph.targets[i] ?? 0] === communities[u]) outward[u] = (outward[u] ?? 0) + (graph.weights[i] ?? 0)
    }
  }
  return { of: singletons(graph.size), strengths: strengths.slice(), outward, alone: new Uint8Array(graph.size).fill(1) }
}

function join(groups: Groups, u: number, group: number, strength: number, between: number): void {
  groups.of[u] = group
  groups.alone[group] = 0
  groups.strengths[group] = (groups.strengths[group] ?? 0) + strength
  groups.outward[group] = (groups.outward[group] ?? 0) + (groups.outward[u] ?? 0) - 2 * between
}
