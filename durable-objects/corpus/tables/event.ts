/** Accepted events of senders, by keyed names that reveal nothing, so that none is accepted twice. All SQL on the table is here. */
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. job: what it became, null if it changed nothing; at: ms. */
export const CREATE_EVENT = `
  CREATE TABLE event (id TEXT PRIMARY KEY, job TEXT, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX event_at ON event (at);
`

export function insertEvent(sql: Sql, id: string, job: string | null, at: number): void {
  sql.run('INSERT INTO event (id, job, at) VALUES (?, ?, ?)', id, job, at)
}

/** One of these that was already accepted, with its job. */
export function findEvent(sql: Sql, ids: readonly string[]): { readonly job: string | null } | undefined {
  return sql.one('SELECT job FROM event WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
}

/** When the oldest was accepted. */
export function readOldestEventTime(sql: Sql): number | undefined {
  return sql.one<{ at: number }>('SELECT at FROM event ORDER BY at LIMIT 1')?.at
}

export function deleteEventsBefore(sql: Sql, at: number, limit: number): void {
  sql.run('DELETE FROM event WHERE id IN (SELECT id FROM event WHERE at < ? LIMIT ?)', at, limit)
}
