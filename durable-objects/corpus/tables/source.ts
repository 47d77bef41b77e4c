/**
 * Pages that are read again on a schedule: a row contains the schedule and what the site last said about the page. All SQL on the table is
 * here.
 */
import type { Secrets } from '../../../src/ports/deliveries'
import type { SourceInput, SourceRecord } from '../../../src/ports/sources'
import type { Sql } from '../../sql'

/** Steps of `schema.ts`; once released they are not changed. */
export const CREATE_SOURCE = `
  CREATE TABLE source (
    id TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    document TEXT NOT NULL UNIQUE,
    every INTEGER NOT NULL,           -- ms
    on_gone TEXT NOT NULL,            -- keep | delete
    metadata TEXT NOT NULL,
    created INTEGER NOT NULL,
    status TEXT NOT NULL,             -- new | ok | failing | gone
    state TEXT NOT NULL,              -- idle | new (to be put on the queue) | queued
    attempts INTEGER NOT NULL,        -- begun, ever: names an attempt
    failures INTEGER NOT NULL,        -- in a row
    missing INTEGER NOT NULL,         -- looks in a row that found 404 or 410
    last TEXT,
    seen INTEGER,
    changed INTEGER,
    due INTEGER NOT NULL,
    etag TEXT,
    modified TEXT,
    hash TEXT
  ) WITHOUT ROWID;
  CREATE INDEX source_due ON source (state, due);
`
/** JSON list of labels that its document is given. */
export const ADD_SOURCE_ACCESS = `ALTER TABLE source ADD COLUMN access TEXT NOT NULL DEFAULT '[]';`

/**
 * Sources of many documents. `options`: JSON, as in the port. `cursor`: where the current listing continues; null: it begins with `round` +
 * 1. `listing`: 1 during one. `next_list`: when the next begins. `counts`: JSON, as they were at the end of the last check.
 */
export const ADD_SOURCE_LISTING = `
  ALTER TABLE source ADD COLUMN kind TEXT NOT NULL DEFAULT 'page';
  ALTER TABLE source ADD COLUMN gone_after INTEGER NOT NULL DEFAULT 2;
  ALTER TABLE source ADD COLUMN options TEXT NOT NULL DEFAULT '{}';
  ALTER TABLE source ADD COLUMN round INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE source ADD COLUMN listing INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE source ADD COLUMN listed INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE source ADD COLUMN cursor TEXT;
  ALTER TABLE source ADD COLUMN next_list INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE source ADD COLUMN counts TEXT;
`

/**
 * `secrets`: JSON list as for an endpoint; `is_locked`: 1 if it needs a credential. `asked`: 1 if somebody has requested a check since the
 * last one began.
 */
export const ADD_SOURCE_SECRETS = `
  ALTER TABLE source ADD COLUMN secrets TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE source ADD COLUMN is_locked INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE source ADD COLUMN asked INTEGER NOT NULL DEFAULT 0;
`

type Told = 'metadata' | 'onGone' | 'access' | 'goneAfter' | 'options' | 'items' | 'credential'
export interface SourceRow extends Omit<SourceRecord, Told> {
  readonly secrets: string
  readonly is_locked: 0 | 1
  readonly asked: 0 | 1
  readonly access: string
  readonly gone_after: number
  readonly options: string
  /** Of the current listing, or the last. */
  readonly round: number
  readonly listing: 0 | 1
  /** Items that this listing has named so far. */
  readonly listed: number
  readonly cursor: string | null
  readonly next_list: number
  readonly counts: string | null
  readonly on_gone: SourceRecord['onGone']
  readonly metadata: string
  readonly state: 'idle' | 'new' | 'queued'
  readonly attempts: number
  readonly missing: number
  readonly etag: string | null
  readonly modified: string | null
  readonly hash: string | null
}

export function insertSource(sql: Sql, input: SourceInput, due: number): void {
  const { id, kind = 'page', url, document, every, onGone, goneAfter = 2, options = {}, metadata, access = [], created, secrets } = input
  sql.run(
    `INSERT INTO source (id, kind, url, document, every, on_gone, gone_after, options, metadata, access, created, secrets, is_locked,
       status, state, attempts, failures, missing, due) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'new', 'new', 0, 0, 0, ?)`,
    ...[id, kind, url, document, every, onGone, goneAfter, JSON.stringify(options), JSON.stringify(metadata), JSON.stringify(access)],
    ...[created, JSON.stringify(secrets ?? []), secrets ? 1 : 0, due],
  )
}

export function findSource(sql: Sql, id: string): SourceRow | undefined {
  return sql.one<SourceRow>('SELECT * FROM source WHERE id = ?', id)
}

/** By id. */
export function listSources(sql: Sql, after: string, limit: number): SourceRow[] {
  return sql.all<SourceRow>('SELECT * FROM source WHERE id > ? ORDER BY id LIMIT ?', after, limit)
}

export function hasSourceFor(sql: Sql, document: string): boolean {
  return sql.one('SELECT 1 FROM source WHERE document = ?', document) !== undefined
}

/** Among the few sources a corpus may have: is one failing this often in a row? */
export function hasFailingSource(sql: Sql, failures: number): boolean {
  return sql.one(`SELECT 1 FROM source WHERE status = 'failing' AND failures >= ? LIMIT 1`, failures) !== undefined
}

/** Those of one page are where their document is. */
export function deletePageSources(sql: Sql): void {
  sql.run(`DELETE FROM source WHERE kind = 'page'`)
}

