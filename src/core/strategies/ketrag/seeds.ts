/**
 * The ten entities at which a walk of the skeleton begins: the names in the question, then those of the units that answer most of it, and those
 * whose descriptions do, by words and by vector. `nearest` is the paper's choice: the ten whose descriptions' vectors are nearest to the question.
 * Only entities of the best passages are compared: their vectors stay in the object, so what a deletion takes from them need not be removed
 * anywhere else.
 */
import { mentionsOf } from '../../builders/mention-list'
import type { Clue } from '../../channels/clue'
import type { Clues } from '../../channels/clues'
import type { Described } from '../../channels/entity-descriptions'
import { namesIn } from '../../channels/names'
import { byScore, ranked } from '../../channels/order'
import type { Hit } from '../../graph/types'
import { chunkOf } from '../../ids'
import { terms } from '../../text/terms'
import { countTokens } from '../../text/tokens'
import { cosine } from '../../vectors'
import type { Question } from './question'

const limits = {
  seeds: 10, // the paper's, exactly
  passages: 8, // best passages whose units' entities may be seeds
  compared: 48, // best passages whose chunks' entities are compared with the question
  near: 20, // of these, the described ones that are read more closely
} as const

export interface Judged {
  readonly fits: (unit: Clue) => number
  readonly describe: (entity: string) => Described | undefined
}

/** Names in the question weigh 1 or more; entities of units, and described ones, what their best text is worth. */
export function seedsOf(question: Question, source: Clues, { fits, describe }: Judged): readonly Hit[] {
  const { graph, query, best, choice } = question
  const near = nearestDescribed(question)
  if (choice.seeds === 'nearest' && near.length > 0) return near.slice(0, limits.seeds)
  const scores = new Map<string, number>()
  const raise = (entity: string, score: number): void => {
    scores.set(entity, Math.max(score, scores.get(entity) ?? 0))
  }
  const raiseAll = (entities: readonly string[], score: number): void => {
    if (score > 0) for (const entity of entities) raise(entity, score)
  }
  for (const { entities } of namesIn(graph, query.text)) raiseAll(entities, 1)
  for (const hit of best.slice(0, limits.passages)) {
    for (const unit of source.in(hit.id)) raiseAll(source.entities(unit), share(fits(unit)))
  }
  for (const { id } of near) {
    const described = describe(id)
    if (described) raiseAll([id], share(fits(clueOf(question, id, described))))
  }
  return ranked(scores)
    .filter((hit) => graph.node(hit.id))
    .slice(0, limits.seeds)
}

/** Entities by the cosine of their descriptions, best first. An entity shows no vector unless the asker may read all of its texts. */
function nearestDescribed({ graph, query: { vector }, best, describes }: Question): readonly Hit[] {
  if (!vector || !describes) return []
  const chunks = new Set(best.slice(0, limits.compared).map((hit) => chunkOf(hit.id)))
  const ids = new Set([...chunks].flatMap((chunk) => mentionsOf(graph, chunk).map((one) => one.entity)))
  const hits = [...ids].flatMap((id): Hit[] => {
    const own = graph.node(id)?.vector
    return own ? [{ id, score: cosine(vector, own) }] : []
  })
  return hits.sort(byScore).slice(0, limits.near)
}

function share(fit: number): number {
  return Math.min(1, Math.max(0, fit))
}

/** A description judged as units are. */
function clueOf({ graph, terms: asked }: Question, entity: string, { head, statements }: Described): Clue {
  const text = `${head}: ${statements.map((one) => one.text).join(' ')}`
  const own = new Set(terms(text))
  return {
    id: entity,
    chunk: '',
    ordinal: -1,
    passage: '',
    text,
    tokens: () => countTokens(text),
    covers: () => asked.reduce((mask, { term }, i) => (own.has(term) ? mask | (1 << i) : mask), 0),
    vector: () => graph.vector(entity),
  }
}
