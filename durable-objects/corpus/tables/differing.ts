/** Entries for the outbox that wait until the graph derived again is served, as JSON lists. All SQL on the table is here. */
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_DIFFERING = 'CREATE TABLE differing (n INTEGER PRIMARY KEY AUTOINCREMENT, entries TEXT NOT NULL)'

export function insertDiffering(sql: Sql, entries: string): void {
  sql.run('INSERT INTO differing (entries) VALUES (?)', entries)
}

/** The next row after a number. */
export function nextDiffering(sql: Sql, after: number): { readonly n: number; readonly entries: string } | undefined {
  return sql.one<{ n: number; entries: string }>('SELECT n, entries FROM differing WHERE n > ? ORDER BY n LIMIT 1', after)
}

/** The number of the last row; 0: there is none. */
export function lastDiffering(sql: Sql): number {
  return sql.one<{ n: number | null }>('SELECT max(n) AS n FROM differing')?.n ?? 0
}

export function deleteAllDiffering(sql: Sql): void {
  sql.run('DELETE FROM differing')
}
