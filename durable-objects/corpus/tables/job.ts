/** Jobs: what a caller waits for. The meaning of their columns, and how they advance, is in jobs/jobs.ts. All SQL on the table is here. */

import type { JobKind, JobStatus } from '../../../src/contract/jobs'
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_JOB = `
  CREATE TABLE job (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,             -- queued | running | succeeded | failed | cancelled | paused_budget
    phase TEXT NOT NULL,              -- staging → settling → telling → done
    created INTEGER NOT NULL,
    upto INTEGER NOT NULL,            -- newest revision when it was accepted: its deletes reach no further
    deletes TEXT NOT NULL,
    waiting INTEGER NOT NULL,         -- revisions not ready to be integrated
    open INTEGER NOT NULL,            -- urgent tasks owed to it
    done INTEGER NOT NULL,
    total INTEGER NOT NULL,
    told INTEGER NOT NULL,            -- outbox entry that must have reached the sinks; 0: none
    tally TEXT NOT NULL,              -- what it has cost and touched so far
    error TEXT,
    receipt TEXT,
    progress TEXT                     -- where paged work (reindex, rebuild, drop) has got to
  );
  CREATE INDEX job_unfinished ON job (n) WHERE phase <> 'done';
`

/** The id of the key, webhook or source that requested it; '' if unknown. */
export const ADD_JOB_KEY = `ALTER TABLE job ADD COLUMN key TEXT NOT NULL DEFAULT ''`

export type Phase = 'staging' | 'settling' | 'telling' | 'done'

export interface JobRow {
  readonly n: number
  readonly id: string
  readonly kind: JobKind
  readonly status: JobStatus
  readonly phase: Phase
  readonly created: number
  readonly upto: number
  /** JSON list of documents. */
  readonly deletes: string
  readonly waiting: number
  readonly open: number
  readonly done: number
  readonly total: number
  readonly told: number
  /** JSON. */
  readonly tally: string
  readonly error: string | null
  /** JSON. */
  readonly receipt: string | null
  /** JSON, about the work it does. */
  readonly progress: string | null
}

const UNFINISHED = `phase <> 'done'` // as in the index

export function insertJob(
  sql: Sql,
  { id, kind, created, upto, deletes, tally }: Pick<JobRow, 'id' | 'kind' | 'created' | 'upto' | 'deletes' | 'tally'>,
): void {
  sql.run(
    `INSERT INTO job (id, kind, status, phase, created, upto, deletes, waiting, open, done, total, told, tally)
     VALUES (?, ?, 'queued', 'staging', ?, ?, ?, 0, 0, 0, 0, 0, ?)`,
    id,
    kind,
    created,
    upto,
    deletes,
    tally,
  )
}

export function setJobKey(sql: Sql, id: string, key: string): void {
  sql.run('UPDATE job SET key = ? WHERE id = ?', key, id)
}

export function readJobKey(sql: Sql, n: number): string {
  return sql.one<{ key: string }>('SELECT key FROM job WHERE n = ?', n)?.key ?? ''
}

export function updateJob(sql: Sql, row: Omit<JobRow, 'id' | 'kind' | 'created' | 'upto'>): void {
  sql.run(
    `UPDATE job SET status = ?, phase = ?, deletes = ?, waiting = ?, open = ?, done = ?, total = ?, told = ?, tally = ?, error = ?, receipt = ?, progress = ? WHERE n = ?`,
    row.status,
    row.phase,
    row.deletes,
    row.waiting,
    row.open,
    row.done,
    row.total,
    row.told,
    row.tally,
    row.error,
    row.receipt,
    row.progress,
    row.n,
  )
}

/** When the oldest job in one of these phases was made, ms; null: there is none. */
export function oldestJobIn(sql: Sql, phases: readonly Phase[]): number | null {
  const query = `SELECT min(created) AS at FROM job WHERE ${UNFINISHED} AND phase IN (SELECT value FROM json_each(?))`
  return sql.one<{ at: number | null }>(query, JSON.stringify(phases))?.at ?? null
}

/** Jobs of partitions that a corpus has left. One that is still running there, of one or several, runs until `finishMovedJobs`. */
export function insertMovedJob(sql: Sql, row: { readonly [column: string]: string | number | null }): void {
  const { n: _, phase, ...given } = row
  const columns = Object.keys(given)
  const status = phase === 'done' ? given.status : 'running'
  sql.run(
    `INSERT INTO job (phase, ${columns.join(', ')}) VALUES ('done', ${columns.map(() => '?').join(', ')})
     ON CONFLICT (id) DO UPDATE SET status = excluded.status, receipt = excluded.receipt WHERE job.status <> 'running'`,
    ...Object.values({ ...given, status: status ?? null }),
  )
}

/** Those of an object whose documents have been moved to partitions: as `insertMovedJob`. */
export function leaveJobs(sql: Sql): void {
  sql.run(`UPDATE job SET phase = 'done', status = 'running' WHERE ${UNFINISHED}`)
}

export function finishMovedJobs(sql: Sql): void {
  sql.run(`UPDATE job SET status = 'succeeded' WHERE phase = 'done' AND status = 'running'`)
}

export function deleteFinishedJobs(sql: Sql): void {
  sql.run(`DELETE FROM job WHERE phase = 'done'`)
}

export function readJob(sql: Sql, n: number): JobRow | undefined {
  return sql.one<JobRow>('SELECT * FROM job WHERE n = ?', n)
}

