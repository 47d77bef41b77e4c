/**
 * What is near the question in each layer (ArchRAG, §3.2.1): by C-HNSW from the top down if there are links, else by comparing all (in a large
 * corpus only the members of the best communities), and by name: entities the question names are found whatever their vectors say, and so are the
 * communities they are in.
 */
import { type Counter, hierarchical, nearness, type Scored } from '../../algorithms/c-hnsw-search'
import { MENTIONS, mentionsOf } from '../../builders/mention-list'
import { mergedNames } from '../../builders/resolution'
import { namesIn } from '../../channels/names'
import type { GraphReader } from '../../graph/reader'
import type { Vector } from '../../graph/types'
import { chunkOf } from '../../ids'
import type { Query } from '../../strategy'
import { guestsIn } from './above'
import { membersOf, parentOf } from './clustering-state'
import { communityOf } from './community'
import { passagesOf } from './entities'
import { isLinked } from './linking'
import type { ArchOptions } from './options'
import { type Rows, rowsIn, vectorsIn } from './rows'

const SPARE = 4 // times k are looked at, since a filter may refuse some
const WIDER = 4 // times as many if the asker may see too few of these
const WHOLE = 8000 // nodes of a layer up to which all are compared with a question; comparing more takes longer than the whole rest of it
const SEEN = 20_000 // entities up to which all are compared for an asker who may not see everything
const OPENED = 96 // communities whose members are compared in a larger layer
const LARGE = 64 // entities below a community up to which a filter is checked; larger communities are then left out

export interface Layered {
  /** Per layer, best first: entities in layer 0, communities above. */
  readonly layers: readonly (readonly Scored[])[]
  readonly named: readonly string[]
  /** Distances computed in each layer. */
  readonly distances: readonly number[]
  readonly by: 'links' | 'all'
}

/** `highest`: the last layer searched. */
export function searchLayers(graph: GraphReader, query: Query, own: ArchOptions, highest = Number.POSITIVE_INFINITY): Layered {
  const rows = rowsIn(graph)
  const top = Math.min(highest, rows.top())
  const linked = isLinked(graph)
  const counters: Counter[] = []
  const near = nearest(graph, query, { k: own.k, ef: own.ef, top }, (wide) => {
    if (!query.vector) return []
    if (linked) return hierarchical(rows, query.vector, wide, own.ef, counters)
    const width = { wide, counters }
    const found = isBeyondSight(graph)
      ? compareBeside(graph, rows, query, query.vector, width)
      : compareDown(graph, rows, query.vector, width)
    return found.slice(0, top + 1)
  })
  const spoken = namesIn(graph, query.text).flatMap((one) => one.entities)
  const named = [...new Set(spoken.flatMap((id) => mergedNames(graph, id)))]
  const layers: Scored[][] = []
  for (let layer = 0; layer <= top; layer++) {
    const said = layer === 0 ? named : communitiesAbove(graph, named, layer)
    const shown = said.filter((id) => isAdmitted(graph, query, layer, id))
    layers.push(namedFirst(near[layer] ?? [], shown))
  }
  return { layers, named, distances: counters.map((one) => one.distances), by: linked ? 'links' : 'all' }
}

/**
 * In each layer, the k nearest that the asker may be shown. The search meets `ef` of a layer in any case, so that many are looked through before it
 * is widened; how many were hidden affects nothing else.
 */
function nearest(
  graph: GraphReader,
  query: Query,
  { k, top, ef }: { readonly k: number; readonly top: number; readonly ef: number },
  search: (wide: number) => readonly (readonly Scored[])[],
): readonly (readonly Scored[])[] {
  const spare = query.admits ? k * SPARE : k
  for (let wide = graph.isPartial ? Math.max(k * SPARE, ef) : spare, last = !graph.isPartial; ; wide *= WIDER, last = true) {
    const found = search(wide)
    const shown = found.slice(0, top + 1).map((layer, at) => first(layer, k, ({ id }) => isAdmitted(graph, query, at, id)))
    if (last || shown.every((layer, at) => layer.length >= k || (found[at]?.length ?? 0) < wide)) return shown
  }
}

function first<T>(list: readonly T[], limit: number, keeps: (one: T) => boolean): T[] {
  const out: T[] = []
  for (const one of list) {
    if (out.length >= limit) break
    if (keeps(one)) out.push(one)
  }
  return out
}

function compareAll(graph: GraphReader, vector: Vector, { layer, k, counters }: Layer): Scored[] {
  const all: Scored[] = []
  for (const [id, own] of vectorsIn(graph, layer)) all.push({ id, score: nearness(vector, own) })
  counters[layer] = { distances: all.length }
  return best(all, k)
}

interface Width {
  /** Nodes of each layer that are wanted. */
  readonly wide: number
  readonly counters: Counter[]
  /** Nodes of a layer up to which all are compared. */
  readonly whole?: number
}

