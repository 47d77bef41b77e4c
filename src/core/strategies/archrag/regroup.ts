/**
 * One layer clustered into the communities of the next (ArchRAG, Algorithm 1, line 6): all of it, or only round about what changed. A new
 * node joins by its links; the communities it touches are clustered again from where they stand, weighed as in the whole graph; the rest
 * is left alone. What comes and goes in the next layer is returned.
 */

import { modularity } from '../../algorithms/modularity'
import { type WeightedEdge, type WeightedGraph, weightedGraph } from '../../algorithms/weighted-graph'
import type { GraphNode } from '../../graph/types'
import { cosine } from '../../vectors'
import { type Clustering, grouping, homeOf, keepState, linksOf, membersOf, sizeOf, stateOf } from './clustering-state'
import { communityId, communityOf, createCommunity, dissolve } from './community'

const NEIGHBOURS = 8 // of a new node, nearest first, whose communities it may join
const HALF = 0.5 // of a layer new at once: then all of it is clustered

export interface Moves {
  readonly come: ReadonlySet<string>
  /** What went, each with the community it was in. */
  readonly gone: ReadonlyMap<string, string | undefined>
  /** Still there, but linked otherwise. */
  readonly changed: ReadonlySet<string>
}

/** Old community → the one that now holds all of its members. */
export type Into = Map<string, string>

/** `whole`: all of the layer; `fresh`: as if it had never been clustered, instead of from where it stands. */
export function regroup(
  clustering: Clustering,
  layer: number,
  moves: Moves,
  into: Into,
  { whole, fresh }: { readonly whole: boolean; readonly fresh: boolean },
): Moves {
  const all = whole || moves.come.size > HALF * sizeOf(clustering, layer)
  const affected = new Set(all ? allOfLayer(clustering, layer + 1) : affectedCommunities(clustering, layer, moves))
  const scope = all ? clustering.rows.ids(layer) : scopeOf(clustering, layer, moves, affected)
  const groups = cluster(clustering, layer, scope, { all, fresh })
  return replaceCommunities(clustering, layer + 1, groups, affected, { moves, into })
}

function allOfLayer({ draft }: Clustering, layer: number): string[] {
  const out: string[] = []
  for (let page = draft.page('community', '', 1000); page.length > 0; page = draft.page('community', page[page.length - 1] ?? '', 1000)) {
    out.push(...page.filter((id) => draft.node(id)?.layer === layer))
  }
  return out
}

/** Communities that what changed belongs to, or may join. */
function affectedCommunities(clustering: Clustering, layer: number, { come, gone, changed }: Moves): Set<string> {
  const out = new Set<string>()
  const add = (id: string | undefined): void => {
    if (id !== undefined && clustering.draft.node(id)) out.add(id)
  }
  for (const parent of gone.values()) add(parent)
  for (const id of changed) add(homeOf(clustering, id))
  for (const id of come) add(homeOf(clustering, id))
  // What is new may join its neighbours' communities, and so may a node that the others of its own have left.
  const left = [...out].map((id) => membersOf(clustering.draft, id).filter((member) => clustering.rows.read(layer, member)))
  for (const id of [...come, ...left.flatMap((members) => (members.length === 1 ? members : []))]) {
    const nearest = [...linksOf(clustering, layer, id)].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, NEIGHBOURS)
    for (const [other] of nearest) add(homeOf(clustering, other))
  }
  return out
}

function scopeOf({ draft, rows }: Clustering, layer: number, { come, changed }: Moves, affected: ReadonlySet<string>): readonly string[] {
  const members = [...affected].flatMap((id) => membersOf(draft, id))
  return [...new Set([...come, ...changed, ...members])].filter((id) => rows.read(layer, id)).sort()
}

/** Members of each community found, in order of id. */
function cluster(
  clustering: Clustering,
  layer: number,
  scope: readonly string[],
  how: { readonly all: boolean; readonly fresh: boolean },
): string[][] {
  const { graph, strengths } = graphOf(clustering, layer, scope)
  const total = strengths.reduce((sum, one) => sum + one, 0)
  const state = stateOf(clustering.draft, layer)
  const known = state && !how.all ? state.mean * sizeOf(clustering, layer) : total
  const start = how.fresh ? undefined : startOf(clustering, scope)
  const { seed, max } = clustering.settings
  const whole = { strengths, twice: Math.max(known, total) }
  const communities = clustering.steps.findCommunities(graph, { seed, max, whole, ...(start ? { start } : {}) })
  if (how.all && state) {
    const quality = { modularity: modularity(graph, communities), likeness: likeness(clustering, layer, scope, communities) }
    keepState(clustering.draft, layer, { ...state, mean: scope.length > 0 ? total / scope.length : 0, clustered: scope.length, ...quality })
  }
  const groups: string[][] = []
  communities.forEach((community, i) => {
    const group = groups[community] ?? []
    groups[community] = group
    group.push(scope[i] as string)
  })
  return groups
}

