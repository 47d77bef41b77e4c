/** How much one corpus may hold. What would not fit is refused on arrival, before any of it is stored. */
import type { DocumentInput } from '../../../src/ports/documents'
import type { Accepted } from '../../../src/ports/jobs'
import { LIMITS } from '../limits'
import type { CorpusContext } from '../store'
import { countAwaited, countAwaitedNotInGraph, isAwaited } from '../tables/awaited'
import { bytesOfFiles } from '../tables/file'
import { countOtherDocuments } from '../tables/revision'
import { divisionOf } from './divide-ahead'

const CHUNK_BYTES = 110_000 // that a chunk takes in storage with every strategy on: 68 to 109 kB were measured
const DERIVED = 0.6 // of a database is derived rows, at most: a second graph next to the first takes as much again

type Full = Extract<Accepted, { kind: 'full' }>

/** Undefined: it fits. What the request deletes makes room. Exact counts are taken only near the limit. */
export function checkLimits(context: CorpusContext, fresh: readonly DocumentInput[], deletes: readonly string[]): Full | undefined {
  const { documents, chunks, bytes } = context.limits ?? LIMITS
  if (fresh.length === 0) return undefined
  const full = context.databaseSize?.full() ?? context.indexSize?.full()
  if (full) return full
  const atMost = upperBounds(context, fresh)
  if (context.sql.size() + CHUNK_BYTES * atMost.pending > bytes) return { kind: 'full', what: 'storage_bytes', max: bytes }
  if (atMost.documents > documents && documentsAfter(context, fresh, deletes) > documents) {
    return { kind: 'full', what: 'documents', max: documents }
  }
  if (atMost.chunks > chunks && chunksAfter(context, fresh, deletes) > chunks) {
    return { kind: 'full', what: 'chunks', max: chunks }
  }
  return undefined
}

/** A graph that is derived again exists next to the served one until it replaces it; kept files are no part of either. Undefined: there is room for it. */
export function checkRoomForShadowGraph({ sql, limits = LIMITS }: CorpusContext): Full | undefined {
  const derived = DERIVED * (sql.size() - bytesOfFiles(sql))
  return sql.size() + derived > limits.bytes ? { kind: 'full', what: 'storage_bytes', max: limits.bytes } : undefined
}

/** How much storage the corpus uses, and may use. */
export function storageOf({ sql, limits = LIMITS }: CorpusContext): { readonly bytes: number; readonly limit: number } {
  return { bytes: sql.size(), limit: limits.bytes }
}

interface UpperBounds {
  readonly documents: number
  readonly chunks: number
  /** Chunks that are not in the graph yet, including those of this request. */
  readonly pending: number
}

/** Never too low: nothing counted twice is subtracted, and the number of a text's chunks is bounded by its characters. */
function upperBounds({ sql, graph, config }: CorpusContext, fresh: readonly DocumentInput[]): UpperBounds {
  const awaited = countAwaited(sql)
  const { chunk, overlap } = config.settings.chunking
  const coming = fresh.reduce((sum, { text }) => sum + 1 + Math.ceil(text.length / Math.max(1, chunk - overlap)), 0)
  return {
    documents: graph.count('document') + awaited.documents + fresh.length,
    chunks: graph.count('chunk') + awaited.chunks + coming,
    pending: awaited.chunks + coming,
  }
}

function documentsAfter({ sql }: CorpusContext, fresh: readonly DocumentInput[], deletes: readonly string[]): number {
  return countOtherDocuments(sql, [...deletes, ...fresh.map((one) => one.id)]) + fresh.length
}

function chunksAfter({ sql, graph, config }: CorpusContext, fresh: readonly DocumentInput[], deletes: readonly string[]): number {
  const coming = new Set(fresh.flatMap((one) => divisionOf({ config }, one).chunks.map(({ id }) => id)))
  const added = [...coming].filter((id) => !graph.chunk(id) && !isAwaited(sql, id))
  const leaving = new Set([...deletes, ...fresh.map((one) => one.id)])
  const gone = new Set([...leaving].flatMap((id) => graph.document(id)?.chunks.map((one) => one.chunk) ?? []))
  for (const id of coming) gone.delete(id)
  const freed = [...gone].filter((id) => graph.placements(id).every((place) => leaving.has(place.document)))
  return graph.count('chunk') + countAwaitedNotInGraph(sql) + added.length - freed.length
}
