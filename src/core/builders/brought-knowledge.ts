/**
 * What a chunk's document brought from another graph, held against the chunk as a model's reply is: what its sentences do not say is left out. Names keep the
 * relations that sentences give, where nothing was brought about the two, because a graph that people or another program made may say little of a text.
 */
import type { Brought, Chunk } from '../graph/types'
import { nameKey } from '../text/names'
import { type ExtractedKnowledge, fromExtraction } from './extracted-knowledge'
import { fromUnits, knowledgeLimits } from './knowledge-row'
import type { Mentioned } from './mention-list'

/** `withUnits`: do sentences count where no model has read? */
export function fromBrought(chunk: Chunk, said: readonly Mentioned[], brought: Brought, withUnits: boolean): ExtractedKnowledge {
  const { knowledge, strangers } = fromExtraction(
    chunk,
    said,
    { units: [], entities: [...brought.entities, ...bareEnds(brought)], relations: brought.relations },
    knowledgeLimits.entities,
  )
  const told = new Set(knowledge.relations.map(({ source, target }) => `${source} ${target}`))
  const own = withUnits ? fromUnits(said, 'units').relations.filter(({ source, target }) => !told.has(`${source} ${target}`)) : []
  return { knowledge: { ...knowledge, by: 'brought', relations: [...knowledge.relations, ...own] }, strangers }
}

/** A relation's ends are entities of its chunk, also where they are described in another. */
function bareEnds({ entities, relations }: Brought): Brought['entities'] {
  const known = new Set(entities.map(({ name }) => nameKey(name)))
  const ends = relations.flatMap(({ source, target }) => [source, target]).filter((name) => !known.has(nameKey(name)))
  const each = new Map(ends.map((name) => [nameKey(name), name]))
  return [...each.values()].map((name) => ({ name, type: '', description: '' }))
}