/** The links among these nodes, and all that each has. */
export function graphOf(
  clustering: Clustering,
  layer: number,
  scope: readonly string[],
): { readonly graph: WeightedGraph; readonly strengths: Float64Array } {
  const at = new Map(scope.map((id, i) => [id, i]))
  const edges = new Map<number, WeightedEdge>()
  const strengths = new Float64Array(scope.length)
  scope.forEach((id, u) => {
    for (const [other, weight] of linksOf(clustering, layer, id)) {
      const v = at.get(other)
      if (v === undefined) strengths[u] = (strengths[u] ?? 0) + weight
      // A hub reads only some of its links: one that only its other end knows counts all the same.
      else edges.set(Math.min(u, v) * scope.length + Math.max(u, v), { u: Math.min(u, v), v: Math.max(u, v), weight })
    }
  })
  for (const { u, v, weight } of edges.values()) {
    strengths[u] = (strengths[u] ?? 0) + weight
    strengths[v] = (strengths[v] ?? 0) + weight
  }
  return { graph: weightedGraph(scope.length, [...edges.values()]), strengths }
}

function startOf(clustering: Clustering, scope: readonly string[]): Int32Array {
  const numbers = new Map<string, number>()
  return Int32Array.from(scope, (id) => {
    const key = homeOf(clustering, id) ?? id
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  })
}

/** Mean cosine of the nodes to the mean of their community (the paper's Sim). */
export function likeness(clustering: Clustering, layer: number, scope: readonly string[], communities: Int32Array): number {
  const means = new Map<number, Float64Array>()
  scope.forEach((id, i) => {
    const vector = grouping(clustering, layer, id)
    const mean = means.get(communities[i] ?? 0) ?? new Float64Array(vector.length)
    means.set(communities[i] ?? 0, mean)
    for (let d = 0; d < vector.length; d++) mean[d] = (mean[d] ?? 0) + (vector[d] ?? 0)
  })
  let sum = 0
  scope.forEach((id, i) => {
    sum += cosine(grouping(clustering, layer, id), means.get(communities[i] ?? 0) ?? [])
  })
  return scope.length > 0 ? sum / scope.length : 0
}

/** Puts these communities in the place of the former ones. */
function replaceCommunities(
  clustering: Clustering,
  layer: number,
  groups: readonly (readonly string[])[],
  affected: ReadonlySet<string>,
  { moves, into }: { readonly moves: Moves; readonly into: Into },
): Moves {
  const { draft } = clustering
  const named = new Map(groups.map((members) => [communityId(layer, members), members] as const))
  const home = new Map([...named].flatMap(([id, members]) => members.map((member) => [member, id] as const)))
  const former = new Map([...affected].map((id) => [id, draft.node(id)] as const))
  const going = [...former].filter(([id]) => !named.has(id))
  const carried = carryReports(going, home, into)
  const gone = new Map<string, string | undefined>()
  for (const [id] of going) {
    gone.set(id, homeOf(clustering, id))
    dissolve(clustering, id)
  }
  const come = new Set<string>()
  const changed = new Set<string>()
  for (const [id, members] of named) {
    if (former.has(id)) {
      // The same members, but one of them was there before in name only: its edge, or its vector, is to be made anew.
      if (members.some((member) => moves.changed.has(member) || moves.come.has(member)))
        refreshCommunity(clustering, layer, id, members, changed)
      continue
    }
    createCommunity(clustering, layer, members, carried.get(id))
    come.add(id)
  }
  return { come, gone, changed }
}

function refreshCommunity(clustering: Clustering, layer: number, id: string, members: readonly string[], changed: Set<string>): void {
  const node = clustering.draft.node(id)
  if (!node) return
  createCommunity(clustering, layer, members, node)
  changed.add(id)
}

/**
 * The report of a former community may stand, marked stale, in a new one that holds all of its members: then it says nothing that is not
 * below it. In any other it might outlive the document it came from.
 */
function carryReports(
  going: readonly (readonly [string, GraphNode | undefined])[],
  home: ReadonlyMap<string, string>,
  into: Into,
): Map<string, GraphNode> {
  const carried = new Map<string, GraphNode>()
  for (const [id, node] of going) {
    if (!node) continue
    const homes = new Set(communityOf(node).members.map((member) => home.get(into.get(member) ?? member)))
    const [target] = homes
    if (homes.size !== 1 || target === undefined) continue
    into.set(id, target)
    const other = carried.get(target)
    if (node.text !== '' && (!other || communityOf(other).leaves < communityOf(node).leaves)) carried.set(target, node)
  }
  return carried
}
