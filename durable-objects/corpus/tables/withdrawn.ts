/** What was taken back after it had been here: documents deleted, labels or switches changed, each with when it last was. An older state that is
 * brought back is told (backup/replay.ts). All SQL on the table is here. */
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_WITHDRAWN = `
  CREATE TABLE withdrawn (
    document TEXT NOT NULL,
    what TEXT NOT NULL,               -- deleted | access
    at INTEGER NOT NULL,              -- ms
    PRIMARY KEY (document, what)
  ) WITHOUT ROWID;
  CREATE INDEX withdrawn_at ON withdrawn (at);
`

export type Withdrawal = 'deleted' | 'access'

export interface WithdrawnRow {
  readonly document: string
  readonly what: Withdrawal
  readonly at: number
}

export function noteWithdrawn(sql: Sql, what: Withdrawal, at: number, documents: readonly string[]): void {
  if (documents.length === 0) return
  sql.run(
    `INSERT INTO withdrawn (document, what, at) SELECT DISTINCT value, ?, ? FROM json_each(?) WHERE 1
     ON CONFLICT (document, what) DO UPDATE SET at = max(at, excluded.at)`,
    what,
    at,
    JSON.stringify(documents),
  )
}

/** As recorded elsewhere, whatever is recorded here. */
export function writeWithdrawn(sql: Sql, rows: readonly WithdrawnRow[]): void {
  sql.run(
    `INSERT OR REPLACE INTO withdrawn (document, what, at) SELECT value ->> 'document', value ->> 'what', value ->> 'at' FROM json_each(?)`,
    JSON.stringify(rows),
  )
}

export const isWithdrawn = (sql: Sql, what: Withdrawal, document: string): boolean =>
  sql.one('SELECT 1 FROM withdrawn WHERE document = ? AND what = ?', document, what) !== undefined

/** After a time, by document. */
export function listWithdrawnSince(sql: Sql, at: number): WithdrawnRow[] {
  return sql.all<WithdrawnRow>('SELECT document, what, at FROM withdrawn WHERE at >= ? ORDER BY document, what', at)
}

export function oldestWithdrawnAt(sql: Sql): number | undefined {
  return sql.one<{ at: number }>('SELECT at FROM withdrawn ORDER BY at LIMIT 1')?.at
}

export function deleteWithdrawnBefore(sql: Sql, at: number, limit: number): void {
  sql.run('DELETE FROM withdrawn WHERE (document, what) IN (SELECT document, what FROM withdrawn WHERE at < ? LIMIT ?)', at, limit)
}
