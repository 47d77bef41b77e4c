/**
 * Jobs: what a caller waits for. Phases: staging (vectors are being made) → settling (integrated; urgent tasks open) → telling
 * (deletions must reach the sinks) → done. Within one transaction every job is read once and written once, by a `JobUnitOfWork`.
 */
import type { JobKind, JobStatus, Job as JobView, Receipt } from '../../../src/contract/jobs'
import type { Spent } from '../../../src/contract/usage'
import type { Sql } from '../../sql'
import { announceDocuments, announceSettled } from '../webhooks/announce'
import { countTouched } from './job-touched'
import { advanceLine, type Counted, type Line, NO_LINE, nothingCounted, progressOfJob, readLine } from './progress'

export type Phase = 'staging' | 'settling' | 'telling' | 'done'

/** What a job has cost and touched, without the derived nodes (those are in `touched`, by id, to be counted once). */
export interface Tally {
  spent: Spent
  calls: { [kind: string]: number }
  rows: number
  version: number
  documents: number
  chunks: number
  passages: number
  units: number
  edges: number
  with: string[]
  counted: Counted
}

export interface Job {
  readonly n: number
  readonly id: string
  readonly kind: JobKind
  status: JobStatus
  phase: Phase
  readonly created: number
  readonly upto: number
  readonly deletes: readonly string[]
  waiting: number
  open: number
  done: number
  total: number
  told: number
  tally: Tally
  error: string | null
  receipt: Receipt | null
  progress: string | null
}

interface Row extends Omit<Job, 'deletes' | 'tally' | 'receipt'> {
  readonly deletes: string
  readonly tally: string
  readonly receipt: string | null
}

const emptyTally = (): Tally => ({
  spent: { in: 0, out: 0, embedded: 0 },
  calls: {},
  rows: 0,
  version: 0,
  documents: 0,
  chunks: 0,
  passages: 0,
  units: 0,
  edges: 0,
  with: [],
  counted: nothingCounted(),
})

export function addSpent(a: Spent, b: Spent): Spent {
  return { in: a.in + b.in, out: a.out + b.out, embedded: a.embedded + b.embedded }
}

const parse = (row: Row): Job => ({
  ...row,
  deletes: JSON.parse(row.deletes) as string[],
  tally: { ...emptyTally(), ...(JSON.parse(row.tally) as Tally) }, // a job of an earlier release counted nothing
  receipt: row.receipt ? (JSON.parse(row.receipt) as Receipt) : null,
})

export function viewOf(job: Job, line: Line = NO_LINE): JobView {
  const { tally } = job
  const tasks = job.open - tally.counted.embeds
  const isOpen = job.phase !== 'done' && job.status !== 'paused_budget'
  return {
    job: job.id,
    kind: job.kind,
    status: job.status,
    progress: { done: job.done, total: job.total, ...progressOfJob(line, tally.counted, tasks, isOpen) },
    usage: tally.spent,
    ...(job.receipt ? { receipt: job.receipt } : {}),
    ...(job.error ? { error: job.error } : {}),
  }
}

export function findJob(sql: Sql, id: string): Job | undefined {
  const row = sql.one<Row>('SELECT * FROM job WHERE id = ?', id)
  return row && parse(row)
}

/** Newest first; the cursor is the last job's number. */
export function listJobs(sql: Sql, cursor: string | null, limit: number): { data: JobView[]; next_cursor: string | null } {
  const before = cursor && /^\d+$/.test(cursor) ? Number(cursor) : Number.MAX_SAFE_INTEGER
  const rows = sql.all<Row>('SELECT * FROM job WHERE n < ? ORDER BY n DESC LIMIT ?', before, limit + 1).map(parse)
  const page = rows.slice(0, limit)
  const line = readLine(sql)
  return { data: page.map((job) => viewOf(job, line)), next_cursor: rows.length > limit ? String(page.at(-1)?.n) : null }
}

