/**
 * The texts' rows of the graph with which a corpus is moved to another embedding model: the same texts under the same numbers, with that
 * model's vectors. They are in the shadow graph's own table, which replaces the served one together with the rest.
 */
import type { ChunkVectors } from '../../../src/core/graph/types'
import { unpackVectors } from '../../graph/rows'
import type { Sql } from '../../sql'

interface Row {
  readonly id: string
  readonly passages: ArrayBuffer
  readonly units: ArrayBuffer
}

/** Nothing if the chunk is not in the served graph. */
export function putMovedVectors(sql: Sql, chunk: string, passages: Uint8Array, units: Uint8Array): void {
  const statement = `INSERT OR REPLACE INTO next_chunk (n, id, passages, body, units) SELECT n, id, ?, body, ? FROM chunk WHERE id = ?`
  sql.run(statement, passages, units, chunk)
}

/** For those of these chunks that have vectors. */
export function readMovedVectors(sql: Sql, chunks: readonly string[], dimensions: number): ReadonlyMap<string, ChunkVectors> {
  const query = 'SELECT id, passages, units FROM next_chunk WHERE id IN (SELECT value FROM json_each(?))'
  const rows = sql.all<Row & { [column: string]: ArrayBuffer | string }>(query, JSON.stringify(chunks))
  const vectorsOf = ({ passages, units }: Row): ChunkVectors => ({
    passages: unpackVectors(passages, dimensions),
    units: unpackVectors(units, dimensions),
  })
  return new Map(rows.map((row) => [row.id, vectorsOf(row)]))
}

export function deleteMovedVectors(sql: Sql, chunks: readonly string[]): void {
  sql.run('DELETE FROM next_chunk WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(chunks))
}

/** Those of these chunks that have none. */
export function listUnmovedAmong(sql: Sql, chunks: readonly string[]): string[] {
  const query = 'SELECT value AS id FROM json_each(?) WHERE value NOT IN (SELECT id FROM next_chunk)'
  return sql.all<{ id: string }>(query, JSON.stringify(chunks)).map((row) => row.id)
}

/** Chunks of the served graph after an id, in order, that have none, or have them under another number. */
export function listUnmovedAfter(sql: Sql, after: string, limit: number): string[] {
  const query = `SELECT a.id FROM chunk a LEFT JOIN next_chunk b ON b.id = a.id WHERE a.id > ? AND (b.n IS NULL OR b.n <> a.n) ORDER BY a.id LIMIT ?`
  return sql.all<{ id: string }>(query, after, limit).map((row) => row.id)
}

/** Rows of chunks that no longer exist. */
export function deleteOrphanedMoved(sql: Sql): void {
  sql.run('DELETE FROM next_chunk WHERE id NOT IN (SELECT id FROM chunk)')
}
