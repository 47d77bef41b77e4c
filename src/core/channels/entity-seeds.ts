/**
 * Where the walk begins: entities of the units that answer most of the question and those whose names it says, the rarer the heavier, and the best
 * passages. The units are HippoRAG 2's triples, found by words and vectors; no model judges them.
 */

import type { GraphReader } from '../graph/reader'
import type { Hit } from '../graph/types'
import { chunkOf, ordinalOf } from '../ids'
import type { Query } from '../strategy'
import type { Clue } from './clue'
import type { Clues } from './clues'
import type { Rarity } from './entity-neighbours'
import type { Named } from './names'
import { byScore } from './order'

const limits = {
  passages: 20, // that are seeds
  read: 10, // passages whose units are compared, beside the units the index finds nearest
  alike: 3, // entities whose names are nearest to a name of the question
} as const

export interface EntityWalkOptions {
  /** Probability of returning to the seeds at each step. */
  readonly restart: number
  /** Share of the seeds' mass that passages have; entities have the rest. */
  readonly passageWeight: number
  /** Units whose entities are seeds. */
  readonly facts: number
}

export interface Seeding {
  readonly source: Clues
  /** Passages, best first. */
  readonly hits: readonly Hit[]
  readonly fits: (unit: Clue) => number
  readonly rarity: Rarity
  readonly options: EntityWalkOptions
  /** That the question says. */
  readonly names: readonly Named[]
}

/** Mass by node, 1 in all; none where the question leads to no entity. */
export function seedsOf(graph: GraphReader, query: Query, by: Seeding): ReadonlyMap<string, number> {
  const entities = entitySeeds(graph, query, by)
  if (entities.size === 0) return entities
  const passages = by.hits.slice(0, limits.passages).map(({ id, score }) => [id, score ** 2] as const) // follows a clear winner, but not a long tail
  return new Map([...scaled(passages, by.options.passageWeight), ...scaled([...entities], 1 - by.options.passageWeight)])
}

function entitySeeds(graph: GraphReader, query: Query, { source, hits, fits, rarity, options, names }: Seeding): Map<string, number> {
  const mass = new Map<string, number>()
  const add = (entity: string, weight: number): void => {
    if (weight > 0) mass.set(entity, (mass.get(entity) ?? 0) + weight * rarity.of(entity))
  }
  const nearest = (query.near.unit ?? []).flatMap((hit) => source.at(chunkOf(hit.id), ordinalOf(hit.id)))
  const read = [...hits.slice(0, limits.read).flatMap((hit) => source.in(hit.id)), ...nearest]
  const units = new Map(read.map((unit) => [unit.id, { id: unit.id, unit, score: fits(unit) }]))
  const facts = [...units.values()].sort(byScore).slice(0, options.facts)
  rarity.expect([...facts.flatMap(({ unit }) => source.entities(unit)), ...names.flatMap((one) => one.entities)])
  for (const { unit, score } of facts) for (const entity of source.entities(unit)) add(entity, score)
  for (const { entities } of names) for (const entity of entities) add(entity, 1)
  for (const { near } of query.names ?? []) for (const { id, score } of near.slice(0, limits.alike)) if (graph.node(id)) add(id, score)
  return mass
}

function scaled(masses: readonly (readonly [string, number])[], sum: number): readonly (readonly [string, number])[] {
  const all = masses.reduce((total, [, mass]) => total + mass, 0)
  return all > 0 ? masses.map(([id, mass]) => [id, (sum * mass) / all] as const) : []
}
