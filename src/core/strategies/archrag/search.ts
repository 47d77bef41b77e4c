/**
 * What is near the question in each layer (ArchRAG, §3.2.1): by C-HNSW from the top down where there are links, by comparing all where the corpus
 * is small, and by name: entities the question names are found whatever their vectors say, and so are the communities they are in.
 */
import { type Counter, hierarchical, nearness, type Scored } from '../../algorithms/c-hnsw-search'
import { mergedNames } from '../../builders/resolution'
import { namesIn } from '../../channels/names'
import type { GraphReader } from '../../graph/reader'
import type { Vector } from '../../graph/types'
import { chunkOf } from '../../ids'
import type { Query } from '../../strategy'
import { parentOf } from './clustering-state'
import { communityOf } from './community'
import { passagesOf } from './entities'
import { isLinked } from './linking'
import type { ArchOptions } from './options'
import { rowsIn, vectorsIn } from './rows'

const SPARE = 4 // times k are looked at, since a filter may refuse some
const HIDDEN = 16 // times k, where part of the graph is hidden from the asker
const LARGE = 64 // entities below a community up to which a filter is checked; larger ones are left out then

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
  const wide = own.k * (graph.isPartial ? HIDDEN : query.admits ? SPARE : 1)
  const found: (readonly Scored[])[] = []
  if (query.vector && linked) found.push(...hierarchical(rows, query.vector, wide, own.ef, counters))
  if (query.vector && !linked) {
    for (let layer = 0; layer <= top; layer++) found.push(compareAll(graph, layer, query.vector, wide, counters))
  }
  const said = namesIn(graph, query.text).flatMap((one) => one.entities)
  const named = [...new Set(said.flatMap((id) => mergedNames(graph, id)))]
  const layers: Scored[][] = []
  for (let layer = 0; layer <= top; layer++) {
    const near = (found[layer] ?? []).filter((one) => isAdmitted(graph, query, layer, one.id)).slice(0, own.k)
    layers.push(
      namedFirst(near, layer === 0 ? named : communitiesAbove(graph, named, layer)).filter((one) =>
        isAdmitted(graph, query, layer, one.id),
      ),
    )
  }
  return { layers, named, distances: counters.map((one) => one.distances), by: linked ? 'links' : 'all' }
}

function compareAll(graph: GraphReader, layer: number, vector: Vector, k: number, counters: Counter[]): Scored[] {
  const all: Scored[] = []
  for (const [id, own] of vectorsIn(graph, layer)) all.push({ id, score: nearness(vector, own) })
  counters[layer] = { distances: all.length }
  return all.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, k)
}

/** Named ones first. */
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

/** What the asker may not see is none. Under a filter a community counts only if every entity below it is spoken of in a text the caller may see. */
function isAdmitted(graph: GraphReader, query: Query, layer: number, id: string): boolean {
  const { admits } = query
  if (graph.isPartial && !graph.node(id)) return false
  if (!admits) return true
  if (layer === 0) return passagesOf(graph, id, LARGE).some((passage) => admits(chunkOf(passage)))
  const node = graph.node(id)
  // What a stale report above the first layer was written from is not known any more.
  if (!node || communityOf(node).leaves > LARGE || (layer > 1 && node.stale)) return false
  const { members, from } = communityOf(node)
  return from.every(admits) && (layer === 1 || members.every((member) => isAdmitted(graph, query, layer - 1, member)))
}
