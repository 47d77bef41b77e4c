/** How much one corpus holds. What would not fit is refused when it comes, before anything of it is kept. */
import { divide } from '../../../src/core/text/divide'
import type { Accepted, DocumentInput } from '../../../src/ports'
import type { Ledger } from '../store'

export interface Limits {
  readonly documents: number
  readonly chunks: number
}

/** Vectors of some 9 passages and 60 sentences a chunk, 1,024 bytes each, make 7 of the 10 GB an object may hold. */
export const LIMITS: Limits = { documents: 100_000, chunks: 100_000 }

/** From `CORPUS_DOCUMENTS` and `CORPUS_CHUNKS`. */
export function limitsOf(env: { readonly CORPUS_DOCUMENTS?: string; readonly CORPUS_CHUNKS?: string }): Limits {
  return { documents: Number(env.CORPUS_DOCUMENTS || LIMITS.documents), chunks: Number(env.CORPUS_CHUNKS || LIMITS.chunks) }
}

type Full = Extract<Accepted, { kind: 'full' }>

/** Undefined: it fits. What the request takes away makes room. Exact counts are taken near the limit only. */
export function beyond(ledger: Ledger, fresh: readonly DocumentInput[], deletes: readonly string[]): Full | undefined {
  const { documents, chunks } = ledger.limits ?? LIMITS
  if (fresh.length === 0) return undefined
  const full = ledger.databaseSize?.full()
  if (full) return full
  if (most(ledger, fresh).documents > documents && documentsAfter(ledger, fresh, deletes) > documents) {
    return { kind: 'full', what: 'documents', most: documents }
  }
  if (most(ledger, fresh).chunks > chunks && chunksAfter(ledger, fresh, deletes) > chunks) {
    return { kind: 'full', what: 'chunks', most: chunks }
  }
  return undefined
}

/** Never too low: nothing counted twice is taken off, and no text has more chunks than so many of its characters. */
function most({ sql, graph, config }: Ledger, fresh: readonly DocumentInput[]): Limits {
  const staged = sql.one<Limits>('SELECT count(DISTINCT revision) AS documents, count(DISTINCT chunk) AS chunks FROM awaited')
  const { chunk, overlap } = config.settings.chunking
  const coming = fresh.reduce((sum, { text }) => sum + 1 + Math.ceil(text.length / Math.max(1, chunk - overlap)), 0)
  return {
    documents: graph.count('document') + (staged?.documents ?? 0) + fresh.length,
    chunks: graph.count('chunk') + (staged?.chunks ?? 0) + coming,
  }
}

function documentsAfter({ sql }: Ledger, fresh: readonly DocumentInput[], deletes: readonly string[]): number {
  const others = sql.one<{ n: number }>(
    'SELECT count(DISTINCT document) AS n FROM revision WHERE document NOT IN (SELECT value FROM json_each(?))',
    JSON.stringify([...deletes, ...fresh.map((one) => one.id)]),
  )
  return (others?.n ?? 0) + fresh.length
}

function chunksAfter({ sql, graph, config }: Ledger, fresh: readonly DocumentInput[], deletes: readonly string[]): number {
  const staged = sql.all<{ chunk: string }>('SELECT DISTINCT chunk FROM awaited').map((row) => row.chunk)
  const coming = fresh.flatMap(({ title, text }) => divide({ title, text }, config.settings.chunking).chunks.map((one) => one.id))
  const added = new Set([...staged, ...coming].filter((id) => !graph.chunk(id)))
  const leaving = new Set([...deletes, ...fresh.map((one) => one.id)])
  const gone = new Set([...leaving].flatMap((id) => graph.document(id)?.chunks.map((one) => one.chunk) ?? []))
  for (const id of coming) gone.delete(id)
  const freed = [...gone].filter((id) => graph.placements(id).every((place) => leaving.has(place.document)))
  return graph.count('chunk') + added.size - freed.length
}
