/**
 * Entity anchoring (Algorithm 4): where a walk begins. Spreading activation (S-A) takes the entities that the question names, knowledge anchoring
 * (K-A) those of the units nearest to it. By words, the names are those the question says word for word, and K-A stands in only if there are none:
 * a unit's nearness only repeats its passage's keyword score, and its names crowd out the question's own. By vectors, as in the paper, both always
 * run: the entities whose names are nearest to the question's names, and the nearest of all units.
 */
import type { Clue } from '../../channels/clue'
import type { Clues } from '../../channels/clues'
import { namesIn } from '../../channels/names'
import { byScore } from '../../channels/order'
import { anchorUnits } from '../../channels/paths'
import type { Scorer } from '../../channels/walk'
import type { GraphReader } from '../../graph/reader'
import type { Hit, Vector } from '../../graph/types'
import { chunkOf, ordinalOf } from '../../ids'
import type { Query } from '../../strategy'
import { cosine } from '../../vectors'
import type { ClueSteps } from './steps'

export const UNITS = 24 // units requested from the index: K are wanted out of those that the asker may see, or a filter admits
const PASSAGES = 8 // whose units are compared as well, since the index may be down, or behind

export interface Anchoring {
  readonly source: Clues
  /** From the passage channel, best first. */
  readonly hits: readonly Hit[]
  readonly scorer: Scorer
  /** K. */
  readonly fanout: number
  readonly steps: ClueSteps
  /** Begin by vectors; if the question has none, by words. */
  readonly byVectors: boolean
  /** In lexical space K-A is for questions that name nothing. */
  readonly isLexical: boolean
}

/** Entities, each once. */
export function anchorsOf(graph: GraphReader, query: Query, by: Anchoring): readonly string[] {
  const { source, hits, scorer, fanout, steps } = by
  const vector = by.byVectors ? query.vector : undefined
  const exact = steps.activation ? namesIn(graph, query.text).flatMap((one) => one.entities) : []
  const alike = vector && steps.activation && steps.linking ? (query.names ?? []).flatMap(({ near }) => near.slice(0, fanout)) : []
  const named = [...exact, ...alike.map((hit) => hit.id)]
  const guesses = steps.anchoring && (vector !== undefined || !by.isLexical || named.length === 0)
  const nearest = !guesses
    ? []
    : vector
      ? nearestUnits(source, query, vector, fanout)
      : anchorUnits(source, hits, (unit) => scorer.fits(unit, []), fanout)
  return [...new Set([...named, ...nearest.flatMap((unit) => source.entities(unit))])]
}

/**
 * The units nearest to the question. The index holds the vectors of sentences; if a model has rewritten a passage, its units are compared in their
 * place.
 */
function nearestUnits(source: Clues, query: Query, vector: Vector, count: number): readonly Clue[] {
  const found = (query.near.unit ?? []).flatMap((hit) => source.at(chunkOf(hit.id), ordinalOf(hit.id))).map((unit) => unit.passage)
  const passages = new Set([...found, ...(query.near.passage ?? []).slice(0, PASSAGES).map((hit) => hit.id)])
  const units = [...passages].flatMap((passage) => source.in(passage))
  const order = units.flatMap((unit) => {
    const own = unit.vector()
    return own ? [{ id: unit.id, score: cosine(vector, own), unit }] : []
  })
  return order
    .sort(byScore)
    .slice(0, count)
    .map((one) => one.unit)
}
