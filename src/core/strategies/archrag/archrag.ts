/**
 * ArchRAG (Wang et al. 2025, arXiv 2502.09891): entities and attributed communities are searched layer by layer, and what they say is filtered by
 * relevance. It searches all layers, and takes relations among and around the entities found, and communities with the passages that bear them out.
 * The filter asks no model: what is kept is text of the corpus, never a model's own answer.
 */

import { links } from '../../builders/links'
import { mentions } from '../../builders/mentions'
import type { GraphReader } from '../../graph/reader'
import type { Json } from '../../graph/types'
import { kindOf } from '../../ids'
import type { Found, Options, Query, Retrieved, Strategy } from '../../strategy'
import { decisions, knowledge, senses } from '../shared-builders'
import { archBuilder } from './build'
import { communityOf } from './community'
import { entityCards } from './entity-cards'
import { type ArchOptions, readOptions } from './options'
import { type Points, pointsOf } from './points'
import { type Layered, searchLayers } from './search'

export { archBuilder }

export const COMMUNITY_SHARE = 0.5 // at most this much of the evidence for communities, each counted with the passage shown beside it
const OVERFETCH = 3 // times the pieces wanted are offered, since some hold the same text, or too much
const PASSAGES = 4 // for each entity of k: some passages speak of it, and others bear out its relations
const CARD_SHARE = 0.3 // at most this share of the places for cards of entities, which say briefly what passages say at length
const WITH = 2 // pieces of evidence that a community takes up

export const archrag: Strategy = {
  name: 'archrag',
  builders: [mentions, links, knowledge, senses, decisions, archBuilder],
  entries: [{ kind: 'passage', k: 100 }],
  retrieve(graph, query, _scores, options) {
    return evidenceOf(graph, query, searchLayers(graph, query, readOptions(options)), options)
  },
}

/** What the searched layers have to say. */
export function evidenceOf(graph: GraphReader, query: Query, layered: Layered, options: Options): Retrieved {
  const own = readOptions(options)
  const points = pointsOf(graph, query, layered, own)
  const chosen = own.filter === 'layers' ? bestOfEachLayer(points, own) : chooseEvidence(points, options)
  const found = own.descriptions
    ? withCards(graph, query, { layered, points, chosen, limit: own.filter === 'layers' ? own.k : cardsAmong(options) })
    : chosen
  if (!options.trace) return { kind: 'evidence', found }
  return { kind: 'evidence', found, trace: traceOf(graph, layered, found, own, points.relations.length) }
}

function cardsAmong({ topK }: Options): number {
  return Math.floor(CARD_SHARE * topK)
}

interface Evidenced {
  readonly layered: Layered
  readonly points: Points
  readonly chosen: readonly Found[]
  readonly limit: number
}

/** Each card comes right after the passage that bears it out. */
function withCards(graph: GraphReader, query: Query, { layered, points, chosen, limit }: Evidenced): readonly Found[] {
  const entities = (layered.layers[0] ?? []).map((one) => one.id)
  const passages = chosen.filter((one) => kindOf(one.id) === 'passage')
  const cards = entityCards(graph, query, { entities, relations: points.relations, passages }, limit)
  if (cards.length === 0) return chosen
  const behind = new Map<string, Found[]>()
  for (const card of cards) behind.set(card.support?.[0] ?? '', [...(behind.get(card.support?.[0] ?? '') ?? []), card])
  const placed = chosen.flatMap((one) => [one, ...(behind.get(one.id) ?? [])])
  const known = new Set(chosen.map((one) => one.id))
  return [...placed, ...cards.filter((card) => !known.has(card.support?.[0] ?? ''))]
}

/** Best first, with communities in at most a share of the places, each with the passages that bear it out. */
function chooseEvidence({ found, support }: Points, { topK }: Options): readonly Found[] {
  let left = Math.floor((COMMUNITY_SHARE * topK) / WITH)
  const out: Found[] = []
  for (const one of found.slice(0, OVERFETCH * topK)) {
    if (kindOf(one.id) !== 'community') out.push(one)
    else if (left > 0) {
      const passages = support(one.id)
      if (passages.length === 0) continue
      out.push({ ...one, support: passages })
      left--
    }
  }
  return out
}

/** The best of each layer, without favouring one: k communities, and the passages of as many entities. */
function bestOfEachLayer({ found, support }: Points, { k }: ArchOptions): readonly Found[] {
  const left = new Map<string, number>()
  return found.flatMap((one) => {
    const community = kindOf(one.id) === 'community'
    const layer = community ? one.via : 'passages'
    const places = left.get(layer) ?? (community ? k : k * PASSAGES)
    const passages = community && places > 0 ? support(one.id) : []
    if (places === 0 || (community && passages.length === 0)) return []
    left.set(layer, places - 1)
    return [community ? { ...one, support: passages } : one]
  })
}

function traceOf(graph: GraphReader, layered: Layered, found: readonly Found[], own: ArchOptions, relations: number): Json {
  return {
    filter: own.filter,
    k: own.k,
    searched: layered.by,
    named: [...layered.named],
    found: layered.layers.map((hits, layer) => ({
      layer,
      // Counts over the whole corpus would say how much of it is hidden.
      ...(graph.isPartial
        ? {}
        : { nodes: layer === 0 ? graph.count('entity') : graph.count('community', layer), distances: layered.distances[layer] ?? 0 }),
      best: hits.slice(0, own.k).map(({ id, score }) => ({ id, score })),
    })),
    relations,
    reports: found.flatMap(({ id }) => {
      const node = graph.node(id)
      return node?.kind === 'community' ? [{ id, layer: node.layer, title: communityOf(node).title, stale: node.stale ?? false }] : []
    }),
  }
}
