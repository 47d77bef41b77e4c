/** Chunks that are not in the graph yet, with their vectors as they arrive. All SQL on the table is here. */
import type { Chunk } from '../../../src/core/graph/types'
import { bulk } from '../../graph/bulk'
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_STAGED = 'CREATE TABLE staged (chunk TEXT PRIMARY KEY, body TEXT NOT NULL, passages BLOB, units BLOB) WITHOUT ROWID;'

export interface Staged {
  readonly chunk: Chunk
  /** Vectors, one after another; null: not here yet. */
  readonly passages: ArrayBuffer | null
  readonly units: ArrayBuffer | null
}

interface Vectors {
  readonly passages: ArrayBuffer | Uint8Array
  readonly units: ArrayBuffer | Uint8Array
}

/** An already staged one stays unchanged. */
export function insertStaged(sql: Sql, chunk: Chunk): void {
  sql.run('INSERT OR IGNORE INTO staged (chunk, body) VALUES (?, ?)', chunk.id, JSON.stringify(chunk))
}

export function putStagedWithVectors(sql: Sql, chunk: Chunk, { passages, units }: Vectors): void {
  const row = [chunk.id, JSON.stringify(chunk), passages, units]
  sql.run('INSERT OR REPLACE INTO staged (chunk, body, passages, units) VALUES (?, ?, ?, ?)', ...row)
}

export function setStagedVectors(sql: Sql, chunk: string, { passages, units }: Vectors): void {
  sql.run('UPDATE staged SET passages = ?, units = ? WHERE chunk = ?', passages, units, chunk)
}

export function deleteStaged(sql: Sql, chunks: readonly string[]): void {
  bulk(sql, 'DELETE FROM staged WHERE chunk IN (SELECT value FROM json_each(?))', chunks)
}

export function readStaged(sql: Sql, chunk: string): Staged | undefined {
  const query = 'SELECT body, passages, units FROM staged WHERE chunk = ?'
  const row = sql.one<{ body: string; passages: ArrayBuffer | null; units: ArrayBuffer | null }>(query, chunk)
  return row && { chunk: JSON.parse(row.body) as Chunk, passages: row.passages, units: row.units }
}

export function hasStagedVectors(sql: Sql, chunk: string): boolean {
  return sql.one('SELECT 1 FROM staged WHERE chunk = ? AND passages IS NOT NULL', chunk) !== undefined
}

/** Chunks staged with vectors, which they no longer have. */
export function takeStagedVectors(sql: Sql): string[] {
  const rows = sql.all<{ chunk: string }>('SELECT chunk FROM staged WHERE passages IS NOT NULL')
  sql.run('UPDATE staged SET passages = NULL, units = NULL WHERE passages IS NOT NULL')
  return rows.map((row) => row.chunk)
}

/** Chunks that no version awaits. */
export function deleteOrphanedStaged(sql: Sql, limit: number): void {
  sql.run('DELETE FROM staged WHERE chunk IN (SELECT chunk FROM staged WHERE chunk NOT IN (SELECT chunk FROM awaited) LIMIT ?)', limit)
}
