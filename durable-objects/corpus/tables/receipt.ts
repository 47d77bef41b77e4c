/** One row for every commit, kept permanently: what it touched and the state it left, chained by hashes. All SQL on the table is here. */
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_RECEIPT = `
  CREATE TABLE receipt (version INTEGER PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL);
`

export interface ReceiptRow {
  readonly version: number
  /** Canonical JSON. */
  readonly body: string
  readonly hash: string
}

export function insertReceipt(sql: Sql, { version, body, hash }: ReceiptRow): void {
  sql.run('INSERT INTO receipt (version, body, hash) VALUES (?, ?, ?)', version, body, hash)
}

export function newestReceipt(sql: Sql): ReceiptRow | undefined {
  return sql.one<ReceiptRow>('SELECT version, body, hash FROM receipt ORDER BY version DESC LIMIT 1')
}

/** The newest one made by a time (ms). */
export function newestReceiptBy(sql: Sql, at: number): { readonly version: number; readonly at: number } | undefined {
  return sql.one(`SELECT version, body ->> 'at' AS at FROM receipt WHERE body ->> 'at' <= ? ORDER BY version DESC LIMIT 1`, at)
}

/** From a version on. */
export function deleteReceiptsFrom(sql: Sql, version: number): void {
  sql.run('DELETE FROM receipt WHERE version >= ?', version)
}

/** Oldest first. */
export function listReceipts(sql: Sql, after: number, limit: number): ReceiptRow[] {
  return sql.all<ReceiptRow>('SELECT version, body, hash FROM receipt WHERE version > ? ORDER BY version LIMIT ?', after, limit)
}
