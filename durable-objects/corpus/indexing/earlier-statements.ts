/**
 * What statements said before a new version of their document changed them, unless the corpus keeps none: written in the transaction that
 * removes the older version, and deleted with the document, with the statement, when its retention ends, and if others may read the new
 * version than could read the old one. If the corpus has a judge, what the new version no longer says is kept for it in the same way: it may
 * say the same in other words.
 */
import { changesBetween } from '../../../src/core/reader/earlier-statements'
import type { CorpusContext } from '../store'
import {
  deleteEarlierBefore,
  deleteEarlierOf,
  deleteEarlierRow,
  insertEarlier,
  insertRemoved,
  listEarlier,
  listRemoved,
  moveEarlier,
  oldestEarlierAt,
  trimEarlier,
} from '../tables/earlier'
import { deleteAllAnswers } from '../tables/kept-answer'
import { incrementMeta, metaKeys } from '../tables/meta'
import { type Revision, readLiveRevision, readRevisionText } from '../tables/revision'

export const DAY = 86_400_000 // ms
const MAX_OF_DOCUMENT = { changed: 100, removed: 40 } as const
const AT_ONCE = 500 // rows deleted in one run

type Db = Pick<CorpusContext, 'sql' | 'now' | 'config'>

export const daysOf = ({ config }: Pick<Db, 'config'>): number => config.settings.earlier?.days ?? 0

/** The time from which replaced statements are reported; undefined: none are. */
export function earlierSince(context: Db): number | undefined {
  const days = daysOf(context)
  return days > 0 ? context.now() - days * DAY : undefined
}

/** Before the live version is replaced by this one. Returns how many of its sentences are kept because they were changed. */
export function keepEarlier(context: Db, old: Revision, revision: Revision): number {
  const { sql, now, config } = context
  const { document } = revision
  if (daysOf(context) === 0) return 0
  if (old.access !== revision.access) {
    deleteEarlierOf(sql, [document])
    return 0
  }
  const { changes, removed, says } = changesBetween(readLiveRevision(sql, document)?.text ?? '', readRevisionText(sql, revision.n))
  const changed = new Map(changes.map(({ before, now: is }) => [before, is]))
  for (const row of listEarlier(sql, [document], 0)) {
    const is = changed.get(row.now)
    if (is !== undefined) moveEarlier(sql, row.n, is)
    else if (!says(row.now)) deleteEarlierRow(sql, row.n)
  }
  for (const row of listRemoved(sql, [document], 0, MAX_OF_DOCUMENT.removed)) if (says(row.before)) deleteEarlierRow(sql, row.n)
  const versions = { said_in: old.content_version, replaced_in: revision.content_version }
  const said = { document, at: now(), dates: old.dates, ...versions }
  for (const { before, now: is } of changes) insertEarlier(sql, { ...said, now: is, before })
  for (const before of config.hasJudge ? removed.slice(0, MAX_OF_DOCUMENT.removed) : []) insertRemoved(sql, { ...said, before })
  trimEarlier(sql, document, MAX_OF_DOCUMENT)
  return changes.length
}

/** When the oldest row may be deleted; null: there is none. */
export function earlierRetentionAt(context: Pick<Db, 'sql' | 'config'>): number | null {
  const oldest = oldestEarlierAt(context.sql)
  return oldest === undefined ? null : oldest + daysOf(context) * DAY
}

/** Kept answers may tell what is deleted, so they go with it. */
export function expireEarlier(context: Db): void {
  const { sql } = context
  const before = context.now() - daysOf(context) * DAY
  if ((oldestEarlierAt(sql) ?? before) >= before) return
  deleteEarlierBefore(sql, before, AT_ONCE)
  deleteAllAnswers(sql)
  incrementMeta(sql, metaKeys.answersGeneration)
}
