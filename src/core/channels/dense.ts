/**
 * The vector channel: passages by cosine. Entry points come with the query; if they are missing or filtered out, the keyword channel's passages are
 * compared instead. Without a question vector it finds nothing. Reads the graph, decides nothing else.
 */
import type { GraphReader } from '../graph/reader'
import type { Hit, Vector } from '../graph/types'
import { chunkOf } from '../ids'
import type { Query } from '../strategy'
import { cosine } from '../vectors'
import { byScore } from './order'

/** Passages the caller may see, best first, by cosine: the entry points, and every one of `also` that has a vector. */
export function dense(graph: GraphReader, query: Query, also: readonly Hit[]): readonly Hit[] {
  const { vector, admits } = query
  if (!vector) return []
  const near = (query.near.passage ?? []).filter((hit) => !admits || admits(chunkOf(hit.id)))
  const known = new Set(near.map((hit) => hit.id))
  const others = also.filter((hit) => !known.has(hit.id))
  graph.preload?.({ vectors: { passages: others.map((hit) => chunkOf(hit.id)) } })
  const rest = others.flatMap((hit) => compareVector(graph, vector, hit.id))
  return [...near, ...rest].sort(byScore)
}

function compareVector(graph: GraphReader, question: Vector, id: string): Hit[] {
  const vector = graph.vector(id)
  return vector ? [{ id, score: cosine(question, vector) }] : []
}
