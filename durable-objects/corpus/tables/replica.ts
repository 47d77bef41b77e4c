/**
 * Replicas of the corpus, what they lack, and what the log contains for them: three tables that are empty if there are no replicas. Changes
 * are named, not stored: the current state is read when it is sent, so that no text outlives its document here. All SQL on the tables is
 * here.
 */
import type { Sql } from '../../sql'
import type { ChangedKey } from './changed-key'
import { metaKeys, readMeta, writeMeta } from './meta'

/** Steps of `schema.ts`; once released they are not changed. */
export const CREATE_REPLICA = `
  CREATE TABLE replica (name TEXT PRIMARY KEY, applied INTEGER NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE unreplicated (n INTEGER PRIMARY KEY AUTOINCREMENT, keys TEXT NOT NULL);
  CREATE TABLE segment (n INTEGER PRIMARY KEY, attempt INTEGER NOT NULL, upto INTEGER NOT NULL, seq INTEGER NOT NULL, digest TEXT, whole TEXT);
`

export interface ReplicaRow {
  readonly name: string
  /** The last segment it has; `STALE`: it may have data of another epoch. */
  readonly applied: number
  /** Until when it may answer, by the writer's clock plus a margin. */
  readonly until: number
}

export interface SegmentRow {
  readonly n: number
  /** How often it was put into the log, or tried; each time under its own name. */
  readonly attempt: number
  /** The last row of `unreplicated` in it. */
  readonly upto: number
  /** The outbox's last number when it was read. */
  readonly seq: number
  /** Null: it is not known to be in the log. */
  readonly digest: string | null
  /** JSON, as `Segment.whole`. */
  readonly whole: string | null
}

/** As the object knows a replica. */
export const nameOfReplica = (number: number): string => `r${number}`
export const numberOfReplica = (name: string): number => Number(name.slice(1))

export const listReplicas = (sql: Sql): ReplicaRow[] => sql.all<ReplicaRow>('SELECT * FROM replica ORDER BY name')
export const hasReplicas = (sql: Sql): boolean => sql.one('SELECT 1 FROM replica LIMIT 1') !== undefined
export const readReplica = (sql: Sql, name: string): ReplicaRow | undefined =>
  sql.one<ReplicaRow>('SELECT * FROM replica WHERE name = ?', name)
export const deleteReplica = (sql: Sql, name: string): void => sql.run('DELETE FROM replica WHERE name = ?', name)

export function putReplica(sql: Sql, { name, applied, until }: ReplicaRow): void {
  sql.run('INSERT OR REPLACE INTO replica (name, applied, until) VALUES (?, ?, ?)', name, applied, until)
}

/** It has nothing yet, or what is of another epoch. That it ever followed is remembered: it is to forget when the corpus is deleted. */
export function beginReplica(sql: Sql, name: string, until: number): void {
  putReplica(sql, { name, applied: STALE, until })
  const number = numberOfReplica(name)
  if (number > (readMeta(sql, metaKeys.mostReplicas) ?? 0)) writeMeta(sql, metaKeys.mostReplicas, number)
}

export function insertUnreplicated(sql: Sql, keys: readonly ChangedKey[]): void {
  sql.run('INSERT INTO unreplicated (keys) VALUES (?)', JSON.stringify(keys))
}

export const hasUnreplicated = (sql: Sql): boolean => sql.one('SELECT 1 FROM unreplicated LIMIT 1') !== undefined
export const countUnreplicated = (sql: Sql): number => sql.one<{ n: number }>('SELECT count(*) AS n FROM unreplicated')?.n ?? 0

export function nextUnreplicated(sql: Sql, after: number): { readonly n: number; readonly keys: readonly ChangedKey[] } | undefined {
  const row = sql.one<{ n: number; keys: string }>('SELECT n, keys FROM unreplicated WHERE n > ? ORDER BY n LIMIT 1', after)
  return row && { n: row.n, keys: JSON.parse(row.keys) as ChangedKey[] }
}

export const deleteUnreplicated = (sql: Sql, upto: number): void => sql.run('DELETE FROM unreplicated WHERE n <= ?', upto)

/** Those after one, in order. */
export const listSegments = (sql: Sql, after: number, limit: number): SegmentRow[] =>
  sql.all<SegmentRow>('SELECT * FROM segment WHERE n > ? ORDER BY n LIMIT ?', after, limit)
export const newestSegment = (sql: Sql): SegmentRow | undefined => sql.one<SegmentRow>('SELECT * FROM segment ORDER BY n DESC LIMIT 1')
export const deleteSegments = (sql: Sql, upto: number): void => sql.run('DELETE FROM segment WHERE n <= ?', upto)

export function putSegment(sql: Sql, { n, attempt, upto, seq, digest, whole }: SegmentRow): void {
  const insert = 'INSERT OR REPLACE INTO segment (n, attempt, upto, seq, digest, whole) VALUES (?, ?, ?, ?, ?, ?)'
  sql.run(insert, n, attempt, upto, seq, digest, whole)
}

const WATCHED = [
  ['revision', 'UPDATE OF state', 'NEW', `WHEN NEW.state = 'live'`],
  ['revision', 'DELETE', 'OLD', `WHEN OLD.state = 'live'`],
  ['access', 'INSERT', 'NEW', ''],
  ['access', 'UPDATE', 'NEW', ''],
  ['access', 'DELETE', 'OLD', ''],
  ['spoken', 'INSERT', 'NEW', ''],
  ['spoken', 'DELETE', 'OLD', ''],
  ['dated', 'INSERT', 'NEW', ''],
  ['dated', 'UPDATE', 'NEW', ''],
  ['dated', 'DELETE', 'OLD', ''],
  ['earlier', 'INSERT', 'NEW', ''],
  ['earlier', 'UPDATE', 'NEW', ''],
  ['earlier', 'DELETE', 'OLD', ''],
  ['saved_filter', 'INSERT', '', ''],
  ['saved_filter', 'UPDATE', '', ''],
  ['saved_filter', 'DELETE', '', ''],
] as const

/** What is known about documents apart from the graph is changed in many places: triggers on the tables record it. */
export function watchTables(sql: Sql): void {
  for (const [table, event, row, when] of WATCHED) {
    const key = row ? `json_array('m', ${row}.document)` : `json_array('f')`
    const note = `INSERT INTO unreplicated (keys) VALUES (json_array(${key}))`
    sql.run(`CREATE TRIGGER IF NOT EXISTS ${nameOf(table, event)} AFTER ${event} ON ${table} ${when} BEGIN ${note}; END`)
  }
}

export function unwatchTables(sql: Sql): void {
  for (const [table, event] of WATCHED) sql.run(`DROP TRIGGER IF EXISTS ${nameOf(table, event)}`)
}

const nameOf = (table: string, event: string): string => `replicate_${table}_${event.slice(0, 6).toLowerCase()}`

export const STALE = -1

/** Replicas have data of an epoch that is over. */
export function deleteAllReplication(sql: Sql): void {
  sql.run('UPDATE replica SET applied = ?', STALE)
  sql.run('DELETE FROM unreplicated')
  sql.run('DELETE FROM segment')
}
