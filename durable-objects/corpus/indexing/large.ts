/**
 * A change too large for one transaction (a batch, a long document). It is applied in parts (parts.ts), each in its own transaction with other requests in
 * between, and readers see nothing of it (graph/snapshot.ts) until one last transaction makes it a version: the jobs follow the graph, the receipt is kept,
 * and it may be sent to the sinks. Meanwhile nothing else changes the graph: accepted documents wait their turn, no tasks are lent, and what a runner
 * brings anyway is kept. Its progress is a row, so that a crash repeats nothing and forgets nothing.
 */

import { bypassViews, freeze, isFrozen, thaw } from '../../graph/snapshot'
import { SqliteGraph } from '../../graph/sqlite-graph'
import type { Sql } from '../../sql'
import { awaitOthers } from '../jobs/finish-jobs'
import { deleteIntegration, readIntegration, writeIntegration } from '../jobs/integration-state'
import type { Job } from '../jobs/job'
import { type JobUnitOfWork, openUnitOfWork } from '../jobs/jobs'
import { notePace } from '../jobs/progress'
import { batchesOfVersion } from '../outbox/outbox'
import { keepReceipt, NOTHING_TOUCHED, touchedBy } from '../outbox/receipts'
import { isThreadQueried } from '../query-load'
import type { CorpusContext, UnindexedVectors } from '../store'
import type { Integration } from '../tables/integration'
import { arrivalsOf, countDone, replaceRevisions } from './arrivals'
import { waitForBacklog } from './backlog'
import { forgetDeleted } from './forget-deleted'
import { forgetExamples } from './forget-examples'
import { integratePart, restageLeft } from './integrate'
import { applyStep, type Halfway, recalled, rowOf, type Step } from './midway'
import { type Part, partsOf, placedOf, stepOf } from './parts'

export const BUSY_INTEGRATING = 'corpus: busy with a large change' // answered with 503 (http/failures.ts)

const WRITER_CACHE = 8 * 1024 * 1024 // bytes, in addition to the readers' own

/** What readers do not see yet is not part of the tail: it is added when they see it. */
const NO_UNINDEXED: UnindexedVectors = {
  floor: 0,
  bytes: 0,
  note: () => {},
  extend: () => false,
  forget: () => {},
  has: () => false,
  of: () => [],
}

/** Its job ends only when all of it is applied: it has one more open task. */
export function beginIntegration(context: CorpusContext, job: Job): void {
  const { graph } = context
  job.phase = 'settling'
  job.open++
  job.total++
  writeIntegration(context, {
    job: job.n,
    version: graph.version + 1,
    part: 0,
    size: stepOf(context),
    touched: NOTHING_TOUCHED,
    seq: 0,
    rows: 0,
  })
}

/** One part, a step of it while the corpus is asked, or the end of the change, in its own transaction. False if nothing is in progress. */
export function integrateNextPart(context: CorpusContext): boolean {
  const underway = readIntegration(context)
  if (!underway) return false
  try {
    context.atomically(() => {
      const unitOfWork = openUnitOfWork(context.sql, context.now())
      const job = unitOfWork.find(underway.job)
      if (!job) throw new Error('large: the job whose change is being applied no longer exists')
      integrateNext(context, unitOfWork, job, underway)
      unitOfWork.save()
    })
  } catch (error) {
    forgetWriter(context) // what it remembers was rolled back
    throw error
  }
  return true
}

/** What applies a change: its graph and tables. What one part has read, the next need not read again. */
interface Writer {
  readonly job: number
  readonly version: number
  readonly parts: readonly Part[]
  readonly graph: SqliteGraph
  readonly sql: Sql
  /** Of the part that has begun. */
  halfway?: Halfway | undefined
}

/** Keyed by the graph that readers see. Only a cache: an object that wakes builds it again. */
const writers = new WeakMap<SqliteGraph, Writer>()

function writerOf(context: CorpusContext, job: Job, { version, size }: Integration): Writer {
  const known = writers.get(context.graph)
  if (known?.version === version && known.job === job.n) return known
  const parts = partsOf(arrivalsOf(context, [job]), [], size ?? context.part)
  if (!isFrozen(context.sql)) freeze(context.sql)
  const sql = bypassViews(context.sql)
  const graph = new SqliteGraph({
    sql,
    dimensions: context.graph.dimensions,
    cacheBytes: WRITER_CACHE,
    occupant: context.graph.occupant,
  })
  graph.migrate()
  graph.record = context.graph.record
  const made: Writer = { job: job.n, version, parts, graph, sql }
  writers.set(context.graph, made)
  return made
}

function forgetWriter({ graph }: CorpusContext): void {
  writers.get(graph)?.graph.rest()
  writers.delete(graph)
}

function integrateNext(context: CorpusContext, unitOfWork: JobUnitOfWork, job: Job, underway: Integration): void {
  const { sql } = context
  const before = sql.written()
  const writer = writerOf(context, job, underway)
  const { parts, graph, sql: tables } = writer
  const part = parts[underway.part]
  const now = context.now()
  const { midway, last, ...rest } = underway
  if (last && !midway) notePace(sql, 'chunk', last.chunks, now - last.at)
  if (!part) {
    completeIntegration(context, unitOfWork, job, underway)
    return
  }
  const commit = {
    context: { ...context, sql: tables, graph, unindexed: NO_UNINDEXED },
    unitOfWork,
    jobs: [job],
    version: underway.version,
  }
  const isAsked = isThreadQueried(context)
  const halfway = midway && (writer.halfway ?? recalled({ graph }, midway))
  const step: Step | undefined = halfway || isAsked ? applyStep(commit, part, halfway, !isAsked) : integratePart(commit, part)
  writer.halfway = step?.halfway
  const coming = countComing(part)
  const { chunks } = job.tally.counted
  if (!step?.halfway) chunks.done = Math.min(chunks.total, chunks.done + coming)
  writeIntegration(context, {
    ...rest,
    part: underway.part + (step?.halfway ? 0 : 1),
    ...(step?.halfway ? { midway: rowOf(step.halfway) } : {}),
    touched: step ? touchedBy(step.counted, underway.touched) : underway.touched,
    seq: step?.seq ?? underway.seq,
    rows: underway.rows + sql.written() - before,
    last: midway && last ? last : { at: now, chunks: coming },
  })
}

function countComing({ upserts }: Part): number {
  return upserts.reduce((sum, { revision, coming }) => sum + (coming ?? placedOf(revision)).length, 0)
}

/** From now on it is a version like any other. */
function completeIntegration(
  context: CorpusContext,
  unitOfWork: JobUnitOfWork,
  job: Job,
  { version, touched, seq, rows }: Integration,
): void {
  const { sql, graph } = context
  const before = sql.written()
  restageLeft({ ...context, sql: bypassViews(sql) })
  thaw(sql)
  forgetWriter(context)
  graph.forget()
  const arriving = arrivalsOf(context, [job])
  countDone(job, arriving)
  forgetExamples(context, [job], arriving)
  replaceRevisions(context, unitOfWork, arriving, version)
  forgetDeleted(context, job.deletes)
  deleteIntegration(context)
  job.open--
  job.done++
  if (seq === 0) return void awaitOthers(context, [job])
  for (const { seq: entered, entries } of batchesOfVersion(context, version)) context.unindexed.note(graph, entered, entries)
  keepReceipt(context, touched, [job])
  waitForBacklog(context, [job])
  job.tally.version = version
  job.tally.rows += rows + sql.written() - before
  if (job.deletes.length > 0 || job.tally.examples) job.told = seq
}
