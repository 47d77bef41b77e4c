/** Results that came while a large change was being applied, as JSON (indexing/late.ts). All SQL on the table is here. */
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_LATE = `
  CREATE TABLE late (n INTEGER PRIMARY KEY AUTOINCREMENT, result TEXT NOT NULL);
`

export function insertLate(sql: Sql, result: string): void {
  sql.run('INSERT INTO late (result) VALUES (?)', result)
}

export function hasLate(sql: Sql): boolean {
  return sql.one('SELECT 1 FROM late LIMIT 1') !== undefined
}

/** All of them, in order of arrival; they are removed. */
export function takeAllLate(sql: Sql): string[] {
  const rows = sql.all<{ result: string }>('SELECT result FROM late ORDER BY n')
  if (rows.length > 0) sql.run('DELETE FROM late')
  return rows.map((row) => row.result)
}