/** In each layer the nearest, best first, from the top down: of a large layer, members of the nearest communities above it. */
export function compareDown(graph: GraphReader, rows: Readable, vector: Vector, { wide, counters, whole = WHOLE }: Width): Scored[][] {
  const out: Scored[][] = []
  for (let layer = rows.top(), above: readonly Scored[] | undefined; layer >= 0; layer--) {
    const k = layer > 0 ? Math.max(wide, OPENED) : wide
    const one = { layer, k, counters }
    above = above && isLarge(graph, layer, whole) ? compareMembers(graph, rows, vector, above, one) : compareAll(graph, vector, one)
    out[layer] = above.slice(0, wide)
  }
  return out
}

type Readable = Pick<Rows, 'fetch' | 'read' | 'top'>

/** May the asker not see everything, of a corpus too large to compare all of? */
export function isBeyondSight(graph: Pick<GraphReader, 'isPartial' | 'count'>): boolean {
  return graph.isPartial === true && graph.count('entity') > SEEN
}

/** What the passages near the question name, and the communities above that: nothing that the asker may not see has a part in it. */
export function compareBeside(graph: GraphReader, rows: Readable, query: Query, vector: Vector, { wide, counters }: Width): Scored[][] {
  const chunks = [...new Set((query.near.passage ?? []).map(({ id }) => chunkOf(id)))].filter((id) => graph.chunk(id))
  graph.preload?.({ values: [{ space: MENTIONS, keys: chunks }] })
  let ids = [...new Set(chunks.flatMap((id) => mentionsOf(graph, id).map(({ entity }) => entity)))]
  const out: Scored[][] = []
  for (let layer = 0; layer <= rows.top(); layer++) {
    out[layer] = nearestOf(rows, vector, ids, { layer, k: wide, counters })
    graph.preload?.({ incident: [{ kind: 'member', end: 'source', ids }] })
    ids = [...new Set(ids.flatMap((id) => parentOf(graph, id) ?? []))]
  }
  return out
}

/**
 * For an asker who may not see everything, every node is compared: what he may see can be in communities he may not, which must have no
 * influence.
 */
export function isLarge(graph: Pick<GraphReader, 'isPartial' | 'count'>, layer: number, whole = WHOLE): boolean {
  return !graph.isPartial && (layer === 0 ? graph.count('entity') : graph.count('community', layer)) > whole
}

interface Layer {
  readonly layer: number
  /** The most that are returned. */
  readonly k: number
  readonly counters: Counter[]
}

/** Members of the communities nearest to a vector, and the new ones near these: some hundreds, whatever the size of the corpus. */
function compareMembers(graph: GraphReader, rows: Readable, vector: Vector, above: readonly Scored[], one: Layer): Scored[] {
  const opened = above.slice(0, OPENED).map(({ id }) => id)
  graph.preload?.({ nodes: opened })
  const guests = one.layer === 1 ? guestsIn(graph) : NONE
  const ids = opened.flatMap((id) => [...membersOf(graph, id), ...(guests.get(id) ?? [])])
  return nearestOf(rows, vector, ids, one)
}

function nearestOf(rows: Readable, vector: Vector, ids: readonly string[], { layer, k, counters }: Layer): Scored[] {
  rows.fetch(layer, ids)
  counters[layer] = { distances: ids.length }
  const all = ids.flatMap((id): Scored[] => {
    const row = rows.read(layer, id)
    return row ? [{ id, score: nearness(vector, row.vector) }] : []
  })
  return best(all, k)
}

const NONE: ReadonlyMap<string, readonly string[]> = new Map()

function best(found: Scored[], k: number): Scored[] {
  return found.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, k)
}

/** Entities that the question names come first. */
function namedFirst(near: readonly Scored[], named: readonly string[]): Scored[] {
  const known = new Map(near.map((one) => [one.id, one]))
  const first = [...new Set(named)].map((id) => known.get(id) ?? { id, score: 0 })
  return [...first, ...near.filter((one) => !named.includes(one.id))]
}

function communitiesAbove(graph: GraphReader, entities: readonly string[], layer: number): readonly string[] {
  return [
    ...new Set(
      entities.flatMap((entity) => {
        let at: string | undefined = entity
        for (let i = 0; i < layer && at !== undefined; i++) at = parentOf(graph, at)
        return at ?? []
      }),
    ),
  ]
}

/**
 * What the asker may not see is left out. Under a filter a community counts only if every entity below it is spoken of in a text the caller may
 * see.
 */
function isAdmitted(graph: GraphReader, query: Query, layer: number, id: string): boolean {
  const { admits } = query
  if (graph.isPartial && !graph.node(id)) return false
  if (!admits) return true
  if (layer === 0) return passagesOf(graph, id, LARGE).some((passage) => admits(chunkOf(passage)))
  const node = graph.node(id)
  // For a stale report above the first layer it is no longer known what it was written from.
  if (!node || communityOf(node).leaves > LARGE || (layer > 1 && node.stale)) return false
  const { members, from } = communityOf(node)
  return from.every(admits) && (layer === 1 || members.every((member) => isAdmitted(graph, query, layer - 1, member)))
}
