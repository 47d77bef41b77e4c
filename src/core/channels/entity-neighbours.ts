/**
 * The graph as the walk sees it: a passage leads to its units, a unit to its passage and the entities it mentions, an entity to units that mention it
 * and along its relations. Bounded by what the reading of units opens (`clueLimits`) and by `relations` of an entity.
 */
import type { Neighbour } from '../algorithms/pagerank'
import { mentionCount, mentionCounts } from '../builders/mentions'
import type { GraphReader } from '../graph/reader'
import type { NodeKind } from '../graph/types'
import { chunkOf, kindOf, ordinalOf } from '../ids'
import type { Clue } from './clue'
import type { Clues } from './clues'

export const neighbourLimits = {
  relations: 16, // of an entity, strongest first
} as const

export interface Rarity {
  /** One divided by the number of chunks that mention it: a name in many chunks leads anywhere. */
  of(entity: string): number
  /** A hint: they will be asked for. */
  expect(entities: readonly string[]): void
}

export function rarityIn(graph: GraphReader): Rarity {
  const known = new Map<string, number>()
  return {
    of(entity) {
      const held = known.get(entity)
      if (held !== undefined) return held
      const rarity = 1 / Math.max(1, mentionCount(graph, entity) ?? 1)
      known.set(entity, rarity)
      return rarity
    },
    expect(entities) {
      graph.preload?.(mentionCounts(entities.filter((entity) => !known.has(entity))))
    },
  }
}

export function neighboursIn(graph: GraphReader, source: Clues, rarity: Rarity): (id: string) => readonly Neighbour[] {
  return (id) => {
    switch (kindOf(id)) {
      case 'passage':
        return source.in(id).map(evenly)
      case 'unit':
        return source.at(chunkOf(id), ordinalOf(id)).flatMap((unit) => {
          const entities = source.entities(unit).map((entity) => ({ id: entity, weight: rarity.of(entity) }))
          return [{ id: unit.passage, weight: 1 }, ...shared(entities)]
        })
      case 'entity':
        return [...shared(source.of(id).map(evenly)), ...shared(relatedTo(graph, id))]
      default:
        return []
    }
  }
}

/** What is read around these nodes, together. */
export function preloadAround(graph: GraphReader, source: Clues, rarity: Rarity, ids: readonly string[]): void {
  if (!graph.preload) return
  const of = (kind: NodeKind): readonly string[] => ids.filter((id) => kindOf(id) === kind)
  const [entities, units, passages] = [of('entity'), of('unit'), of('passage')]
  source.expect({ chunks: [...units, ...passages].map(chunkOf), entities })
  rarity.expect(units.flatMap((id) => source.at(chunkOf(id), ordinalOf(id)).flatMap(source.entities)))
}

/** If a model or KET-RAG's skeleton has extracted relations. */
function relatedTo(graph: GraphReader, entity: string): readonly Neighbour[] {
  return graph
    .edges('relates', entity, neighbourLimits.relations)
    .map(({ source, target, weight }) => ({ id: source === entity ? target : source, weight }))
}

function evenly({ id }: Clue): Neighbour {
  return { id, weight: 1 }
}

/** All of a kind weigh 1 together. */
function shared(all: readonly Neighbour[]): readonly Neighbour[] {
  const sum = all.reduce((total, one) => total + one.weight, 0)
  return all.map(({ id, weight }) => ({ id, weight: weight / sum }))
}
