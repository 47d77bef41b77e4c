/** Documents an overview is made of: those that are named; else all of a small corpus, and of a large one those of chunks drawn evenly, which are as many whatever its size. */
import type { GraphReader } from '../../graph/reader'
import type { DocumentRecord } from '../../graph/types'
import type { Query } from '../../strategy'

export const SAMPLED = 64 // documents looked at

const ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz' // of fingerprints, in code point order

export function inFilter(graph: GraphReader, { admits, documents }: Query, { id, chunks }: DocumentRecord): boolean {
  if (documents) return documents.has(id)
  return !admits || chunks.slice(0, SAMPLED).some(({ chunk }) => graph.chunk(chunk) !== undefined && admits(chunk))
}

export function sampleDocuments(graph: GraphReader, query: Query): readonly DocumentRecord[] {
  const ids = query.documents ? evenly([...query.documents]) : sampledIds(graph)
  return ids.flatMap((id) => graph.document(id) ?? []).filter((one) => one.chunks.length > 0 && inFilter(graph, query, one))
}

/** An asker who may not see everything gets the first that they may: to draw evenly from what is mostly hidden would mean reading all of it. */
function sampledIds(graph: GraphReader): readonly string[] {
  const first = graph.page('document', '', SAMPLED)
  if (graph.isPartial || graph.count('document') <= SAMPLED) return first
  // Ids of chunks are fingerprints, so that chunks behind evenly spaced points are drawn evenly.
  const drawn = Array.from({ length: SAMPLED }, (_, i) => graph.page('chunk', `c_${ALPHABET[i] ?? ''}`, 1)).flat()
  return [...new Set(drawn.flatMap((chunk) => graph.placements(chunk)[0]?.document ?? []))]
}

export function evenly<T>(all: readonly T[], count: number = SAMPLED): readonly T[] {
  if (all.length <= count) return all
  const last = Math.max(1, count - 1)
  return Array.from({ length: count }, (_, i) => all[Math.round((i * (all.length - 1)) / last)] as T)
}
