/**
 * The one place where the graph changes. Everything here runs inside one synchronous transaction, without a single await: replies close
 * tasks, ready documents become visible together, builders fold the changes into the graph, the outbox is filled.
 */

import type { Divided } from '../../../src/core/graph/integrate'
import type { Reply } from '../../../src/core/strategy'
import type { TaskResult } from '../../../src/ports/tasks'
import { openUsageRecorder } from '../billing/usage-recorder'
import { type Answer, hasBacklog } from '../jobs/builders'
import { awaitOthers } from '../jobs/finish-jobs'
import { isIntegrating } from '../jobs/integration-state'
import { addSpent, type Job } from '../jobs/job'
import { type JobUnitOfWork, openUnitOfWork } from '../jobs/jobs'
import { uncountRevision } from '../jobs/progress'
import { findReply, keepReply } from '../jobs/reply-cache'
import { unstage } from '../jobs/staging'
import { closeTask, jobsOf } from '../jobs/tasks'
import { withVectors } from '../jobs/written-reply'
import { keepReceipt, touchedBy } from '../outbox/receipts'
import { requestedConfig } from '../pending-config'
import { isThreadQueried } from '../query-load'
import { deliverReplies } from '../shadow-graph/candidate'
import { receiveMove } from '../shadow-graph/move'
import type { CorpusContext } from '../store'
import { listReadyJobs } from '../tables/job'
import { hasLate } from '../tables/late'
import { addToWaiting, listRevisionsAwaiting, type Revision, setRevisionFailed } from '../tables/revision'
import { readStaged } from '../tables/staged'
import { BASE, isMover, isOfCandidate, readTask, type TaskRow } from '../tables/task'
import { arrivalsOf, countDone, replaceRevisions } from './arrivals'
import { type ArrivedVectors, writeArrived } from './arrived-vectors'
import { processBacklog, waitForBacklog } from './backlog'
import { forgetDeleted } from './forget-deleted'
import { forgetExamples } from './forget-examples'
import { integratePart } from './integrate'
import { beginIntegration, integrateNextPart } from './large'
import { isLate, takeLate } from './late'
import { maxAtOnce, partsOf } from './parts'
import { recordWrittenText } from './pending-rewrites'
import { recordReplies } from './prompt-forms'
import { isRenewal, noteRenewed, renewedReply } from './prompt-renewals'
import { lacksVectors, quarantineRefused, updateQuarantine } from './quarantine'
import { applyRenewedVectors, renewedChunk } from './renewed-vectors'
import { vectorsOf } from './with-vectors'

/** What a runner brings back. A result whose task is gone, or now asks something else, changes nothing but is paid for. */
export function commitResults(given: CorpusContext, results: readonly TaskResult[]): void {
  given.atomically(() => {
    const arrived: ArrivedVectors = new Map()
    const context = { ...given, arrived }
    const unitOfWork = openUnitOfWork(context.sql, context.now())
    const answers: Answer[] = []
    const others: Answer[] = []
    const renewed: Divided[] = []
    const recorder = openUsageRecorder(context)
    const brought = resultsForNow(context, results)
    for (const one of brought) {
      const row = readTask(context.sql, one.id)
      recorder.add(row, one)
      if (!row || row.input !== one.reply.input) continue
      for (const n of jobsOf(row)) addCost(unitOfWork.find(n), one)
      const reply = wholeReply(context, row, one.reply)
      if (!reply) continue // its cached reply is gone: it is requested again
      const result = { ...one, reply }
      if (row.builder !== BASE && !isMover(row.builder)) recordWrittenText(context, row.builder, result, writerOf(context, row.builder))
      if (row.builder === BASE) renewed.push(...receiveVectors(context, unitOfWork, row, result))
      else if (isMover(row.builder)) receiveMove(context, row, reply, one.dropped?.refused ?? 0)
      else if (isOfCandidate(row.builder)) others.push({ builder: row.builder, reply: result.reply })
      else {
        const reply = isRenewal(row) ? renewedReply(context, result.reply) : result.reply
        if (reply) {
          answers.push({ builder: row.builder, reply })
          keepReply(context, row.builder, reply, one.prompts)
          if (isRenewal(row)) noteRenewed(context, row)
          updateQuarantine(context, row, reply)
        }
      }
      closeTask(context.sql, unitOfWork, row)
    }
    recorder.save()
    recordReplies(context, brought)
    applyRenewedVectors(context, unitOfWork, renewed)
    commitReady(context, unitOfWork, answers)
    deliverReplies(context, unitOfWork, others)
    writeArrived(context, arrived)
    unitOfWork.save()
  })
}

