/**
 * What the lowest layer says about itself (ArchRAG, §3.2.2: R₀ holds the entities found and their relations, with what models said of each): a card
 * for each entity found, with its name, type and description, and the relations read out, each on one card only. A card stands beside a passage it
 * was drawn from, so that it can be checked; only texts that the asker may read and the filter admits have a say. Without a model's reading there
 * are no cards.
 */

import { bearings } from '../../builders/relations'
import { Readings, type Statement } from '../../channels/entity-descriptions'
import type { GraphReader } from '../../graph/reader'
import type { Edge } from '../../graph/types'
import { chunkOf } from '../../ids'
import type { Found, Query } from '../../strategy'
import { mergedDescription } from './entity-descriptions'
import { nameOf } from './report-input'

const MENTIONS = 48 // texts read for what is said of an entity
const BEHIND = 0.999 // of its passage's score: a card comes right after it

interface Lowest {
  /** Best first. */
  readonly entities: readonly string[]
  /** Best first. */
  readonly relations: readonly Edge[]
  /** Passages found. */
  readonly passages: readonly Found[]
}

/** At most so many cards, of the best entities; each after a passage that is found in any case, if one of those bears the card out. */
export function entityCards(graph: GraphReader, query: Query, { entities, relations, passages }: Lowest, limit: number): readonly Found[] {
  const readings = new Readings({ graph, query })
  const scores = new Map(passages.map((one) => [one.id, one.score]))
  const liked = new Map<string, number>()
  for (const { id, score } of passages) liked.set(chunkOf(id), Math.max(score, liked.get(chunkOf(id)) ?? score))
  const told = new Set<Edge>()
  const out: Found[] = []
  for (const entity of entities) {
    if (out.length >= limit) break
    const described = readings.describe(entity, liked, graph.edgesTo('mentions', entity, MENTIONS))
    const lines = relations.flatMap((edge) => {
      if (told.has(edge) || (edge.source !== entity && edge.target !== entity)) return []
      const said = readings.relate(
        edge,
        bearings(edge).filter((one) => query.admits?.(one.chunk) !== false),
      )
      return said === undefined ? [] : [{ edge, line: related(graph, edge, said) }]
    })
    if (!described?.statements.length && lines.length === 0) continue
    const support = described ? supportOf(graph, [...described.statements, described], scores) : []
    if (support.length === 0) continue
    for (const { edge } of lines) told.add(edge)
    const texts = mergedOf(graph, query, entity) ?? described?.statements.map((one) => one.text).join(' ') ?? ''
    const first = [described?.head ?? nameOf(graph, entity), texts].filter(Boolean).join(': ')
    const text = [first, ...lines.map((one) => one.line)].join('\n')
    out.push({ id: entity, score: BEHIND * (scores.get(support[0] ?? '') ?? 0), via: 'entity', support, text })
  }
  return out
}

/** A model's merged text, if everything it was merged from may be read. */
function mergedOf(graph: GraphReader, { admits }: Query, entity: string): string | undefined {
  const merged = mergedDescription(graph, entity)
  return merged?.from.every((chunk) => admits?.(chunk) !== false) ? merged.text : undefined
}

/** Passages that were found come first, best first. */
function supportOf(graph: GraphReader, said: readonly Pick<Statement, 'passage'>[], scores: ReadonlyMap<string, number>): string[] {
  const passages = [...new Set(said.map((one) => one.passage))].filter((id) => graph.text(id))
  const worth = (id: string): number => scores.get(id) ?? Number.NEGATIVE_INFINITY
  return passages.sort((a, b) => worth(b) - worth(a) || (a < b ? -1 : 1))
}

/** A description that does not name both ends is given with their names. */
function related(graph: GraphReader, { source, target }: Edge, description: string): string {
  const names = [source, target].map((id) => nameOf(graph, id))
  const folded = description.toLowerCase()
  return names.every((name) => folded.includes(name.toLowerCase())) ? description : `${names.join(' – ')}: ${description}`
}
