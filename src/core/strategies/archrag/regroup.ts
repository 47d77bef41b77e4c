/**
 * One layer clustered into the communities of the next (ArchRAG, Algorithm 1, line 6): all of it, or only the surroundings of what changed. A new
 * node joins by its links; the communities it touches are clustered again from where they stand, weighed as in the whole graph; the rest is left
 * alone. Returns what comes and goes in the next layer.
 */

import { adoptSingletons } from '../../algorithms/adopt-singletons'
import { modularity } from '../../algorithms/modularity'
import { type WeightedEdge, type WeightedGraph, weightedGraph } from '../../algorithms/weighted-graph'
import { cosine } from '../../vectors'
import { type Clustering, fetchHomes, grouping, homeOf, keepState, membersAtHome, membersOf, sizeOf, stateOf } from './clustering-state'
import { fetchWeights, forgetWeightsFrom, relatedTo } from './relation-weights'
import { type Into, type Moves, replaceCommunities } from './replace-communities'
import { linksOf } from './weighted-links'

const NEIGHBOURS = 8 // of a new node, nearest first, whose communities it may join
const SMALL = 1 / 3 // of the members a community may have
const TOGETHER = 500 // nodes whose neighbours' rows are read at once
const HALF = 0.5 // of a layer, new at once: then all of it is clustered

/** `whole`: all of the layer; `fresh`: as if it had never been clustered, rather than from where it stands. */
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
  const moved = replaceCommunities(clustering, layer + 1, { groups, affected, moves, into, fresh })
  forgetWeightsFrom(clustering, layer + 1)
  return moved
}

function allOfLayer({ draft }: Clustering, layer: number): string[] {
  const out: string[] = []
  for (let page = draft.page('community', '', 1000); page.length > 0; page = draft.page('community', page[page.length - 1] ?? '', 1000)) {
    out.push(...page.filter((id) => draft.node(id)?.layer === layer))
  }
  return out
}

/**
 * Communities that the changed nodes belong to, or may join. A community that has only gained or lost members stays where it is, unless its own is
 * small.
 */
function affectedCommunities(clustering: Clustering, layer: number, { come, gone, changed }: Moves): Set<string> {
  const out = new Set<string>()
  const add = (id: string | undefined): void => {
    if (id !== undefined && clustering.draft.node(id)) out.add(id)
  }
  fetchHomes(clustering, [...changed, ...come])
  for (const parent of gone.values()) add(parent)
  for (const id of changed) if (layer === 0 || isSmall(clustering, homeOf(clustering, id))) add(homeOf(clustering, id))
  for (const id of come) add(homeOf(clustering, id))
  // New nodes may join their neighbours' communities, and so may a node whose fellow members have left.
  const left = [...out].map((id) => membersAtHome(clustering, id).filter((member) => clustering.rows.read(layer, member)))
  const loose = left.flatMap((members) =>
    members.length === 1 || (layer > 0 && members.length < SMALL * clustering.settings.max) ? members : [],
  )
  fetchWeights(clustering, layer, [...come, ...loose])
  const near = [...come, ...loose].flatMap((id) => nearestTo(clustering, layer, id))
  fetchHomes(clustering, near)
  const homes = near.map((id) => homeOf(clustering, id))
  clustering.draft.preload({ nodes: homes.filter((id) => id !== undefined) })
  for (const id of homes) add(id)
  return out
}

/** Nearest first. */
function nearestTo(clustering: Clustering, layer: number, id: string): readonly string[] {
  const nearest = [...linksOf(clustering, layer, id)].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return nearest.slice(0, NEIGHBOURS).map(([other]) => other)
}

/** Does it have so few members that it may do better as part of another? */
function isSmall({ draft, settings }: Clustering, id: string | undefined): boolean {
  return id !== undefined && membersOf(draft, id).length < SMALL * settings.max
}

function scopeOf(clustering: Clustering, layer: number, { come, changed }: Moves, affected: ReadonlySet<string>): readonly string[] {
  const { rows } = clustering
  const members = [...affected].flatMap((id) => membersAtHome(clustering, id))
  rows.fetch(layer, members)
  return [...new Set([...come, ...(layer === 0 ? changed : []), ...members])].filter((id) => rows.read(layer, id)).sort()
}

/** Members of each community found, in the order of their ids. */
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
  const found = clustering.steps.findCommunities(graph, { seed, max, whole, ...(start ? { start, restart: layer > 0 } : {}) })
  const communities = layer === 0 ? found : adoptSingletons(graph, found, max)
  if (!how.all && state && layer > 0 && scope.length > 0)
    keepState(clustering.draft, layer, {
      ...state,
      mean: state.mean + ((total / scope.length - state.mean) * scope.length) / sizeOf(clustering, layer),
    })
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

/** The links among these nodes, and the strength of all the links that each has. */
export function graphOf(
  clustering: Clustering,
  layer: number,
  scope: readonly string[],
): { readonly graph: WeightedGraph; readonly strengths: Float64Array } {
  const { rows } = clustering
  const at = new Map(scope.map((id, i) => [id, i]))
  rows.fetch(layer, scope)
  fetchWeights(clustering, layer, scope)
  const edges = new Map<number, WeightedEdge>()
  const strengths = new Float64Array(scope.length)
  // Each part is weighed before the next is read: what is read for a large scope is more than the graph caches.
  for (let from = 0; from < scope.length; from += TOGETHER) {
    const some = scope.slice(from, from + TOGETHER)
    const linked = [...new Set(some.flatMap((id) => [...relatedTo(clustering, layer, id), ...(rows.read(layer, id)?.near ?? [])]))]
    rows.fetch(layer, linked)
    if (layer > 0) clustering.draft.preload({ nodes: [...some, ...linked] })
    some.forEach((id, i) => {
      const u = from + i
      for (const [other, weight] of linksOf(clustering, layer, id)) {
        const v = at.get(other)
        if (v === undefined) strengths[u] = (strengths[u] ?? 0) + weight
        // A hub reads only some of its links, so a link counts even if only its other end knows it.
        else edges.set(Math.min(u, v) * scope.length + Math.max(u, v), { u: Math.min(u, v), v: Math.max(u, v), weight })
      }
    })
  }
  for (const { u, v, weight } of edges.values()) {
    strengths[u] = (strengths[u] ?? 0) + weight
    strengths[v] = (strengths[v] ?? 0) + weight
  }
  return { graph: weightedGraph(scope.length, [...edges.values()]), strengths }
}

function startOf(clustering: Clustering, scope: readonly string[]): Int32Array {
  fetchHomes(clustering, scope)
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
