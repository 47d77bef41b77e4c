/**
 * The entity channel: personalised PageRank over passages, units, entities and relations, after HippoRAG 2 (Gutiérrez et al., 2025). Mass flows from what
 * the question names and from the units that say most of it; passages are ranked by what reaches them. Pushed locally, at most `pushes` nodes.
 */
import { pagerank } from '../algorithms/pagerank'
import type { GraphReader } from '../graph/reader'
import type { Hit } from '../graph/types'
import { kindOf } from '../ids'
import type { Query } from '../strategy'
import type { Clues } from './clues'
import { neighboursIn, preloadAround, rarityIn } from './entity-neighbours'
import { type EntityWalkOptions, type Seeding, seedsOf } from './entity-seeds'
import type { Weighted } from './lexical'
import { type Named, namesIn } from './names'
import { ranked, shares } from './order'
import { lexicalScorer } from './scorers'

const WALK = { tolerance: 0.0005, pushes: 400 } as const // more nodes and smaller masses change recall at 5 by up to two points either way (docs/ppr.md)

export const entityWalkDefaults: EntityWalkOptions = {
  restart: 0.1, // HippoRAG 2 has .5, where a passage and its entities are neighbours; here a unit is between them, and two hops are eight steps
  passageWeight: 0.1, // HippoRAG 2 multiplies its passages' scores by .05
  facts: 5, // HippoRAG 2's five triples
}

export interface EntityWalk {
  readonly terms: readonly Weighted[]
  /** Passages that are found otherwise, best first. */
  readonly hits: readonly Hit[]
  readonly source: Clues
  readonly options: EntityWalkOptions
  /** That the question says; absent: they are looked for. */
  readonly names?: readonly Named[]
  /** The most nodes expanded. */
  readonly pushes?: number
}

/** Passages as shares of the best, best first; none where the question leads to no entity. */
export function walkEntities(
  graph: GraphReader,
  query: Query,
  { terms, hits, source, options, names = namesIn(graph, query.text), pushes = WALK.pushes }: EntityWalk,
): { readonly seeds: ReadonlyMap<string, number>; readonly passages: readonly Hit[] } {
  const { fits } = lexicalScorer(terms, query.vector)
  const rarity = rarityIn(graph)
  const seeding: Seeding = { source, hits, fits: (unit) => fits(unit, []), rarity, options, names }
  const seeds = seedsOf(graph, query, seeding)
  const reached = [
    ...pagerank(seeds, neighboursIn(graph, source, rarity), { ...WALK, pushes, restart: options.restart }, (ids) =>
      preloadAround(graph, source, rarity, ids),
    ),
  ]
  const masses = reached.filter(([id]) => kindOf(id) === 'passage').map(([id, score]) => ({ id, score }))
  return { seeds, passages: ranked(shares(masses)) }
}
