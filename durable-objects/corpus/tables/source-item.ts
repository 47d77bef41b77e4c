/** What sources of many documents list: one row per item, with what its site last said about it. All SQL on the table is here. */
import type { Listed } from '../../../src/ports/sources'
import type { Sql } from '../../sql'
import { accessesBy } from './revision'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_SOURCE_ITEM = `
  CREATE TABLE source_item (
    source TEXT NOT NULL,
    key TEXT NOT NULL,
    document TEXT NOT NULL,
    state TEXT NOT NULL,              -- here | leaving (its document is to be deleted) | gone
    round INTEGER NOT NULL,           -- of the last listing that named it
    mark TEXT,                        -- what the listing says of its state; null: nothing
    taken TEXT,                       -- the mark with which it was last taken
    title TEXT NOT NULL,
    published TEXT,
    due INTEGER,                      -- to be looked at; null: not before it is listed as changed
    failures INTEGER NOT NULL,        -- in a row
    missing INTEGER NOT NULL,         -- looks in a row that did not find it
    last TEXT,
    seen INTEGER,
    etag TEXT,
    modified TEXT,
    hash TEXT,
    PRIMARY KEY (source, key)
  ) WITHOUT ROWID;
  CREATE INDEX source_item_due ON source_item (source, due) WHERE due IS NOT NULL;
  CREATE INDEX source_item_leaving ON source_item (source) WHERE state = 'leaving';
  CREATE UNIQUE INDEX source_item_document ON source_item (document);
`

export interface SourceItemRow {
  readonly source: string
  readonly key: string
  readonly document: string
  readonly state: 'here' | 'leaving' | 'gone'
  readonly round: number
  readonly mark: string | null
  readonly taken: string | null
  readonly title: string
  readonly published: string | null
  readonly due: number | null
  readonly failures: number
  readonly missing: number
  readonly last: string | null
  readonly seen: number | null
  readonly etag: string | null
  readonly modified: string | null
  readonly hash: string | null
}

export function findSourceItem(sql: Sql, source: string, key: string): SourceItemRow | undefined {
  return sql.one<SourceItemRow>('SELECT * FROM source_item WHERE source = ? AND key = ?', source, key)
}

export function hasItemFor(sql: Sql, document: string): boolean {
  return sql.one('SELECT 1 FROM source_item WHERE document = ?', document) !== undefined
}

export function insertSourceItem(
  sql: Sql,
  source: string,
  round: number,
  { key, document, mark, title, published }: Listed,
  due: number | null,
): void {
  sql.run(
    `INSERT INTO source_item (source, key, document, state, round, mark, title, published, due, failures, missing)
     VALUES (?, ?, ?, 'here', ?, ?, ?, ?, ?, 0, 0)`,
    ...[source, key, document, round, mark, title, published, due],
  )
}

/** Everything that may change in one. */
export function updateSourceItem(sql: Sql, row: SourceItemRow): void {
  const { source, key, state, round, mark, taken, title, published, due, failures, missing, last, seen, etag, modified, hash } = row
  sql.run(
    `UPDATE source_item SET state = ?, round = ?, mark = ?, taken = ?, title = ?, published = ?, due = ?, failures = ?, missing = ?, last = ?, seen = ?,
       etag = ?, modified = ?, hash = ? WHERE source = ? AND key = ?`,
    ...[state, round, mark, taken, title, published, due, failures, missing, last, seen, etag, modified, hash, source, key],
  )
}

/** Due by now, the longest waiting first. */
export function listDueItems(sql: Sql, source: string, now: number, limit: number): SourceItemRow[] {
  return sql.all<SourceItemRow>('SELECT * FROM source_item WHERE source = ? AND due <= ? ORDER BY due, key LIMIT ?', source, now, limit)
}

export function nextItemDue(sql: Sql, source: string): number | undefined {
  return (
    sql.one<{ due: number | null }>('SELECT min(due) AS due FROM source_item WHERE source = ? AND due IS NOT NULL', source)?.due ??
    undefined
  )
}

