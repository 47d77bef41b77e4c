/** Which chunks a version of a document awaits before it is shown. All SQL on the table is here. */
import { bulk } from '../../graph/bulk'
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_AWAITED =
  'CREATE TABLE awaited (chunk TEXT NOT NULL, revision INTEGER NOT NULL, PRIMARY KEY (chunk, revision)) WITHOUT ROWID;'

export function insertAwaited(sql: Sql, revision: number, chunks: readonly string[]): void {
  sql.run('INSERT OR IGNORE INTO awaited (chunk, revision) SELECT value, ? FROM json_each(?)', revision, JSON.stringify(chunks))
}

export type Claim = readonly [chunk: string, revision: number]

export function deleteAwaited(sql: Sql, claims: readonly Claim[]): void {
  bulk(sql, 'DELETE FROM awaited WHERE (chunk, revision) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))', claims)
}

/** Those of these chunks that no version awaits. */
export function listUnawaited(sql: Sql, chunks: readonly string[]): string[] {
  const query = 'SELECT value AS chunk FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM awaited WHERE awaited.chunk = value)'
  return sql.all<{ chunk: string }>(query, JSON.stringify(chunks)).map((row) => row.chunk)
}

export function isAwaited(sql: Sql, chunk: string): boolean {
  return sql.one('SELECT 1 FROM awaited WHERE chunk = ? LIMIT 1', chunk) !== undefined
}

/** Versions that await something, and the chunks they await. */
export function countAwaited(sql: Sql): { readonly documents: number; readonly chunks: number } {
  const query = 'SELECT count(DISTINCT revision) AS documents, count(DISTINCT chunk) AS chunks FROM awaited'
  return sql.one<{ documents: number; chunks: number }>(query) ?? { documents: 0, chunks: 0 }
}

/** Awaited chunks that are not in the graph. */
export function countAwaitedNotInGraph(sql: Sql): number {
  return (
    sql.one<{ n: number }>('SELECT count(DISTINCT chunk) AS n FROM awaited a WHERE NOT EXISTS (SELECT 1 FROM chunk c WHERE c.id = a.chunk)')
      ?.n ?? 0
  )
}

/** Awaited chunks that are neither staged nor in the graph. */
export function listAwaitedNowhere(sql: Sql): string[] {
  return sql
    .all<{ chunk: string }>(
      `SELECT DISTINCT chunk FROM awaited a WHERE NOT EXISTS (SELECT 1 FROM staged s WHERE s.chunk = a.chunk)
       AND NOT EXISTS (SELECT 1 FROM chunk c WHERE c.id = a.chunk)`,
    )
    .map((row) => row.chunk)
}

/** Claims of versions that no longer exist. */
export function deleteOrphanedAwaited(sql: Sql, limit: number): void {
  sql.run(
    'DELETE FROM awaited WHERE (chunk, revision) IN (SELECT chunk, revision FROM awaited WHERE revision NOT IN (SELECT n FROM revision) LIMIT ?)',
    limit,
  )
}