export function hasUnfinished(sql: Sql): boolean {
  return sql.one(`SELECT 1 FROM job WHERE phase <> 'done' LIMIT 1`) !== undefined
}

export function unfinished(sql: Sql): Job[] {
  return sql.all<Row>(`SELECT * FROM job WHERE phase <> 'done' ORDER BY n`).map(parse)
}

/** Numbers of those that wait for nothing more and are not in the graph yet, oldest first. */
export function readyJobs(sql: Sql): number[] {
  const rows = sql.all<{ n: number }>(`SELECT n FROM job WHERE phase <> 'done' AND phase = 'staging' AND waiting <= 0 ORDER BY n`)
  return rows.map((row) => row.n)
}

export interface JobUnitOfWork {
  create(job: { id: string; kind: JobKind; created: number; upto: number; deletes: readonly string[] }): Job
  find(n: number): Job | undefined
  /** Jobs read or made so far. */
  all(): Job[]
  save(): Job[]
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
    const row = sql.one<Row>('SELECT * FROM job WHERE n = ?', n)
    return row && keep(parse(row), JSON.stringify(parse(row)))
  }
  return {
    find,
    all: () => [...jobs.values()].map((one) => one.job),
    create: ({ id, kind, created, upto, deletes }) => {
      sql.run(
        `INSERT INTO job (id, kind, status, phase, created, upto, deletes, waiting, open, done, total, told, tally)
         VALUES (?, ?, 'queued', 'staging', ?, ?, ?, 0, 0, 0, 0, 0, ?)`,
        id,
        kind,
        created,
        upto,
        JSON.stringify(deletes),
        JSON.stringify(emptyTally()),
      )
      const row = sql.one<Row>('SELECT * FROM job WHERE id = ?', id)
      if (!row) throw new Error('job: a row just inserted is not there')
      return keep(parse(row), '')
    },
    save: () => {
      const changed: Job[] = []
      const moved = [...jobs.values()].map(({ job, counted }) => {
        advance(sql, job, now)
        return { before: counted, now: { counted: job.tally.counted, open: job.open } }
      })
      const hasEnded = [...jobs.values()].some(({ job, before }) => job.phase === 'done' && JSON.stringify(job) !== before)
      advanceLine(sql, moved, false)
      for (const one of jobs.values()) {
        if (JSON.stringify(one.job) === one.before) continue
        write(sql, one.job)
        one.counted = countedOf(one.job) // saved twice, it is counted once
        changed.push(one.job)
      }
      if (hasEnded && !hasUnfinished(sql)) advanceLine(sql, [], true)
      announceSettled(sql, now, changed)
      return changed
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
  if (job.phase === 'telling' && job.told === 0) close(sql, job, now)
}

function close(sql: Sql, job: Job, now: number): void {
  job.phase = 'done'
  if (job.status !== 'failed' && job.status !== 'cancelled') job.status = 'succeeded'
  job.done = job.total
  const derived = countTouched(sql, job.n)
  const { tally } = job
  for (const count of [tally.counted.chunks, tally.counted.texts]) count.total = count.done // what was given up is owed no more
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
  }
  // A receipt holds numbers; the names of what was deleted go with the job's work.
  sql.run('DELETE FROM touched WHERE job = ?', job.n)
}

function write(sql: Sql, job: Job): void {
  sql.run(
    `UPDATE job SET status = ?, phase = ?, deletes = ?, waiting = ?, open = ?, done = ?, total = ?, told = ?, tally = ?, error = ?, receipt = ?, progress = ? WHERE n = ?`,
    job.status,
    job.phase,
    JSON.stringify(job.phase === 'done' ? [] : job.deletes),
    job.waiting,
    job.open,
    job.done,
    job.total,
    job.told,
    JSON.stringify(job.tally),
    job.error,
    job.receipt ? JSON.stringify(job.receipt) : null,
    job.progress,
    job.n,
  )
}

export function saveJob(sql: Sql, job: Job): void {
  write(sql, job)
}
