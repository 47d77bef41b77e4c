/** Entries for the outbox that wait until the graph derived anew is served, as JSON lists. All SQL on the table stands here. */
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_DIFFERING = 'CREATE TABLE differing (n INTEGER PRIMARY KEY AUTOINCREMENT, entries TEXT NOT NULL)'

export function insertDiffering(sql: Sql, entries: string): void {
  sql.run('INSERT INTO differing (entries) VALUES (?)', entries)
}

export function deleteAllDiffering(sql: Sql): void {
  sql.run('DELETE FROM differing')
}
