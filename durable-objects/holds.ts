/**
 * Reservations under a ceiling: one row for each piece of work in progress, in the object's own SQLite, so that a restart loses none. A row
 * that is not settled in time lapses: its work may have been done and paid for, so it counts in full until somebody reports the actual
 * cost, within a day. Every call is in the caller's transaction. O(rows), and there are as many as there is work in progress.
 */
import type { Sql } from './sql'

export const HOLD_MS = 15 * 60_000 // longer than any question or task may take
const REMEMBERED_MS = 24 * 3_600_000

/** A step of a schema; once released it is not changed. */
export const HOLDS = `
  CREATE TABLE hold (
    id TEXT PRIMARY KEY,
    read INTEGER NOT NULL,
    written INTEGER NOT NULL,
    embedded INTEGER NOT NULL,
    usd REAL NOT NULL,
    until INTEGER NOT NULL,
    lapsed INTEGER NOT NULL
  ) WITHOUT ROWID;
`

export interface Held {
  readonly read: number
  readonly written: number
  readonly embedded: number
  readonly usd: number
}

interface Row extends Held {
  readonly id: string
  readonly lapsed: number
}

export function tokensOf({ read, written, embedded }: Held): number {
  return read + written + embedded
}

/** Is there a row of this id, lapsed or not? */
export function isHeld(sql: Pick<Sql, 'one'>, id: string): boolean {
  return sql.one('SELECT 1 FROM hold WHERE id = ?', id) !== undefined
}

/** Everything reserved and not lapsed, except under this id. */
export function heldBesides(sql: Pick<Sql, 'one'>, id = ''): Held {
  const sums = 'total(read) AS read, total(written) AS written, total(embedded) AS embedded, total(usd) AS usd'
  return sql.one<Held>(`SELECT ${sums} FROM hold WHERE lapsed = 0 AND id <> ?`, id) ?? { read: 0, written: 0, embedded: 0, usd: 0 }
}

/** The reservation under this id for this much in all; never less than before. Null: it has lapsed, and nothing more is granted to it. */
export function raisedHold(sql: Pick<Sql, 'one'>, id: string, most: Held): Held | null {
  const before = sql.one<Row>('SELECT * FROM hold WHERE id = ?', id)
  if (!before) return most
  if (before.lapsed) return null
  return {
    read: Math.max(before.read, most.read),
    written: Math.max(before.written, most.written),
    embedded: Math.max(before.embedded, most.embedded),
    usd: Math.max(before.usd, most.usd),
  }
}

export function putHold(sql: Pick<Sql, 'run'>, id: string, { read, written, embedded, usd }: Held, now: number): void {
  sql.run('INSERT OR REPLACE INTO hold VALUES (?, ?, ?, ?, ?, ?, 0)', id, read, written, embedded, usd, now + HOLD_MS)
}

/** Ends reservations. Lapsed ones are returned: they have been counted as spent, and no longer should be. */
export function takeHold(sql: Pick<Sql, 'one' | 'run'>, id: string): Held | undefined {
  const row = sql.one<Row>('SELECT * FROM hold WHERE id = ?', id)
  if (row) sql.run('DELETE FROM hold WHERE id = ?', id)
  return row?.lapsed ? row : undefined
}

/** All of them, from another day. */
export function forgetHolds(sql: Pick<Sql, 'run'>): void {
  sql.run('DELETE FROM hold')
}

/** What lapses now, to be counted as spent. */
export function takeLapsed(sql: Pick<Sql, 'all' | 'run'>, now: number): Held[] {
  const rows = sql.all<Row>('SELECT * FROM hold WHERE until <= ? AND lapsed = 0', now)
  if (rows.length > 0) {
    sql.run('UPDATE hold SET lapsed = 1 WHERE until <= ? AND lapsed = 0', now)
    sql.run('DELETE FROM hold WHERE until <= ?', now - REMEMBERED_MS)
  }
  return rows
}
