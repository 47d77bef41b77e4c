/** Who did what, when and through which interface. Rows are never changed, which a trigger ensures. All SQL on the table is here. */
import type { Actor, AuditEntry, AuditEvent } from '../../../src/ports/audit'
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_AUDIT = `
  CREATE TABLE audit (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,              -- ms
    key TEXT NOT NULL,                -- the id of a key, webhook or source
    door TEXT NOT NULL,
    action TEXT NOT NULL,
    document TEXT,
    subject TEXT,
    outcome TEXT NOT NULL
  );
  CREATE TRIGGER audit_append_only BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is never changed'); END;
`

export function insertAuditEntries(sql: Sql, by: Actor, at: number, events: readonly AuditEvent[]): void {
  const rows = events.map(({ action, document = null, subject = null, outcome }) => [action, document, subject, outcome])
  sql.run(
    `INSERT INTO audit (at, key, door, action, document, subject, outcome)
     SELECT ?, ?, ?, value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)`,
    at,
    by.key,
    by.door,
    JSON.stringify(rows),
  )
}

/** Newest first, below a number, made at a time or earlier. */
export function listAuditEntries(sql: Sql, before: number, at: number, limit: number): AuditEntry[] {
  return sql.all<AuditEntry>('SELECT * FROM audit WHERE n < ? AND at <= ? ORDER BY n DESC LIMIT ?', before, at, limit)
}

/** The number of the first entry made at or after a time (ms). */
export function firstAuditEntrySince(sql: Sql, at: number): number | undefined {
  return sql.one<{ n: number | null }>('SELECT min(n) AS n FROM audit WHERE at >= ?', at)?.n ?? undefined
}

/** How often each action was done since a time. */
export function countAuditActionsSince(sql: Sql, at: number): { readonly action: string; readonly n: number }[] {
  return sql.all('SELECT action, count(*) AS n FROM audit WHERE at > ? GROUP BY action ORDER BY action', at)
}

/** When the oldest entry was made. */
export function oldestAuditEntryAt(sql: Sql): number | undefined {
  return sql.one<{ at: number }>('SELECT at FROM audit ORDER BY n LIMIT 1')?.at
}

/** All but the newest. */
export function trimAudit(sql: Sql, maxRows: number): void {
  sql.run('DELETE FROM audit WHERE n <= (SELECT max(n) FROM audit) - ?', maxRows)
}

/** From a number on: inserted as they were recorded elsewhere. */
export function deleteAuditEntriesFrom(sql: Sql, n: number): void {
  sql.run('DELETE FROM audit WHERE n >= ?', n)
}

/** Among the oldest entries, those made before a time. */
export function deleteAuditEntriesBefore(sql: Sql, before: number, limit: number): void {
  sql.run('DELETE FROM audit WHERE n IN (SELECT n FROM (SELECT n, at FROM audit ORDER BY n LIMIT ?) WHERE at < ?)', limit, before)
}