export function readJobById(sql: Sql, id: string): JobRow | undefined {
  return sql.one<JobRow>('SELECT * FROM job WHERE id = ?', id)
}

export function readJobState(sql: Sql, n: number): Pick<JobRow, 'phase' | 'status'> | undefined {
  return sql.one('SELECT phase, status FROM job WHERE n = ?', n)
}

/** Newest first, below a number. */
export function listJobsBefore(sql: Sql, n: number, limit: number): JobRow[] {
  return sql.all<JobRow>('SELECT * FROM job WHERE n < ? ORDER BY n DESC LIMIT ?', n, limit)
}

// ---------------------------------------------------------------- unfinished ones

/** Was it, or is it being, moved to another embedding model since a time (ms)? */
export function hasMovedSince(sql: Sql, at: number): boolean {
  return sql.one(`SELECT 1 FROM job WHERE kind = 'migrate' AND (created >= ? OR ${UNFINISHED}) LIMIT 1`, at) !== undefined
}

export function hasUnfinishedJobs(sql: Sql): boolean {
  return sql.one(`SELECT 1 FROM job WHERE ${UNFINISHED} LIMIT 1`) !== undefined
}

/** Oldest first. */
export function listUnfinishedJobs(sql: Sql): JobRow[] {
  return sql.all<JobRow>(`SELECT * FROM job WHERE ${UNFINISHED} ORDER BY n`)
}

export function hasUnfinishedDrop(sql: Sql): boolean {
  return sql.one(`SELECT 1 FROM job WHERE ${UNFINISHED} AND kind = 'drop' LIMIT 1`) !== undefined
}

/** The oldest job of work on the whole corpus that is not finished: how far it has got, and its open tasks. */
export function readMaintenanceUnderway(sql: Sql): Pick<JobRow, 'kind' | 'open' | 'progress'> | undefined {
  return sql.one(
    `SELECT kind, open, progress FROM job WHERE ${UNFINISHED} AND phase = 'staging' AND kind IN ('reindex', 'consolidate', 'rebuild', 'migrate', 'restore', 'languages')
     ORDER BY n LIMIT 1`,
  )
}

/** The job that moves the corpus to another embedding model, if one does. */
export function readMoveUnderway(sql: Sql): Pick<JobRow, 'n' | 'id' | 'progress'> | undefined {
  return sql.one(`SELECT n, id, progress FROM job WHERE ${UNFINISHED} AND phase = 'staging' AND kind = 'migrate' ORDER BY n LIMIT 1`)
}

/** Numbers of those that wait for nothing more and are not in the graph yet, oldest first. */
export function listReadyJobs(sql: Sql): number[] {
  const rows = sql.all<{ n: number }>(`SELECT n FROM job WHERE ${UNFINISHED} AND phase = 'staging' AND waiting <= 0 ORDER BY n`)
  return rows.map((row) => row.n)
}

/** Numbers of those that only wait for the sinks to have an outbox entry up to this one. */
export function listJobsAwaitingSinksUpTo(sql: Sql, seq: number): number[] {
  return sql.all<{ n: number }>(`SELECT n FROM job WHERE phase = 'telling' AND told <= ?`, seq).map((row) => row.n)
}

/** Does one that is not paused have an open task? */
export function hasJobToPause(sql: Sql): boolean {
  const running = `SELECT 1 FROM job WHERE ${UNFINISHED} AND phase <> 'telling' AND open > 0 AND status <> 'paused_budget' LIMIT 1`
  return sql.one(running) !== undefined
}

/** Which of these documents are deleted by jobs that are not in the graph yet: waiting ones, and the one being applied. */
export function listDocumentsLeaving(sql: Sql, documents: readonly string[], integrating: number): string[] {
  const rows = sql.all<{ id: string }>(
    `SELECT DISTINCT d.value AS id FROM job, json_each(job.deletes) d
     WHERE ${UNFINISHED} AND (phase = 'staging' OR n = ?) AND d.value IN (SELECT value FROM json_each(?))`,
    integrating,
    JSON.stringify(documents),
  )
  return rows.map((row) => row.id)
}

/** When the oldest of them was accepted. */
export function readOldestUnfinishedTime(sql: Sql): number | undefined {
  return sql.one<{ created: number }>(`SELECT created FROM job WHERE ${UNFINISHED} ORDER BY n LIMIT 1`)?.created
}

/** How the last ended job ended. */
export function readLastFinishedStatus(sql: Sql): JobStatus | undefined {
  return sql.one<{ status: JobStatus }>(`SELECT status FROM job WHERE phase = 'done' ORDER BY n DESC LIMIT 1`)?.status
}

/** How many of the newest jobs are in each state. */
export function countJobStates(sql: Sql, newest: number): { readonly status: JobStatus; readonly n: number }[] {
  return sql.all('SELECT status, count(*) AS n FROM (SELECT status FROM job ORDER BY n DESC LIMIT ?) GROUP BY status', newest)
}

// ---------------------------------------------------------------- finished ones

/** When the first job that is still kept was created. */
export function readOldestFinishedTime(sql: Sql): number | undefined {
  return sql.one<{ created: number }>(`SELECT created FROM job WHERE phase = 'done' ORDER BY n LIMIT 1`)?.created
}

export function deleteFinishedJobsBefore(sql: Sql, created: number, limit: number): void {
  sql.run(`DELETE FROM job WHERE n IN (SELECT n FROM job WHERE phase = 'done' AND created < ? LIMIT ?)`, created, limit)
}
