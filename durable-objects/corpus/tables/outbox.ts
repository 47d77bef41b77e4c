/**
 * What has changed and must be sent to the read model and the vector index, in the order of its numbers. An entry names what changed and
 * contains no text: its current state is read when it is sent. All SQL on the table is here.
 */
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_OUTBOX = `
  CREATE TABLE outbox (seq INTEGER PRIMARY KEY AUTOINCREMENT, version INTEGER NOT NULL, entries TEXT NOT NULL);
`

/**
 * d document · c chunk with its number of passages · n node · e edge · for the read model only: m a chunk again, s the document that
 * distinguishes an entity from others with its name · for the index only: u a chunk's units with their number, v an entity's name
 */
export type OutboxEntry =
  | readonly ['d', string]
  | readonly ['c', string, number]
  | readonly ['m', string]
  | readonly ['n', string]
  | readonly ['s', string]
  | readonly ['u', string, number]
  | readonly ['v', string]
  | readonly ['e', 'relates' | 'member' | 'indicates' | 'links', string, string]

export type IndexOnlyEntry = Extract<OutboxEntry, readonly ['u' | 'v', ...unknown[]]>

export const isForIndexAlone = (entry: OutboxEntry): entry is IndexOnlyEntry => entry[0] === 'u' || entry[0] === 'v'

export const MAX_ROW_ENTRIES = 500 // some 30 kB, naming up to 8 MB of vectors

export interface OutboxRow {
  readonly seq: number
  readonly entries: readonly OutboxEntry[]
}

interface Stored {
  readonly seq: number
  readonly entries: string
}

const rowOf = ({ seq, entries }: Stored): OutboxRow => ({ seq, entries: JSON.parse(entries) as OutboxEntry[] })

export function insertOutboxEntries(sql: Sql, version: number, entries: readonly OutboxEntry[]): void {
  for (let at = 0; at < entries.length; at += MAX_ROW_ENTRIES) {
    const row = JSON.stringify(entries.slice(at, at + MAX_ROW_ENTRIES))
    sql.run('INSERT INTO outbox (version, entries) VALUES (?, ?)', version, row)
  }
}

/** The entries in `differing` (differing.ts), under the version that the candidate becomes. */
export function insertDifferingEntries(sql: Sql, version: number): void {
  sql.run('INSERT INTO outbox (version, entries) SELECT ?, entries FROM differing ORDER BY n', version)
}

/** The number of the last entry there ever was; 0: none. */
export function lastSeq({ sql }: { readonly sql: Sql }): number {
  return sql.one<{ seq: number }>(`SELECT seq FROM sqlite_sequence WHERE name = 'outbox'`)?.seq ?? 0
}

export interface Sequence {
  readonly name: string
  readonly seq: number
}

/** The last number given by each table that never gives one twice. */
export function listSequences(sql: Sql): Sequence[] {
  return sql.all<Sequence>('SELECT name, seq FROM sqlite_sequence ORDER BY name')
}

/** No table continues below the numbers it has given elsewhere. */
export function raiseSequences(sql: Sql, sequences: readonly Sequence[]): void {
  for (const { name, seq } of sequences) {
    if (sql.one('SELECT 1 FROM sqlite_sequence WHERE name = ?', name))
      sql.run('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?', seq, name)
    else sql.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', name, seq)
  }
}

/** The next row whose version is at most this. */
export function nextOutboxRowUpToVersion(sql: Sql, after: number, maxVersion: number): OutboxRow | undefined {
  const row = sql.one<Stored>('SELECT seq, entries FROM outbox WHERE seq > ? AND version <= ? ORDER BY seq LIMIT 1', after, maxVersion)
  return row && rowOf(row)
}

/** Rows after a number, whatever their version. */
export function listOutboxRowsAfter(sql: Sql, after: number, limit: number): OutboxRow[] {
  return sql.all<Stored>('SELECT seq, entries FROM outbox WHERE seq > ? ORDER BY seq LIMIT ?', after, limit).map(rowOf)
}

/** All rows from one number (exclusive) to another (inclusive). */
export function listOutboxRowsBetween(sql: Sql, after: number, upTo: number): OutboxRow[] {
  return sql.all<Stored>('SELECT seq, entries FROM outbox WHERE seq > ? AND seq <= ? ORDER BY seq', after, upTo).map(rowOf)
}

export function nextOutboxRow(sql: Sql, after: number, upTo = Number.MAX_SAFE_INTEGER): OutboxRow | undefined {
  const row = sql.one<Stored>('SELECT seq, entries FROM outbox WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT 1', after, upTo)
  return row && rowOf(row)
}

/** The newest row up to a number, and after another. */
export function previousOutboxRow(sql: Sql, upTo: number, after: number): OutboxRow | undefined {
  const row = sql.one<Stored>('SELECT seq, entries FROM outbox WHERE seq <= ? AND seq > ? ORDER BY seq DESC LIMIT 1', upTo, after)
  return row && rowOf(row)
}

export function nextOutboxRowOfVersion(sql: Sql, after: number, version: number): OutboxRow | undefined {
  const row = sql.one<Stored>('SELECT seq, entries FROM outbox WHERE seq > ? AND version = ? ORDER BY seq LIMIT 1', after, version)
  return row && rowOf(row)
}

/** The version of the next row; undefined: there is none. */
export function nextOutboxVersion(sql: Sql, after: number): number | undefined {
  return sql.one<{ version: number }>('SELECT version FROM outbox WHERE seq > ? ORDER BY seq LIMIT 1', after)?.version
}

export function newestOutboxVersion(sql: Sql): number {
  return sql.one<{ version: number | null }>('SELECT max(version) AS version FROM outbox')?.version ?? 0
}

export function deleteOutboxRows(sql: Sql, upTo: number): void {
  sql.run('DELETE FROM outbox WHERE seq <= ?', upTo)
}

type Copied = OutboxRow & { readonly version: number }

/** Rows as stored, for a replica; and written where they are copied to. */
export function listOutboxCopies(sql: Sql, after: number, limit: number, upTo = Number.MAX_SAFE_INTEGER): Copied[] {
  const query = 'SELECT seq, version, entries FROM outbox WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?'
  return sql.all<Stored & { version: number }>(query, after, upTo, limit).map((row) => ({ ...rowOf(row), version: row.version }))
}

export function insertOutboxCopy(sql: Sql, { seq, version, entries }: Copied): void {
  sql.run('INSERT OR REPLACE INTO outbox (seq, version, entries) VALUES (?, ?, ?)', seq, version, JSON.stringify(entries))
}
