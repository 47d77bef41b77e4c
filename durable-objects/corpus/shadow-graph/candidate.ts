/**
 * The graph that a reindex or rebuild derives again while the old one is served: opened, fed, kept in step with what is indexed meanwhile, and in the end
 * promoted or refused. Its builders and their tasks have other names, so that both can have open tasks. Everything here runs inside the caller's
 * transaction.
 */
import type { Chunk, DocumentRecord } from '../../../src/core/graph/types'
import type { Delta, Reply } from '../../../src/core/strategy'
import { type Commit, hasBacklog, NOTHING_MOVED, processBuilderBacklogs, runBuilders } from '../jobs/builders'
import type { Job } from '../jobs/job'
import { type JobUnitOfWork, unfinishedJobs } from '../jobs/jobs'
import { keepReply } from '../jobs/reply-cache'
import { dropTask } from '../jobs/tasks'
import { isComparing, recordDiffering } from '../outbox/differing'
import { entriesIn } from '../outbox/outbox'
import type { Touched } from '../outbox/touched'
import { isMigrating, requestedConfig } from '../pending-config'
import type { CorpusContext } from '../store'
import { deleteFed, insertFed, listFedAmong } from '../tables/fed'
import { CANDIDATE_PREFIX, isOfCandidate, listTasksAfter, stripBuilderPrefix } from '../tables/task'
import { deleteUnwrittenWith, replaceUnwrittenByPrefixed } from '../tables/unwritten'
import { deleteVectorless } from '../tables/vectorless'
import { askForChunks, movedDocuments } from './move'
import { deleteMovedVectors, readMovedVectors } from './moved-texts'
import { isCandidateOpen } from './tables'
import { withCandidate } from './with-candidate'

/** Documents that it does not have yet, with those of their chunks that it does not have yet. */
export function feedCandidate(context: CorpusContext, unitOfWork: JobUnitOfWork, job: Job, documents: readonly DocumentRecord[]): void {
  applyToCandidate(context, unitOfWork, job, { added: [], removed: [], documents: { added: documents, removed: [] } })
}

/** Texts just added or removed are added or removed here too. What was never fed is not removed. */
export function applyToCandidate(context: CorpusContext, unitOfWork: JobUnitOfWork, job: Job, delta: Omit<Delta, 'replies'>): void {
  const { sql, graph } = context
  const moved = isMigrating(context) ? movedDelta(context, job, delta) : delta
  const near = moved.documents.added.flatMap((document) => document.chunks.map((placed) => placed.chunk))
  const chunks = [...new Set([...near, ...moved.added.map((chunk) => chunk.id)])]
  const gone = moved.removed.map(({ chunk }) => chunk.id)
  const left = moved.documents.removed.map((document) => nameOf(document))
  const fed = new Set(listFedAmong(sql, [...chunks, ...gone, ...left]))
  const added = chunks.filter((id) => !fed.has(id)).map((id) => graph.chunk(id))
  const documents = moved.documents.added.filter((one) => left.includes(nameOf(one)) || listFedAmong(sql, [nameOf(one)]).length === 0)
  const own: Omit<Delta, 'replies'> = {
    added: added.filter((one): one is Chunk => one !== undefined),
    removed: moved.removed.filter(({ chunk }) => fed.has(chunk.id)),
    documents: { added: documents, removed: moved.documents.removed.filter((one) => fed.has(nameOf(one))) },
  }
  deleteFed(sql, [...gone, ...left])
  insertFed(sql, [...own.added.map((chunk) => chunk.id), ...documents.map(nameOf)])
  const touched = [...delta.documents.added, ...delta.documents.removed].flatMap((document) =>
    document.chunks.map((placed) => placed.chunk),
  )
  withCandidate(context, (candidate) => {
    recordMade(candidate, runBuilders(candidateCommit(candidate, unitOfWork, job), own, []))
    // Also for chunks that stay, in documents with other labels.
    candidate.graph.access.applyChange({ putNodes: [], dropNodes: [], dropDocuments: [] }, touched)
  })
}

/**
 * The same while the corpus is moved to another embedding model: new documents get that model's vectors, and are given to the builders when
 * complete (maintenance/migrate.ts); removed ones are removed with the vectors they had.
 */
