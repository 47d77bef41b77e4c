/** Versions of documents in progress: which chunks they await, and the tasks that make the missing vectors. */

import type { Chunk, Placed } from '../../../src/core/graph/types'
import type { EmbeddingSettings } from '../../../src/core/settings'
import { divide } from '../../../src/core/text/divide'
import { wantsUnits } from '../pending-config'
import type { CorpusContext } from '../store'
import { type Claim, deleteAwaited, insertAwaited, listUnawaited } from '../tables/awaited'
import { addToWaiting, listRevisionsAwaiting, type Revision, setRevisionStaged, setRevisionWaiting } from '../tables/revision'
import { deleteStaged, hasStagedVectors, insertStaged, readStaged, takeStagedVectors } from '../tables/staged'
import { BASE, renameEmbedInputs } from '../tables/task'
import type { Job } from './job'
import type { JobUnitOfWork } from './jobs'
import { addTasks, cancelTasks } from './tasks'

/** The version awaits its chunks; those without vectors are staged and get tasks. */
export function claimChunks(context: CorpusContext, job: Job, revision: number, chunks: readonly Chunk[]): void {
  const { sql, graph, config } = context
  const distinct = [...new Map(chunks.map((chunk) => [chunk.id, chunk])).values()]
  const lacking = distinct.filter((chunk) => !graph.chunk(chunk.id) && !hasStagedVectors(sql, chunk.id))
  job.tally.counted.chunks.total += distinct.length
  insertAwaited(
    sql,
    revision,
    distinct.map((chunk) => chunk.id),
  )
  if (lacking.length === 0) return
  job.waiting++
  setRevisionWaiting(sql, revision, lacking.length)
  for (const chunk of lacking) insertStaged(sql, chunk)
  const withUnits = wantsUnits(context)
  const tasks = lacking.map((chunk) => ({
    builder: BASE,
    kind: 'embed' as const,
    node: chunk.id,
    input: embedInput(chunk.id, config.settings),
    urgent: true,
    texts: chunk.passages.length + (withUnits ? chunk.units.length : 0),
  }))
  addTasks(sql, tasks, [job])
}

/** What a chunk's vectors depend on: its text and the model. */
export function embedInput(chunk: string, settings: EmbeddingSettings): string {
  return `${chunk} ${embedSuffix(settings)}`
}

const embedSuffix = ({ models, embedding }: EmbeddingSettings): string => (embedding === undefined ? models : `${models} ${embedding}`)

/** The corpus now has another model's vectors: chunks staged with the previous model's await new ones. Inside the transaction that moved it. */
export function restageForMove({ sql }: Pick<CorpusContext, 'sql'>, unitOfWork: JobUnitOfWork, settings: EmbeddingSettings): void {
  renameEmbedInputs(sql, embedSuffix(settings))
  for (const chunk of takeStagedVectors(sql)) {
    const revisions = listRevisionsAwaiting(sql, chunk)
    const jobs = [...new Set(revisions.map((one) => one.job))].flatMap((n) => unitOfWork.find(n) ?? [])
    addToWaiting(
      sql,
      revisions.map((one) => one.n),
      1,
    )
    for (const { job, waiting } of revisions) if (waiting === 0) withMoreWaiting(unitOfWork.find(job))
    const texts = readStaged(sql, chunk)?.chunk.passages.length ?? 0
    addTasks(sql, [{ builder: BASE, kind: 'embed', node: chunk, input: embedInput(chunk, settings), urgent: true, texts }], jobs)
  }
}

function withMoreWaiting(job: Job | undefined): void {
  if (job) job.waiting++
}

/** A failed version tries again. */
export function restage(context: CorpusContext, job: Job, revision: Revision): void {
  const { chunks, placed } = divide(revision, context.config.settings.chunking)
  job.tally.counted.documents.total++
  setRevisionStaged(context.sql, revision.n, JSON.stringify(placed))
  claimChunks(context, job, revision.n, chunks)
}

/** Drops these revisions' claims on staged chunks, and the chunks that nothing else awaits. */
export function unstage(context: CorpusContext, unitOfWork: JobUnitOfWork, revisions: readonly Pick<Revision, 'n' | 'placed'>[]): void {
  const { sql } = context
  const claims = revisions.flatMap(({ n, placed }) => (JSON.parse(placed) as Placed[]).map(({ chunk }): Claim => [chunk, n]))
  if (claims.length === 0) return
  deleteAwaited(sql, claims)
  const free = listUnawaited(sql, [...new Set(claims.map(([chunk]) => chunk))])
  deleteStaged(sql, free)
  cancelTasks(sql, unitOfWork, BASE, free)
}