export function countSources(sql: Sql): number {
  return sql.one<{ n: number }>('SELECT count(*) AS n FROM source')?.n ?? 0
}

export function deleteSource(sql: Sql, id: string): void {
  sql.run('DELETE FROM source WHERE id = ?', id)
}

/** Their sites are read again: the values they were compared with belong to another state. */
export function readAllSourcesAnew(sql: Sql, now: number): void {
  sql.run(`UPDATE source SET etag = NULL, modified = NULL, hash = NULL, cursor = NULL, listing = 0, due = ?, next_list = ?`, now, now)
}

/** Must be put on the queue now, unless an attempt is in progress. */
export function requestSource(sql: Sql, id: string, now: number): void {
  sql.run(`UPDATE source SET state = 'new', due = min(due, ?) WHERE id = ? AND state = 'idle'`, now, id)
  sql.run('UPDATE source SET next_list = min(next_list, ?), asked = 1 WHERE id = ?', now, id)
}

/** The same without a new listing. */
export function requestItems(sql: Sql, id: string, now: number): void {
  sql.run(`UPDATE source SET state = 'new', due = min(due, ?) WHERE id = ? AND state = 'idle'`, now, id)
}

/** The same when its pause is over. */
export function requestSourceLater(sql: Sql, id: string, now: number): void {
  sql.run('UPDATE source SET next_list = min(next_list, ?), asked = 1 WHERE id = ?', now, id)
}

/** What was requested until now begins. */
export function markSourceAnswered(sql: Sql, id: string): void {
  sql.run('UPDATE source SET asked = 0 WHERE id = ?', id)
}

export function listSourceSecrets(sql: Sql): { readonly id: string; readonly secrets: Secrets }[] {
  const rows = sql.all<{ id: string; secrets: string }>(`SELECT id, secrets FROM source WHERE secrets <> '[]' ORDER BY id`)
  return rows.map(({ id, secrets }) => ({ id, secrets: JSON.parse(secrets) as Secrets }))
}

export function updateSourceSecrets(sql: Sql, id: string, secrets: Secrets): void {
  sql.run('UPDATE source SET secrets = ? WHERE id = ?', JSON.stringify(secrets), id)
}

/** Only if they are still the same: what was replaced meanwhile stays. */
export function replaceSourceSecrets(sql: Sql, id: string, before: Secrets, after: Secrets): boolean {
  const isSame = sql.one('SELECT 1 FROM source WHERE id = ? AND secrets = ?', id, JSON.stringify(before)) !== undefined
  if (isSame) updateSourceSecrets(sql, id, after)
  return isSame
}

/** Its documents are deleted a few at a time, and then the source. */
export function markSourceRemoving(sql: Sql, id: string, now: number): void {
  sql.run(`UPDATE source SET status = 'removing', state = 'new', due = ?, attempts = attempts + 1 WHERE id = ?`, now, id)
}

export function beginSourceAttempt(sql: Sql, id: string, attempt: number, due: number): void {
  sql.run(`UPDATE source SET state = 'queued', attempts = ?, due = ? WHERE id = ?`, attempt, due, id)
}

/** It is still under way. */
export function renewSourceAttempt(sql: Sql, id: string, due: number): void {
  sql.run(`UPDATE source SET due = ? WHERE id = ?`, due, id)
}

export function endSourceAttempt(sql: Sql, row: SourceRow, due: number): void {
  const { status, failures, missing, last, seen, changed, etag, modified, hash, round, listing, listed, cursor, next_list, counts } = row
  sql.run(
    `UPDATE source SET state = 'idle', status = ?, failures = ?, missing = ?, last = ?, seen = ?, changed = ?, etag = ?, modified = ?, hash = ?,
       round = ?, listing = ?, listed = ?, cursor = ?, next_list = ?, counts = ?, due = ? WHERE id = ?`,
    ...[
      status,
      failures,
      missing,
      last,
      seen,
      changed,
      etag,
      modified,
      hash,
      round,
      listing,
      listed,
      cursor,
      next_list,
      counts,
      due,
      row.id,
    ],
  )
}

export function hasNewSource(sql: Sql): boolean {
  return sql.one(`SELECT 1 FROM source WHERE state = 'new' LIMIT 1`) !== undefined
}

/** Ids of those that must be put on the queue. */
export function listNewSources(sql: Sql, limit: number): string[] {
  return sql.all<{ id: string }>(`SELECT id FROM source WHERE state = 'new' LIMIT ?`, limit).map(({ id }) => id)
}

export function markSourcesQueued(sql: Sql, ids: readonly string[]): void {
  sql.run(`UPDATE source SET state = 'queued' WHERE state = 'new' AND id IN (SELECT value FROM json_each(?))`, JSON.stringify(ids))
}

/** When the first in a state is due. */
export function nextSourceDue(sql: Sql, state: 'idle' | 'queued'): number | undefined {
  return sql.one<{ due: number }>('SELECT due FROM source WHERE state = ? ORDER BY due LIMIT 1', state)?.due
}

/** Those that are due now, and those on the queue that were due by a time, must be put on the queue. */
export function requeueSources(sql: Sql, { dueBy, now, limit }: { dueBy: number; now: number; limit: number }): void {
  sql.run(
    `UPDATE source SET state = 'new', due = ? WHERE id IN (
       SELECT id FROM source WHERE (state = 'idle' AND due <= ?) OR (state = 'queued' AND due <= ?) LIMIT ?)`,
    ...[now, now, dueBy, limit],
  )
}
