/** In a partition whose documents are being moved to others: which have changed since they were read. All SQL on the table is here. */
import type { Changed } from '../../../src/ports/repartition'
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_MOVING = `
  CREATE TABLE moving (n INTEGER PRIMARY KEY AUTOINCREMENT, document TEXT NOT NULL UNIQUE);
`

const WATCHED = 'revision'
const EVENTS = [
  ['insert', 'NEW'],
  ['update', 'NEW'],
  ['delete', 'OLD'],
] as const

/** Versions of documents are changed in many places: triggers note it. A later change of the same document has a higher number. */
export function watchDocuments(sql: Sql): void {
  for (const [event, row] of EVENTS) {
    const note = `INSERT OR REPLACE INTO moving (document) VALUES (${row}.document)`
    sql.run(`CREATE TRIGGER IF NOT EXISTS moving_${event} AFTER ${event} ON ${WATCHED} BEGIN ${note}; END`)
  }
}

export function unwatchDocuments(sql: Sql): void {
  for (const [event] of EVENTS) sql.run(`DROP TRIGGER IF EXISTS moving_${event}`)
  sql.run('DELETE FROM moving')
}

/** Oldest first, after a number. */
export const listChanged = (sql: Sql, after: number, limit: number): Changed[] =>
  sql.all<Changed>('SELECT n, document FROM moving WHERE n > ? ORDER BY n LIMIT ?', after, limit)

/** Unless they have changed again. */
export function deleteChanged(sql: Sql, changes: readonly Changed[]): void {
  sql.run('DELETE FROM moving WHERE n IN (SELECT value FROM json_each(?))', JSON.stringify(changes.map(({ n }) => n)))
}

export const countChanged = (sql: Sql): number => sql.one<{ n: number }>('SELECT count(*) AS n FROM moving')?.n ?? 0
