/**
 * What the sinks are sent when the shadow graph is promoted, by name, kept in rows until then. While the comparison (compare.ts) continues,
 * both graphs change: whatever has changed in either since it began is named here too. A name sent needlessly costs a row and does no harm.
 */
import type { CorpusContext } from '../store'
import { deleteAllDiffering, insertDiffering, lastDiffering } from '../tables/differing'
import { deleteMeta, hasMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'
import { insertDifferingEntries, MAX_ROW_ENTRIES, type OutboxEntry } from '../tables/outbox'

type Rows = Pick<CorpusContext, 'sql'>

export function isComparing({ sql }: Rows): boolean {
  return hasMeta(sql, metaKeys.isComparing)
}

export function beginComparing({ sql }: Rows): void {
  writeMeta(sql, metaKeys.isComparing, true)
}

/** To be sent with the shadow graph. */
export function recordDiffering({ sql }: Rows, entries: readonly OutboxEntry[]): void {
  for (let at = 0; at < entries.length; at += MAX_ROW_ENTRIES) {
    insertDiffering(sql, JSON.stringify(entries.slice(at, at + MAX_ROW_ENTRIES)))
  }
}

/** The recorded changes go to the outbox, under the version that the candidate becomes. */
export function moveDifferingToOutbox(context: Rows, version: number): void {
  insertDifferingEntries(context.sql, version)
  forgetDiffering(context)
}

/** Has the index that is being filled for a move not been sent all that has changed since? */
export function isFillBehind({ sql }: Rows): boolean {
  const place = readMeta(sql, metaKeys.fill)
  return place !== undefined && place.sent < lastDiffering(sql)
}

export function forgetDiffering({ sql }: Rows): void {
  deleteAllDiffering(sql)
  deleteMeta(sql, metaKeys.isComparing)
}
