/**
 * Chunks of a corpus being moved to another embedding model for which that model gave no vectors, or not all of them: by their ids, until
 * the move has ended. All SQL on the table is here.
 */
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_VECTORLESS = 'CREATE TABLE vectorless (chunk TEXT PRIMARY KEY) WITHOUT ROWID;'

export function insertVectorless(sql: Sql, chunk: string): void {
  sql.run('INSERT OR IGNORE INTO vectorless (chunk) VALUES (?)', chunk)
}

export function deleteVectorless(sql: Sql, chunks: readonly string[]): void {
  sql.run('DELETE FROM vectorless WHERE chunk IN (SELECT value FROM json_each(?))', JSON.stringify(chunks))
}

export function deleteAllVectorless(sql: Sql): void {
  sql.run('DELETE FROM vectorless')
}

export function countVectorless(sql: Sql): number {
  return sql.one<{ n: number }>('SELECT count(*) AS n FROM vectorless')?.n ?? 0
}

export function listVectorless(sql: Sql): string[] {
  return sql.all<{ chunk: string }>('SELECT chunk FROM vectorless ORDER BY chunk').map((row) => row.chunk)
}