/** While a large change is being applied: only those that do not touch the graph. */
function resultsForNow(context: CorpusContext, results: readonly TaskResult[]): readonly TaskResult[] {
  return isIntegrating(context) ? results.filter((result) => !isLate(context, result)) : results
}

/** Does a model write for this builder's graph? */
function writerOf(context: CorpusContext, builder: string): boolean {
  return (isOfCandidate(builder) ? requestedConfig(context) : context.config).settings.writer
}

/** A cached reply was only embedded again: it is assembled here. Undefined: it is no longer cached. */
function wholeReply({ sql, config }: CorpusContext, row: TaskRow, reply: Reply): Reply | undefined {
  if (row.kind === 'embed' || reply.kind !== 'embed') return reply
  const known = findReply(sql, row.input, config.settings)
  return known && withVectors({ ...known.reply, node: row.node }, reply.vectors)
}

function addCost(job: Job | undefined, result: TaskResult): void {
  if (!job) return
  if (job.status === 'queued') job.status = 'running'
  job.tally.spent = addSpent(job.tally.spent, result.spent)
  for (const [kind, n] of Object.entries(result.calls)) job.tally.calls[kind] = (job.tally.calls[kind] ?? 0) + n
}

/** A chunk's vectors have arrived: every revision that waits for it waits for one less. Returns the existing chunks that must get other vectors. */
function receiveVectors(context: CorpusContext, unitOfWork: JobUnitOfWork, row: TaskRow, { reply, dropped }: TaskResult): Divided[] {
  const { sql } = context
  const staged = readStaged(sql, row.node)
  if (!staged) {
    if (lacksVectors(context, row.node)) return dropped?.refused ? [] : renewedChunk(context, row, reply)
    completeChunk(context, row.node, reply)
    return []
  }
  const revisions = listRevisionsAwaiting(sql, row.node)
  if (reply.kind !== 'embed') {
    for (const revision of revisions) failRevision(context, unitOfWork, revision, reply.kind === 'unusable' ? reply.reason : 'invalid')
    return []
  }
  if (staged.passages || context.arrived?.has(row.node)) return []
  quarantineRefused(context, row, revisions, dropped?.refused ?? 0)
  const { chunk } = staged
  const count = chunk.passages.length
  const vectors = { passages: reply.vectors.slice(0, count), units: reply.vectors.slice(count) }
  context.arrived?.set(row.node, { chunk, vectors, isTaken: false })
  const numbers = revisions.map((one) => one.n)
  addToWaiting(sql, numbers, -1)
  for (const revision of revisions) if (revision.waiting === 1) countArrival(unitOfWork.find(revision.job))
  return []
}

/** A chunk already in the graph gets the vectors of its sentences, because a builder that needs them was switched on. */
function completeChunk(context: CorpusContext, id: string, reply: Reply): void {
  const chunk = context.graph.chunk(id)
  if (!chunk || reply.kind !== 'embed') return
  const vectors = { passages: vectorsOf(context, chunk).passages, units: reply.vectors }
  context.graph.apply([{ op: 'put-chunk', chunk, vectors }], context.graph.version)
}

function countArrival(job: Job | undefined): void {
  if (job) job.waiting--
}

/** A document whose vectors cannot be obtained fails; the rest of its batch continues. */
function failRevision(context: CorpusContext, unitOfWork: JobUnitOfWork, revision: Revision, reason: string): void {
  setRevisionFailed(context.sql, revision.n, reason)
  const job = unitOfWork.find(revision.job)
  if (!job) return
  job.waiting--
  uncountRevision(job.tally.counted, revision)
  job.error = reason
  if (job.kind === 'ingest') job.status = 'failed'
  unstage(context, unitOfWork, [revision])
}