function movedDelta(context: CorpusContext, job: Job, delta: Omit<Delta, 'replies'>): Omit<Delta, 'replies'> {
  const { sql, graph } = context
  const gone = delta.removed.map(({ chunk }) => chunk.id)
  const known = readMovedVectors(sql, gone, requestedConfig(context).settings.dimensions)
  deleteMovedVectors(sql, gone)
  deleteVectorless(sql, gone)
  askForChunks(context, job, delta.added)
  // Chunks that return with other vectors: their documents are fed again with them.
  const isRenewal = delta.documents.added.length + delta.documents.removed.length === 0
  const placed = isRenewal ? delta.added.flatMap(({ id }) => graph.placements(id).map((one) => one.document)) : []
  const again = [...new Set(placed)].flatMap((id) => graph.document(id) ?? [])
  return {
    added: [],
    removed: delta.removed.map(({ chunk }) => ({ chunk, vectors: known.get(chunk.id) ?? { passages: [], units: [] } })),
    documents: { added: movedDocuments(context, delta.documents.added), removed: [...delta.documents.removed, ...again] },
  }
}

/** Anything that has changed in it since the comparison began may differ from the served graph. */
function recordMade(candidate: CorpusContext, changes: readonly Touched[]): void {
  if (isComparing(candidate)) recordDiffering(candidate, entriesIn(candidate.graph, changes))
}

/** A commit of the candidate's. */
function candidateCommit(candidate: CorpusContext, unitOfWork: JobUnitOfWork, job: Job): Commit {
  return { context: candidate, unitOfWork, jobs: [job], version: candidate.graph.version }
}

const nameOf = (document: DocumentRecord): string => `d ${document.id}`

/** The job whose candidate is open, if one is. */
export function candidateJob(context: CorpusContext, unitOfWork: JobUnitOfWork): Job | undefined {
  if (!isCandidateOpen(context.sql)) return undefined
  const open = unfinishedJobs(context.sql).find((job) => ['reindex', 'rebuild', 'migrate'].includes(job.kind) && job.phase === 'staging')
  return open && unitOfWork.find(open.n)
}

/** Replies to tasks of the candidate's builders: stored like all others, and applied to it. */
export function deliverReplies(
  context: CorpusContext,
  unitOfWork: JobUnitOfWork,
  answers: readonly { readonly builder: string; readonly reply: Reply }[],
): void {
  const job = candidateJob(context, unitOfWork)
  if (!job || answers.length === 0) return
  withCandidate(context, (candidate) => {
    for (const { builder, reply } of answers) keepReply(candidate, builder, reply)
    recordMade(candidate, runBuilders(candidateCommit(candidate, unitOfWork, job), NOTHING_MOVED, answers))
  })
}

/** Tasks of a graph that is no longer needed: those of the candidate's builders or of the served ones'. */
export function closeTasks({ sql }: CorpusContext, unitOfWork: JobUnitOfWork, which: (builder: string) => boolean): void {
  for (let after = 0; ; ) {
    const rows = listTasksAfter(sql, after, 1000)
    for (const row of rows) if (which(row.builder)) dropTask(sql, unitOfWork, row)
    const last = rows.at(-1)
    if (!last) return
    after = last.n
  }
}

/** Open tasks of an abandoned graph. */
export function dropCandidateTasks(context: CorpusContext, unitOfWork: JobUnitOfWork): void {
  closeTasks(context, unitOfWork, isOfCandidate)
  deleteUnwrittenWith(context.sql, CANDIDATE_PREFIX)
}

/** Open tasks of the shadow graph's builders become the corpus's. */
export function adoptTasks(context: CorpusContext): void {
  stripBuilderPrefix(context.sql, CANDIDATE_PREFIX)
  replaceUnwrittenByPrefixed(context.sql, CANDIDATE_PREFIX)
}

/** The next slice of its builders' backlog (Builder.hasBacklog). False: there is none. */
export function processCandidateBacklog(context: CorpusContext, unitOfWork: JobUnitOfWork): boolean {
  const job = candidateJob(context, unitOfWork)
  if (!job) return false
  return withCandidate(context, (candidate) => {
    if (!hasBacklog(candidate)) return false
    recordMade(candidate, processBuilderBacklogs(candidateCommit(candidate, unitOfWork, job)))
    return true
  })
}
