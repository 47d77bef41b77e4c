/** A check of a page that is its own source. */
import type { FetchOutcome } from '../../../src/ports/sources'
import type { CorpusContext } from '../store'
import { readNewestRevision } from '../tables/revision'
import type { SourceRow } from '../tables/source'
import { closeAttempt, DAY, deleteDocuments, noteFailure, takeIn } from './attempt'

const AGAIN = 1000 // ms

/** True if documents were accepted or deleted. */
export function closePage(context: CorpusContext, row: SourceRow, outcome: FetchOutcome): boolean {
  switch (outcome.kind) {
    case 'unchanged':
      closeAttempt(context, row, { status: 'ok', failures: 0, missing: 0, last: 'unchanged', seen: context.now() }, pauseOf(row))
      return false
    case 'fetched':
      return acceptPage(context, row, outcome)
    case 'missing':
      return noteMissing(context, row, outcome.last)
    case 'failed':
      noteFailure(context, row, outcome.last, outcome.retryAfter)
      return false
  }
}

/** If requested while it was being checked, it is checked again. */
const pauseOf = ({ asked, every }: SourceRow): number => (asked === 1 ? AGAIN : every)

function acceptPage(context: CorpusContext, row: SourceRow, page: FetchOutcome & { readonly kind: 'fetched' }): boolean {
  const took = takeIn(context, row, [page.document])
  if (took.kind === 'refused') {
    noteFailure(context, row, took.last)
    return false
  }
  const { etag, modified, hash } = page
  const now = context.now()
  const found = { status: 'ok' as const, failures: 0, missing: 0, last: took.kind, seen: now, etag, modified, hash }
  closeAttempt(context, row, took.kind === 'changed' ? { ...found, changed: now } : found, pauseOf(row))
  return took.kind === 'changed'
}

/**
 * Missing it once may be an accident. After that many times it is gone: the document is deleted too, if requested, and the page is checked
 * at most once a day.
 */
function noteMissing(context: CorpusContext, row: SourceRow, last: string): boolean {
  const missing = row.missing + 1
  const failures = row.failures + 1
  if (missing < row.gone_after) {
    closeAttempt(context, row, { status: 'failing', failures, missing, last }, Math.min(row.every, DAY))
    return false
  }
  closeAttempt(context, row, { status: 'gone', failures, missing, last, hash: null }, Math.max(row.every, DAY))
  if (row.on_gone !== 'delete' || !readNewestRevision(context.sql, row.document)) return false
  return deleteDocuments(context, row, [row.document])
}