/**
 * Integrates the jobs in the unit of work that wait for nothing more, and gives the builders their replies: one version. A change that is too large for one
 * transaction is started here and applied in parts (large.ts); until it is complete, nothing else is applied.
 */
export function commitReady(context: CorpusContext, unitOfWork: JobUnitOfWork, answers: readonly Answer[] = []): void {
  if (isIntegrating(context)) return
  const ready = unitOfWork.all().filter((job) => job.phase === 'staging' && job.waiting <= 0)
  if (ready.length === 0 && answers.length === 0) return
  if (fits(context, ready)) {
    commitAtOnce(context, unitOfWork, ready, answers)
    return
  }
  if (answers.length > 0) commitAtOnce(context, unitOfWork, [], answers)
  for (let left: readonly Job[] = ready; left.length > 0; ) {
    const some = jobsThatFit(context, left)
    const [job] = some
    if (!job) return
    if (!fits(context, some)) {
      beginIntegration(context, job)
      return
    }
    commitAtOnce(context, unitOfWork, some, [])
    if (isThreadQueried(context)) return // the others are ready and are applied next, so that no question waits for all of them
    left = left.slice(some.length)
  }
}

/** The first, and those after it that are applied with it. */
function jobsThatFit(context: CorpusContext, ready: readonly Job[]): readonly Job[] {
  let count = 1
  while (count < ready.length && fits(context, ready.slice(0, count + 1))) count++
  return ready.slice(0, count)
}

/**
 * The next commit that is ready, in its own transaction: a part of a large change; after it, what has waited for it: replies that came
 * meanwhile, then jobs that were ready; then the builders' backlog. False if there is nothing to do.
 */
export function commitNext(context: CorpusContext): boolean {
  return integrateNextPart(context) || commitWaiting(context) || processBacklog(context)
}

/** Is a commit ready? No tasks are leased before it is made. */
export function hasCommit(context: CorpusContext): boolean {
  return isIntegrating(context) || hasLate(context.sql) || hasBacklog(context) || listReadyJobs(context.sql).length > 0
}

function commitWaiting(context: CorpusContext): boolean {
  return context.atomically(() => {
    const late = takeLate(context)
    if (late.length > 0) commitResults(context, late)
    const unitOfWork = openUnitOfWork(context.sql, context.now())
    const ready = late.length > 0 ? [] : listReadyJobs(context.sql)
    for (const n of ready) unitOfWork.find(n)
    if (ready.length > 0) commitReady(context, unitOfWork)
    unitOfWork.save()
    return late.length + ready.length > 0
  })
}

function fits(context: CorpusContext, jobs: readonly Job[]): boolean {
  return partsOf(arrivalsOf(context, jobs), [], maxAtOnce(context)).length === 1
}

function commitAtOnce(context: CorpusContext, unitOfWork: JobUnitOfWork, ready: readonly Job[], answers: readonly Answer[]): void {
  const arriving = arrivalsOf(context, ready)
  const [before, version] = [context.sql.written(), context.graph.version + 1]
  for (const job of ready) {
    job.phase = 'settling'
    countDone(job, arriving)
  }
  const jobs = [...new Set([...ready, ...(answers.length > 0 ? unitOfWork.all().filter((job) => job.phase === 'settling') : [])])]
  const [part] = partsOf(arriving, answers, maxAtOnce(context))
  const done = part && integratePart({ context, unitOfWork, jobs, version }, part)
  forgetExamples(context, ready, arriving)
  replaceRevisions(context, unitOfWork, arriving, version)
  for (const { deletes } of ready) forgetDeleted(context, deletes)
  if (!done) return void awaitOthers(context, ready)
  keepReceipt(context, touchedBy(done.counted), jobs)
  waitForBacklog(context, jobs)
  for (const job of jobs) {
    job.tally.version = version
    job.tally.rows += context.sql.written() - before
    if (job.deletes.length > 0 || job.tally.examples) job.told = done.seq
  }
}
