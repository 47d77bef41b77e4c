/** Pinned questions, the documents that must answer them, and what each strategy last found for them. All SQL on the table is here. */
import type { Sql } from '../../sql'

/** Steps of `schema.ts`; once released they are not changed. */
export const CREATE_PROBE = `
  CREATE TABLE probe (n INTEGER PRIMARY KEY, query TEXT NOT NULL, expect TEXT NOT NULL, vector BLOB, found TEXT);
`
/** Earlier results have no places. */
export const ADD_PROBE_WEIGHED = `
  ALTER TABLE probe ADD COLUMN weighed TEXT; -- what each strategy found at the last gate, before and after
  UPDATE probe SET found = NULL;
`

/** Vectors from the model that the corpus is being moved to. */
export const ADD_PROBE_MOVED = 'ALTER TABLE probe ADD COLUMN moved BLOB;'

export interface ProbeRow {
  readonly n: number
  readonly query: string
  /** JSON list of documents. */
  readonly expect: string
  readonly vector: ArrayBuffer | null
  readonly moved: ArrayBuffer | null
}

/** A probe and its results, as JSON: by the schedule, and at the last gate. */
export interface ProbeResultRow {
  readonly query: string
  readonly expect: string
  readonly found: string | null
  readonly weighed: string | null
}

export function insertProbe(sql: Sql, { query, expect, vector, found, weighed }: ProbeResultRow & { vector: Uint8Array | null }): void {
  const row = [query, expect, vector, found, weighed]
  sql.run('INSERT INTO probe (query, expect, vector, found, weighed) VALUES (?, ?, ?, ?, ?)', ...row)
}

export function deleteAllProbes(sql: Sql): void {
  sql.run('DELETE FROM probe')
}

export function countProbes(sql: Sql): number {
  return sql.one<{ n: number }>('SELECT count(*) AS n FROM probe')?.n ?? 0
}

/** In the order in which they are pinned. */
export function listProbeResults(sql: Sql): ProbeResultRow[] {
  return sql.all<ProbeResultRow>('SELECT query, expect, found, weighed FROM probe ORDER BY n')
}

const PROBE = 'SELECT n, query, expect, vector, moved FROM probe'

export function listProbesAfter(sql: Sql, after: number, limit: number): ProbeRow[] {
  return sql.all<ProbeRow>(`${PROBE} WHERE n > ? ORDER BY n LIMIT ?`, after, limit)
}

/** One for which nothing was found yet, or not since then (ms). */
export function findProbeNotFoundSince(sql: Sql, since: number): ProbeRow | undefined {
  return sql.one<ProbeRow>(`${PROBE} WHERE found IS NULL OR found ->> '$.at' < ? ORDER BY found IS NOT NULL, n LIMIT 1`, since)
}

export function readProbe(sql: Sql, n: number): ProbeRow | undefined {
  return sql.one<ProbeRow>(`${PROBE} WHERE n = ?`, n)
}

/** Those without a vector from the model that the corpus is being moved to. */
export function listProbesNotMoved(sql: Sql): ProbeRow[] {
  return sql.all<ProbeRow>(`${PROBE} WHERE moved IS NULL AND vector IS NOT NULL ORDER BY n`)
}

export function setProbeMoved(sql: Sql, n: number, vector: Uint8Array): void {
  sql.run('UPDATE probe SET moved = ? WHERE n = ?', vector, n)
}

/** The corpus was moved: these are its vectors now. Earlier results were found with others. */
export function adoptMovedProbes(sql: Sql): void {
  sql.run('UPDATE probe SET vector = moved, moved = NULL, found = NULL')
}

export function forgetMovedProbes(sql: Sql): void {
  sql.run('UPDATE probe SET moved = NULL WHERE moved IS NOT NULL')
}

export function setProbeFound(sql: Sql, n: number, found: string): void {
  sql.run('UPDATE probe SET found = ? WHERE n = ?', found, n)
}

export function setProbeWeighed(sql: Sql, n: number, weighed: string): void {
  sql.run('UPDATE probe SET weighed = ? WHERE n = ?', weighed, n)
}

export function clearProbesWeighed(sql: Sql): void {
  sql.run('UPDATE probe SET weighed = NULL')
}
