/**
 * In a partition: what the corpus's own object has yet to be told. In that object: documents whose deletion it was told of recently. All
 * SQL on both tables is here.
 */
import type { Report, ReportBody } from '../../../src/ports/reports'
import type { Sql } from '../../sql'
import { lastSeq } from './outbox'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_REPORT = `
  CREATE TABLE report (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    seq INTEGER,                      -- for a deletion: the last entry of the outbox when it was written; NULL: nobody waits for it
    body TEXT NOT NULL
  );
  CREATE INDEX report_awaited ON report (seq) WHERE seq IS NOT NULL;
  CREATE TABLE forgotten (document TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX forgotten_at ON forgotten (at);
`

/** An answer that takes longer than this from reading the corpus to being kept does not exist. */
export const FORGOTTEN_FOR = 3_600_000 // ms

export function insertReport(sql: Sql, body: ReportBody): void {
  // Summaries that a deletion has changed are awaited with it.
  const seq = body.kind === 'forgotten' ? lastSeq({ sql }) : body.kind === 'tops' ? awaitedSeq(sql) : null
  sql.run('INSERT INTO report (seq, body) VALUES (?, ?)', seq, JSON.stringify(body))
}

/** Oldest first. */
export function listReports(sql: Sql, limit: number): Report[] {
  const rows = sql.all<{ n: number; body: string }>('SELECT n, body FROM report ORDER BY n LIMIT ?', limit)
  return rows.map(({ n, body }) => ({ n, ...(JSON.parse(body) as ReportBody) }))
}

const awaitedSeq = (sql: Sql): number | null => sql.one<{ seq: number | null }>('SELECT max(seq) AS seq FROM report')?.seq ?? null

/** A deletion has yet to be told. */
export const isForgettingUntold = (sql: Sql): boolean => sql.one('SELECT 1 FROM report WHERE seq IS NOT NULL LIMIT 1') !== undefined

/** There is no budget any more: what was spent under one is told all the same, but is not taken as all that was spent. */
export function uncapReports(sql: Sql): void {
  sql.run("UPDATE report SET body = json_remove(body, '$.isCapped') WHERE body ->> 'isCapped'")
}

export const hasReports = (sql: Sql): boolean => sql.one('SELECT 1 FROM report LIMIT 1') !== undefined

export function deleteReportsUpTo(sql: Sql, n: number): void {
  sql.run('DELETE FROM report WHERE n <= ?', n)
}

/** The entry of the outbox up to which nothing waits for a report. */
export function reportedUpTo(sql: Sql): number {
  const first = sql.one<{ seq: number | null }>('SELECT min(seq) AS seq FROM report WHERE seq IS NOT NULL')?.seq
  return first === null || first === undefined ? Number.POSITIVE_INFINITY : first - 1
}

/** Only those deleted at `since` (ms) or later are kept. */
export function noteForgotten(sql: Sql, documents: readonly string[], at: number, since: number): void {
  sql.run('DELETE FROM forgotten WHERE at < ?', since)
  sql.run('INSERT OR REPLACE INTO forgotten (document, at) SELECT value, ? FROM json_each(?)', at, JSON.stringify(documents))
}

/** The same of what was deleted in this object. */
export function noteForgottenHere(sql: Sql, since: number): void {
  noteForgotten(sql, [], since, since)
  sql.run(`INSERT OR REPLACE INTO forgotten (document, at) SELECT document, at FROM withdrawn WHERE what = 'deleted' AND at >= ?`, since)
}

export function hasForgotten(sql: Sql, documents: readonly string[], since: number): boolean {
  const named = JSON.stringify(documents)
  return sql.one('SELECT 1 FROM forgotten WHERE document IN (SELECT value FROM json_each(?)) AND at >= ?', named, since) !== undefined
}

export const hasForgottenAny = (sql: Sql, since: number): boolean =>
  sql.one('SELECT 1 FROM forgotten WHERE at >= ? LIMIT 1', since) !== undefined
