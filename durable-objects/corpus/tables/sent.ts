/** Batches sent to the vector index that it does not show yet, by their last entry's number. All SQL on the table is here. */
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. `mutation` is no longer used. */
export const CREATE_SENT = `
  CREATE TABLE sent (seq INTEGER PRIMARY KEY, mutation TEXT NOT NULL, at INTEGER NOT NULL);
`

export interface SentBatch {
  readonly seq: number
  /** When it was sent (ms). */
  readonly at: number
}

export function putSentBatch(sql: Sql, { seq, at }: SentBatch): void {
  sql.run(`INSERT OR REPLACE INTO sent (seq, mutation, at) VALUES (?, '', ?)`, seq, at)
}

export function oldestSentBatch(sql: Sql): SentBatch | undefined {
  return sql.one<SentBatch>('SELECT seq, at FROM sent ORDER BY seq LIMIT 1')
}

export function listSentBatches(sql: Sql): SentBatch[] {
  return sql.all<SentBatch>('SELECT seq, at FROM sent ORDER BY seq')
}

export function deleteSentBatches(sql: Sql, upTo: number): void {
  sql.run('DELETE FROM sent WHERE seq <= ?', upTo)
}

export function noteSentAgain(sql: Sql, { seq, at }: SentBatch): void {
  sql.run('UPDATE sent SET at = ? WHERE seq = ?', at, seq)
}
