/** Keywords that stand in the graph as entry points: a node each, whose term is looked up in the keyword index. */
import type { GraphReader } from '../graph/reader'

/** The term of a published keyword; undefined of keywords that are there for something else. */
export function publishedTerm(graph: GraphReader, id: string): string | undefined {
  const data = graph.node(id)?.data
  return data?.published === true && typeof data.term === 'string' ? data.term : undefined
}
