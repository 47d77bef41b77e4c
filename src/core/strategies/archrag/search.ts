/**
 * What is near the question in each layer (ArchRAG, §3.2.1): by C-HNSW from the top down if there are links, else by comparing all (in a large
 * corpus only the members of the best communities), and by name: entities the question names are found whatever their vectors say, and so are the
 * communities they are in.
 */
import { type Counter, hierarchical, nearness, type Scored } from '../../algorithms/c-hnsw-search'
import { mergedNames } from '../../builders/resolution'
import { namesIn } from '../../channels/names'
import type { GraphReader } from '../../graph/reader'
import type { Vector } from '../../graph/types'
import { chunkOf } from '../../ids'
import type { Query } from '../../strategy'
import { membersOf, parentOf } from './clustering-state'
import { communityOf } from './community'
import { passagesOf } from './entities'
import { isLinked } from './linking'
import type { ArchOptions } from './options'
import { type Rows, rowsIn, vectorsIn } from './rows'

const SPARE = 4 // times k are looked at, since a filter may refuse some
const WIDER = 4 // times as many if the asker may see too few of these
const WHOLE = 8000 // entities up to which all are compared with a question; comparing more takes longer than the whole rest of it
const OPENED = 96 // communities whose entities are compared in a larger corpus
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
    const { vector } = query
    const above = Array.from({ length: top }, (_, i) => compareAll(graph, i + 1, vector, Math.max(wide, i === 0 ? OPENED : 0), counters))
    const lowest =
      top > 0 && isLarge(graph)
        ? compareMembers(graph, rows, vector, { above: above[0] ?? [], k: wide, counters })
        : compareAll(graph, 0, vector, wide, counters)
    return [lowest, ...above.map((layer) => layer.slice(0, wide))]
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

function compareAll(graph: GraphReader, layer: number, vector: Vector, k: number, counters: Counter[]): Scored[] {
  const all: Scored[] = []
  for (const [id, own] of vectorsIn(graph, layer)) all.push({ id, score: nearness(vector, own) })
  counters[layer] = { distances: all.length }
  return all.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, k)
}

/**
 * For an asker who may not see everything, every entity is compared: what he may see can be in communities he may not, which must have no
 * influence.
 */
export function isLarge(graph: Pick<GraphReader, 'isPartial' | 'count'>): boolean {
  return !graph.isPartial && graph.count('entity') > WHOLE
}

/** Entities of the communities nearest to a vector: in a large corpus a few hundred are compared, and nothing but the communities is kept for it. */
export function compareMembers(
  graph: GraphReader,
  rows: Pick<Rows, 'fetch' | 'read'>,
  vector: Vector,
  { above, k, counters }: { readonly above: readonly Scored[]; readonly k: number; readonly counters: Counter[] },
): Scored[] {
  const ids = above.slice(0, OPENED).flatMap(({ id }) => membersOf(graph, id))
  rows.fetch(0, ids)
  counters[0] = { distances: ids.length }
  const all = ids.flatMap((id): Scored[] => {
    const row = rows.read(0, id)
    return row ? [{ id, score: nearness(vector, row.vector) }] : []
  })
  return all.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, k)
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
