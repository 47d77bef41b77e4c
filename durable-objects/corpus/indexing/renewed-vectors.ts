/** Vectors that were refused when their chunk was added, and have arrived since: a separate version. Inside the commit that takes the replies. */
import type { Divided } from '../../../src/core/graph/integrate'
import type { Reply } from '../../../src/core/strategy'
import type { JobUnitOfWork } from '../jobs/jobs'
import { keepReceipt, touchedBy } from '../outbox/receipts'
import type { CorpusContext } from '../store'
import type { TaskRow } from '../tables/task'
import { renewChunks } from './integrate'
import { leaveQuarantine } from './quarantine'
import { vectorsOf } from './with-vectors'

/** The chunk with its vectors; nothing if the reply does not contain all of them. */
export function renewedChunk(context: CorpusContext, row: TaskRow, reply: Reply): Divided[] {
  const chunk = context.graph.chunk(row.node)
  if (!chunk || reply.kind !== 'embed' || reply.vectors.length < chunk.passages.length) return []
  leaveQuarantine(context, row)
  const units = reply.vectors.slice(chunk.passages.length)
  const passages = reply.vectors.slice(0, chunk.passages.length)
  return [{ chunk, vectors: { passages, units: units.length > 0 ? units : vectorsOf(context, chunk).units } }]
}

export function applyRenewedVectors(context: CorpusContext, unitOfWork: JobUnitOfWork, renewed: readonly Divided[]): void {
  if (renewed.length === 0) return
  const version = context.graph.version + 1
  const done = renewChunks({ context, unitOfWork, jobs: [], version }, renewed)
  if (done) keepReceipt(context, touchedBy(done.counted), [])
}