/** Items that a complete listing did not name have been missed once more. */
export function countMissed(sql: Sql, source: string, round: number, last: string): void {
  sql.run(
    `UPDATE source_item SET missing = missing + 1, last = ?, due = NULL WHERE source = ? AND round < ? AND state = 'here'`,
    ...[last, source, round],
  )
}

/** Items that a listing did not name are checked, unless they are already due. */
export function lookAtUnlisted(sql: Sql, source: string, round: number, now: number): void {
  sql.run(`UPDATE source_item SET due = ? WHERE source = ? AND round < ? AND state = 'here' AND due IS NULL`, now, source, round)
}

/** Items missed this often. `state`: with their documents, or without. */
export function markGone(sql: Sql, source: string, goneAfter: number, state: 'leaving' | 'gone'): void {
  sql.run(
    `UPDATE source_item SET state = ?, due = NULL, hash = NULL, taken = NULL WHERE source = ? AND state = 'here' AND missing >= ?`,
    ...[state, source, goneAfter],
  )
}

/** All its documents must be deleted. */
export function markAllLeaving(sql: Sql, source: string): void {
  sql.run(`UPDATE source_item SET state = 'leaving', due = NULL WHERE source = ?`, source)
}

export function listLeavingItems(sql: Sql, source: string, limit: number): SourceItemRow[] {
  return sql.all<SourceItemRow>(`SELECT * FROM source_item WHERE source = ? AND state = 'leaving' LIMIT ?`, source, limit)
}

export function deleteItemsWithoutSource(sql: Sql): void {
  sql.run('DELETE FROM source_item WHERE source NOT IN (SELECT id FROM source)')
}

export function deleteSourceItems(sql: Sql, source: string, keys?: readonly string[]): void {
  if (keys) sql.run('DELETE FROM source_item WHERE source = ? AND key IN (SELECT value FROM json_each(?))', source, JSON.stringify(keys))
  else sql.run('DELETE FROM source_item WHERE source = ?', source)
}

export interface ItemCounts {
  readonly known: number
  readonly waiting: number
  readonly failing: number
  readonly gone: number
}

export function countSourceItems(sql: Sql, source: string): ItemCounts {
  return (
    sql.one<ItemCounts>(
      `SELECT count(*) AS known, count(*) FILTER (WHERE due IS NOT NULL AND failures = 0) AS waiting,
         count(*) FILTER (WHERE failures > 0) AS failing, count(*) FILTER (WHERE state = 'gone') AS gone FROM source_item WHERE source = ?`,
      source,
    ) ?? { known: 0, waiting: 0, failing: 0, gone: 0 }
  )
}

const STATUS: { readonly [status: string]: string } = {
  waiting: `due IS NOT NULL AND failures = 0 AND missing = 0 AND state = 'here'`,
  ok: `due IS NULL AND failures = 0 AND missing = 0 AND state = 'here'`,
  failing: `failures > 0 AND missing = 0 AND state = 'here'`,
  missing: `missing > 0 AND state = 'here'`,
  gone: `state <> 'here'`,
}

/** With the labels of its document's versions: JSON lists, one per line; null: it has none, or the item has another status. */
export interface ItemAccess {
  readonly key: string
  /** 1: it has the requested status. */
  readonly fits: number
  readonly accesses: string | null
}

const ACCESSES = accessesBy('source_item.document')

/** By key, whatever their status, so that no more rows are read than requested. */
export function listItemAccess(sql: Sql, source: string, page: { status: string | null; after: string; limit: number }): ItemAccess[] {
  const fits = page.status === null ? '1' : (STATUS[page.status] ?? '0')
  return sql.all<ItemAccess>(
    `SELECT key, ${fits} AS fits, CASE WHEN ${fits} THEN ${ACCESSES} END AS accesses FROM source_item WHERE source = ? AND key > ? ORDER BY key LIMIT ?`,
    ...[source, page.after, page.limit],
  )
}
