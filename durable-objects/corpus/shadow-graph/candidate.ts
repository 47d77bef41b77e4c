/**
 * The graph that a reindex or rebuild derives anew while the old one is served: opened, fed, kept in step with what is taken in
 * meanwhile, and in the end promoted or refused. Its builders and their tasks have other names, so that both can have open tasks.
 * Everything here runs inside the caller's transaction.
 */
import type { Chunk, DocumentRecord } from '../../../src/core/graph/types'
import { enabledBuilders } from '../../../src/core/strategies/registry'
import type { Builder, Delta, Reply, Update } from '../../../src/core/strategy'
import { SqliteGraph } from '../../graph/sqlite-graph'
import { type Commit, hasBacklog, NOTHING_MOVED, processBuilderBacklogs, runBuilders } from '../jobs/builders'
import type { Job } from '../jobs/job'
import { type JobUnitOfWork, unfinishedJobs } from '../jobs/jobs'
import { keepReply } from '../jobs/reply-cache'
import { dropTask } from '../jobs/tasks'
import { isComparing, recordDiffering } from '../outbox/differing'
import { entriesIn } from '../outbox/outbox'
import type { Touched } from '../outbox/touched'
import { requestedConfig } from '../pending-config'
import type { CorpusContext } from '../store'
import { deleteFed, insertFed, listFedAmong } from '../tables/fed'
import { CANDIDATE_PREFIX, isOfCandidate, listTasksAfter, stripBuilderPrefix } from '../tables/task'
import { deleteUnwrittenWith, replaceUnwrittenByPrefixed } from '../tables/unwritten'
import { enterCandidate, isCandidateOpen, leaveCandidate } from './tables'

/** Works on the candidate as if it were the corpus's graph. A throw undoes the whole transaction, so nothing is put back by hand. */
export function withCandidate<T>(context: CorpusContext, work: (candidate: CorpusContext) => T): T {
  const config = requestedConfig(context)
  enterCandidate(context.sql)
  const graph = new SqliteGraph({ sql: context.sql, dimensions: context.graph.dimensions })
  graph.migrate()
  const result = work({ ...context, graph, config, builders: enabledBuilders(config.strategies).map(candidateBuilder) })
  leaveCandidate(context.sql)
  return result
}

function candidateBuilder(builder: Builder): Builder {
  const theirs = (update: Update): Update => ({
    ...update,
    // What is embedded now belongs to the graph that will be measured; what may be written later is written later.
    tasks: update.tasks.map(({ background: _, ...task }) => ({
      ...task,
      builder: CANDIDATE_PREFIX + task.builder,
      urgent: task.urgent || task.kind === 'embed',
    })),
  })
  const { consolidate, consolidating, processBacklog } = builder
  return {
    ...builder,
    name: CANDIDATE_PREFIX + builder.name,
    ...(builder.follows ? { follows: builder.follows.map((name) => CANDIDATE_PREFIX + name) } : {}),
    update: (graph, delta, settings) => theirs(builder.update(graph, delta, settings)),
    ...(processBacklog ? { processBacklog: (graph, settings) => theirs(processBacklog(graph, settings)) } : {}),
    ...(consolidate ? { consolidate: (graph, settings) => theirs(consolidate(graph, settings)) } : {}),
    ...(consolidating ? { consolidating: (graph, settings) => withEnd(consolidating(graph, settings), theirs) } : {}),
  }
}

/** The same steps with another end. */
function* withEnd(steps: Iterator<number, Update>, theirs: (update: Update) => Update): Generator<number, Update> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return theirs(value)
    yield value
  }
}

/** Documents it has not yet, with the chunks of theirs it has not yet. */
export function feedCandidate(context: CorpusContext, unitOfWork: JobUnitOfWork, job: Job, documents: readonly DocumentRecord[]): void {
  applyToCandidate(context, unitOfWork, job, { added: [], removed: [], documents: { added: documents, removed: [] } })
}

/** What has just come and gone in the texts comes and goes here too. What was never fed is not taken away. */
export function applyToCandidate(context: CorpusContext, unitOfWork: JobUnitOfWork, job: Job, delta: Omit<Delta, 'replies'>): void {
  const { sql, graph } = context
  const near = delta.documents.added.flatMap((document) => document.chunks.map((placed) => placed.chunk))
  const chunks = [...new Set([...near, ...delta.added.map((chunk) => chunk.id)])]
  const gone = delta.removed.map(({ chunk }) => chunk.id)
  const left = delta.documents.removed.map((document) => nameOf(document))
  const fed = new Set(listFedAmong(sql, [...chunks, ...gone, ...left]))
  const added = chunks.filter((id) => !fed.has(id)).map((id) => graph.chunk(id))
  const documents = delta.documents.added.filter((one) => left.includes(nameOf(one)) || listFedAmong(sql, [nameOf(one)]).length === 0)
  const own: Omit<Delta, 'replies'> = {
    added: added.filter((one): one is Chunk => one !== undefined),
    removed: delta.removed.filter(({ chunk }) => fed.has(chunk.id)),
    documents: { added: documents, removed: delta.documents.removed.filter((one) => fed.has(nameOf(one))) },
  }
  deleteFed(sql, [...gone, ...left])
  insertFed(sql, [...own.added.map((chunk) => chunk.id), ...documents.map(nameOf)])
  const moved = [...delta.documents.added, ...delta.documents.removed].flatMap((document) => document.chunks.map((placed) => placed.chunk))
  withCandidate(context, (candidate) => {
    recordMade(candidate, runBuilders(candidateCommit(candidate, unitOfWork, job), own, []))
    // Also of chunks that stay, in documents of other labels.
    candidate.graph.access.applyChange({ putNodes: [], dropNodes: [], dropDocuments: [] }, moved)
  })
}

/** What has changed in it since it is compared with the graph that is served may differ from that. */
export function recordMade(candidate: CorpusContext, changes: readonly Touched[]): void {
  if (isComparing(candidate)) recordDiffering(candidate, entriesIn(candidate.graph, changes))
}

/** A commit of the candidate's. */
export function candidateCommit(candidate: CorpusContext, unitOfWork: JobUnitOfWork, job: Job): Commit {
  return { context: candidate, unitOfWork, jobs: [job], version: candidate.graph.version }
}

const nameOf = (document: DocumentRecord): string => `d ${document.id}`

/** The job whose candidate is open, if one is. */
export function candidateJob(context: CorpusContext, unitOfWork: JobUnitOfWork): Job | undefined {
  if (!isCandidateOpen(context.sql)) return undefined
  const open = unfinishedJobs(context.sql).find((job) => ['reindex', 'rebuild'].includes(job.kind) && job.phase === 'staging')
  return open && unitOfWork.find(open.n)
}

/** Replies to tasks of the candidate's builders: kept like all others, and folded into it. */
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

/** Tasks of a graph that will not be, of the candidate's builders or of those that were served. */
export function closeTasks({ sql }: CorpusContext, unitOfWork: JobUnitOfWork, which: (builder: string) => boolean): void {
  for (let after = 0; ; ) {
    const rows = listTasksAfter(sql, after, 1000)
    for (const row of rows) if (which(row.builder)) dropTask(sql, unitOfWork, row)
    const last = rows.at(-1)
    if (!last) return
    after = last.n
  }
}

/** Open tasks of a graph that is given up. */
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
