/** Chunks, and documents prefixed with a d and a space, that a graph being derived again has received. All SQL on the table is here. */
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_FED = 'CREATE TABLE fed (id TEXT PRIMARY KEY) WITHOUT ROWID;'

export function insertFed(sql: Sql, ids: readonly string[]): void {
  sql.run('INSERT OR IGNORE INTO fed SELECT value FROM json_each(?)', JSON.stringify(ids))
}

export function deleteFed(sql: Sql, ids: readonly string[]): void {
  sql.run('DELETE FROM fed WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
}

export function deleteAllFed(sql: Sql): void {
  sql.run('DELETE FROM fed')
}

/** Which of these it has received. */
export function listFedAmong(sql: Sql, ids: readonly string[]): string[] {
  const rows = sql.all<{ id: string }>('SELECT id FROM fed WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
  return rows.map((row) => row.id)
}
