/**
 * Puts the communities found in the place of the former ones. A community that keeps most of its members is the same node as before, whatever it
 * gains or loses: so a newcomer changes one node in each layer above it, and renames none. In a fresh clustering, communities are named by their
 * members alone, whatever they were called before.
 */
import type { GraphNode } from '../../graph/types'
import { type Clustering, fetchHomes, homeOf } from './clustering-state'
import { communityId, communityOf, dissolve, fetchEdges, putMembers } from './community'

export interface Moves {
  readonly come: ReadonlySet<string>
  /** What is gone, each with the community it was in. */
  readonly gone: ReadonlyMap<string, string | undefined>
  /** Still there, but with other links or members. */
  readonly changed: ReadonlySet<string>
}

/** Former community → the one that now holds all of its members; empty if they have been parted. */
export type Into = Map<string, string>

export const PARTED = ''

interface Found {
  /** Members of each community, in the order of their ids. */
  readonly groups: readonly (readonly string[])[]
  /** Former communities whose members are in these groups. */
  readonly affected: ReadonlySet<string>
  /** What has moved among the members. */
  readonly moves: Moves
  readonly into: Into
  /** Are communities named by their members alone? */
  readonly fresh: boolean
}

export function replaceCommunities(clustering: Clustering, layer: number, { groups, affected, moves, into, fresh }: Found): Moves {
  const { draft } = clustering
  const former = nodesOf(clustering, affected)
  const besides = nodesOf(clustering, parentsOf(clustering, moves.changed, affected))
  const named = fresh ? byMembers(layer, groups) : bySuccession(clustering, layer, groups, former)
  for (const [id, node] of besides) named.set(id, communityOf(node).members)
  const home = new Map([...named].flatMap(([id, members]) => members.map((member) => [member, id] as const)))
  const carried = carryReports(new Map([...former, ...besides]), home, into)
  const left = [...former.keys()].filter((id) => !named.has(id))
  fetchHomes(clustering, left)
  const gone = new Map(left.map((id) => [id, homeOf(clustering, id)] as const))
  for (const id of gone.keys()) dissolve(clustering, id)
  const come = new Set<string>()
  const changed = new Set<string>()
  const memberships = [...named].flatMap(([id, members]) => {
    const before = draft.node(id)
    const lost = new Set(before ? communityOf(before).members : [])
    const joined = members.filter((member) => !lost.has(member) || moves.come.has(member))
    for (const member of members) lost.delete(member)
    if (before && joined.length === 0 && lost.size === 0 && !members.some((member) => moves.changed.has(member))) return []
    ;(before ? changed : come).add(id)
    return [{ id, layer, members, joined, left: [...lost] }]
  })
  fetchEdges(clustering, memberships)
  for (const one of memberships) putMembers(clustering, one, carried.get(one.id))
  return { come, gone, changed }
}

function nodesOf({ draft }: Clustering, ids: Iterable<string>): Map<string, GraphNode> {
  return new Map([...ids].flatMap((id) => draft.node(id) ?? []).map((node) => [node.id, node]))
}

/** Communities that stay as they are, though a member has changed. */
function parentsOf(clustering: Clustering, changed: ReadonlySet<string>, without: ReadonlySet<string>): Set<string> {
  const homes = [...changed].flatMap((id) => homeOf(clustering, id) ?? [])
  return new Set(homes.filter((id) => !without.has(id)))
}

function byMembers(layer: number, groups: Found['groups']): Map<string, readonly string[]> {
  return new Map(groups.map((members) => [communityId(layer, members), members] as const))
}

/** Each group takes the name of the former community it shares most members with, unless another group has a better claim to it. */
function bySuccession(
  { draft }: Clustering,
  layer: number,
  groups: Found['groups'],
  former: ReadonlyMap<string, GraphNode>,
): Map<string, readonly string[]> {
  const before = new Map([...former].flatMap(([id, node]) => communityOf(node).members.map((member) => [member, id] as const)))
  const claims = groups.flatMap((members, group) => {
    const shared = new Map<string, number>()
    for (const member of members) {
      const id = before.get(member)
      if (id !== undefined) shared.set(id, (shared.get(id) ?? 0) + 1)
    }
    return [...shared].map(([id, count]) => ({ group, id, count }))
  })
  claims.sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : a.id > b.id ? 1 : a.group - b.group))
  const names = new Map<number, string>()
  const taken = new Set<string>()
  for (const { group, id } of claims) {
    if (names.has(group) || taken.has(id)) continue
    names.set(group, id)
    taken.add(id)
  }
  const first = new Map(groups.flatMap((members, group) => (names.has(group) ? [] : [[members, communityId(layer, members)] as const])))
  draft.preload({ nodes: [...first.values()] })
  const free = (members: readonly string[]): string => {
    for (let more = 0; ; more++) {
      const id = (more === 0 && first.get(members)) || communityId(layer, more === 0 ? members : [...members, String(more)])
      if (!taken.has(id) && !former.has(id) && !draft.node(id)) {
        taken.add(id)
        return id
      }
    }
  }
  return new Map(groups.map((members, group) => [names.get(group) ?? free(members), members] as const))
}

/**
 * The report of a former community may stay, marked stale, in one that holds all of its members: then it says nothing that is not below it. In any
 * other it might outlive the document it came from.
 */
function carryReports(former: ReadonlyMap<string, GraphNode>, home: ReadonlyMap<string, string>, into: Into): Map<string, GraphNode> {
  const carried = new Map<string, GraphNode>()
  for (const [id, node] of former) {
    const homes = new Set(communityOf(node).members.map((member) => home.get(into.get(member) ?? member)))
    const [target] = homes
    const whole = homes.size === 1 && target !== undefined
    into.set(id, whole ? target : PARTED)
    if (!whole || node.text === '') continue
    const other = carried.get(target)
    if (!other || communityOf(other).leaves < communityOf(node).leaves) carried.set(target, node)
  }
  return carried
}
