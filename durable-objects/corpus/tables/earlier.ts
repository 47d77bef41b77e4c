/**
 * What statements in documents said before a version changed them, if the corpus keeps that, and, if it has a judge, sentences that a version
 * removed (`now` is empty). All SQL on the table is here.
 */
import type { ChangePlace, ChangesRequest } from '../../../src/ports/changes'
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_EARLIER = `
  CREATE TABLE earlier (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    document TEXT NOT NULL,
    now TEXT NOT NULL,    -- the sentence of the version that is served
    before TEXT NOT NULL, -- what it said
    at INTEGER NOT NULL,  -- when it was replaced: milliseconds since 1970
    dates TEXT NOT NULL   -- of the version that said so: JSON
  );
  CREATE INDEX earlier_document ON earlier (document);
  CREATE INDEX earlier_at ON earlier (at);
`

/** The numbers of the contents of a document that last said so, and that first said otherwise. 0 in older rows. */
export const ADD_EARLIER_VERSIONS = `
  ALTER TABLE earlier ADD COLUMN said_in INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE earlier ADD COLUMN replaced_in INTEGER NOT NULL DEFAULT 0;
`

/** In place of the sentence that says it now: no rule knows which one does, if any. */
const REMOVED = ''

export interface EarlierRow {
  readonly n: number
  readonly document: string
  readonly now: string
  readonly before: string
  readonly at: number
  readonly dates: string
  readonly said_in: number
  readonly replaced_in: number
}

export function insertEarlier(sql: Sql, { document, now, before, at, dates, said_in, replaced_in }: Omit<EarlierRow, 'n'>): void {
  const columns = 'document, now, before, at, dates, said_in, replaced_in'
  sql.run(`INSERT INTO earlier (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`, document, now, before, at, dates, said_in, replaced_in)
}

export function insertRemoved(sql: Sql, row: Omit<EarlierRow, 'n' | 'now'>): void {
  insertEarlier(sql, { ...row, now: REMOVED })
}

/** What was changed, the latest first. */
export function listEarlier(sql: Sql, documents: readonly string[], since: number): EarlierRow[] {
  const statement =
    'SELECT * FROM earlier WHERE document IN (SELECT value FROM json_each(?)) AND at >= ? AND now <> ? ORDER BY at DESC, n DESC'
  return sql.all<EarlierRow>(statement, JSON.stringify(documents), since, REMOVED)
}

/** What was removed, the latest first. */
export function listRemoved(sql: Sql, documents: readonly string[], since: number, limit: number): EarlierRow[] {
  const statement =
    'SELECT * FROM earlier WHERE document IN (SELECT value FROM json_each(?)) AND at >= ? AND now = ? ORDER BY at DESC, n DESC LIMIT ?'
  return sql.all<EarlierRow>(statement, JSON.stringify(documents), since, REMOVED, limit)
}

/** What was changed, after a place, latest first: of one document or, null, of all. Since a time. */
export function pageEarlier(sql: Sql, { document, since, after, limit }: ChangesRequest & { readonly after: ChangePlace }): EarlierRow[] {
  const own = document === null ? '' : 'document = ? AND'
  const statement = `SELECT * FROM earlier WHERE ${own} now <> ? AND at >= ? AND (at, n) < (?, ?) ORDER BY at DESC, n DESC LIMIT ?`
  return sql.all<EarlierRow>(statement, ...(document === null ? [] : [document]), REMOVED, since, after.at, after.n, limit)
}

/** The statement has changed again. */
export function moveEarlier(sql: Sql, n: number, now: string): void {
  sql.run('UPDATE earlier SET now = ? WHERE n = ?', now, n)
}

export function deleteEarlierRow(sql: Sql, n: number): void {
  sql.run('DELETE FROM earlier WHERE n = ?', n)
}

export function deleteEarlierOf(sql: Sql, documents: readonly string[]): void {
  sql.run('DELETE FROM earlier WHERE document IN (SELECT value FROM json_each(?))', JSON.stringify(documents))
}

/** All but the latest of a document, counted apart. */
export function trimEarlier(sql: Sql, document: string, kept: { readonly changed: number; readonly removed: number }): void {
  for (const [isRemoved, limit] of [
    [0, kept.changed],
    [1, kept.removed],
  ] as const) {
    const own = "document = ? AND (now = '') = ?"
    const statement = `DELETE FROM earlier WHERE ${own} AND n NOT IN (SELECT n FROM earlier WHERE ${own} ORDER BY at DESC, n DESC LIMIT ?)`
    sql.run(statement, document, isRemoved, document, isRemoved, limit)
  }
}

export function deleteEarlierBefore(sql: Sql, at: number, limit: number): void {
  sql.run('DELETE FROM earlier WHERE n IN (SELECT n FROM earlier WHERE at < ? LIMIT ?)', at, limit)
}

export function deleteAllRemoved(sql: Sql): void {
  sql.run('DELETE FROM earlier WHERE now = ?', REMOVED)
}

export function deleteAllEarlier(sql: Sql): void {
  sql.run('DELETE FROM earlier')
}

export const oldestEarlierAt = (sql: Sql): number | undefined =>
  sql.one<{ at: number | null }>('SELECT min(at) AS at FROM earlier')?.at ?? undefined

/** Is there one from the first time on, before the second? */
export const hasEarlierBetween = (sql: Sql, from: number, before: number): boolean =>
  sql.one('SELECT 1 FROM earlier WHERE at >= ? AND at < ? LIMIT 1', from, before) !== undefined
