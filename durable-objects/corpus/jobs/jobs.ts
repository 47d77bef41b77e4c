/**
 * Jobs: what a caller waits for. Phases: staging (vectors are being made) → settling (integrated; urgent tasks open) → telling (deletions
 * must reach the sinks) → done. Within one transaction every job is read once and written once, by a `JobUnitOfWork`.
 */
import type { JobKind, Job as JobView } from '../../../src/contract/jobs'
import type { Page } from '../../../src/contract/pages'
import { pageOf } from '../../../src/core/page'
import type { Sql } from '../../sql'
import { hasUnfinishedJobs, insertJob, listJobsBefore, listUnfinishedJobs, readJob, readJobById, updateJob } from '../tables/job'
import { deleteTouched } from '../tables/touched'
import { announceDocuments, announceSettled } from '../webhooks/announce'
import { emptyTally, type Job, parseJob, viewOf } from './job'
import { countTouched } from './job-touched'
import { advanceProgress, type Counted, readProgress } from './progress'

export function findJob(sql: Sql, id: string): Job | undefined {
  const row = readJobById(sql, id)
  return row && parseJob(row)
}

/** Newest first; the cursor is the last job's number. */
export function listJobs(sql: Sql, cursor: string | null, limit: number): Page<JobView> {
  const before = cursor && /^\d+$/.test(cursor) ? Number(cursor) : Number.MAX_SAFE_INTEGER
  const rows = listJobsBefore(sql, before, limit + 1).map(parseJob)
  const { data, next_cursor } = pageOf(rows, limit, ({ n }) => String(n))
  const line = readProgress(sql)
  return { data: data.map((job) => viewOf(job, line)), next_cursor }
}

/** Oldest first. */
export function unfinishedJobs(sql: Sql): Job[] {
  return listUnfinishedJobs(sql).map(parseJob)
}

export interface JobUnitOfWork {
  create(job: { id: string; kind: JobKind; created: number; upto: number; deletes: readonly string[] }): Job
  find(n: number): Job | undefined
  /** Jobs read or made so far. */
  all(): Job[]
  save(): void
}

export function openUnitOfWork(sql: Sql, now: number): JobUnitOfWork {
  const jobs = new Map<number, { job: Job; before: string; counted: { counted: Counted; open: number } }>()
  const keep = (job: Job, before: string): Job => {
    jobs.set(job.n, { job, before, counted: countedOf(job) })
    return job
  }
  const find = (n: number): Job | undefined => {
    const known = jobs.get(n)
    if (known) return known.job
    const row = readJob(sql, n)
    return row && keep(parseJob(row), JSON.stringify(parseJob(row)))
  }
  return {
    find,
    all: () => [...jobs.values()].map((one) => one.job),
    create: ({ id, kind, created, upto, deletes }) => {
      insertJob(sql, { id, kind, created, upto, deletes: JSON.stringify(deletes), tally: JSON.stringify(emptyTally()) })
      const row = readJobById(sql, id)
      if (!row) throw new Error('job: a row that was just inserted is missing')
      return keep(parseJob(row), '')
    },
    save: () => {
      const changed: Job[] = []
      const moved = [...jobs.values()].map(({ job, counted }) => {
        advance(sql, job, now)
        return { before: counted, now: { counted: job.tally.counted, open: job.open } }
      })
      const hasEnded = [...jobs.values()].some(({ job, before }) => job.phase === 'done' && JSON.stringify(job) !== before)
      advanceProgress(sql, moved, false)
      for (const one of jobs.values()) {
        if (JSON.stringify(one.job) === one.before) continue
        saveJob(sql, one.job)
        one.counted = countedOf(one.job) // saved twice, but counted once
        changed.push(one.job)
      }
      if (hasEnded && !hasUnfinishedJobs(sql)) advanceProgress(sql, [], true)
      announceSettled(sql, now, changed)
    },
  }
}

const countedOf = ({ tally, open }: Job): { counted: Counted; open: number } => ({ counted: structuredClone(tally.counted), open })

/** Moves a job on as far as its counters allow. */
export function advance(sql: Sql, job: Job, now: number): void {
  if (job.phase === 'settling' && job.open <= 0) {
    job.phase = 'telling'
    announceDocuments(sql, now, job)
  }
  if (job.phase === 'telling' && job.told === 0) finishJob(sql, job, now)
}

function finishJob(sql: Sql, job: Job, now: number): void {
  job.phase = 'done'
  if (job.status !== 'failed' && job.status !== 'cancelled') job.status = 'succeeded'
  job.done = job.total
  const derived = countTouched(sql, job.n)
  const { tally } = job
  for (const count of [tally.counted.chunks, tally.counted.texts]) count.total = count.done // abandoned work is no longer expected
  tally.counted.embeds = 0
  job.open = 0
  job.receipt = {
    version: tally.version,
    touched: {
      documents: tally.documents,
      chunks: tally.chunks,
      passages: tally.passages,
      units: tally.units,
      ...derived,
      edges: tally.edges,
    },
    rows_written: tally.rows,
    model_calls: tally.calls,
    tokens: tally.spent,
    texts_embedded: tally.counted.texts.done,
    ms: now - job.created,
    ...(tally.with.length > 0 ? { shared_with: tally.with } : {}),
    ...(tally.examples ? { examples_removed: tally.examples } : {}),
    ...(tally.earlier ? { earlier_kept: tally.earlier } : {}),
  }
  // A receipt contains numbers; the names of deleted things are removed with the job's work.
  deleteTouched(sql, job.n)
}

function saveJob(sql: Sql, job: Job): void {
  updateJob(sql, {
    ...job,
    deletes: JSON.stringify(job.phase === 'done' ? [] : job.deletes),
    tally: JSON.stringify(job.tally),
    receipt: job.receipt ? JSON.stringify(job.receipt) : null,
  })
}
