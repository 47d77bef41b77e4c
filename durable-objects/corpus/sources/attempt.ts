/** How an attempt at a source ends: with documents accepted, or with a pause. */
import { backoff } from '../../../src/core/backoff'
import { fingerprint } from '../../../src/core/ids'
import { partitionUids } from '../../../src/corpus-uid'
import type { Actor } from '../../../src/ports/audit'
import type { DocumentInput } from '../../../src/ports/documents'
import { type Took, tookOf } from '../../../src/ports/sources'
import { acceptWithAudit } from '../ingest/accept-with-audit'
import type { CorpusContext } from '../store'
import { readUid } from '../tables/meta'
import { insertRuling } from '../tables/ruling'
import { endSourceAttempt, type SourceRow } from '../tables/source'

const FIRST_PAUSE = 300_000 // ms after a first failure; then twice as long each time
export const DAY = 86_400_000 // ms; the longest pause after failures, unless `every` is longer

/** The object of a corpus in partitions has no documents. */
export const isDivided = ({ sql }: Pick<CorpusContext, 'sql'>): boolean => partitionUids(readUid(sql) ?? '').length > 0

const byOf = ({ id }: SourceRow): Actor => ({ key: id, door: 'source' })

/** With the source's labels; an attempt is accepted only once. */
export function takeIn(context: CorpusContext, row: SourceRow, documents: readonly DocumentInput[]): Took {
  if (documents.length === 0) return { kind: 'unchanged' }
  const events = [fingerprint(row.id, row.attempts)]
  const access = JSON.parse(row.access) as string[]
  const upserts = documents.map((one) => ({ ...one, ...(access.length > 0 ? { access } : {}) }))
  const kind = upserts.length === 1 ? 'ingest' : 'batch'
  return tookOf(acceptWithAudit(context, byOf(row), { kind, upserts, deletes: [], events }))
}

/** True if any existed. In a corpus in partitions, which have them, these are told. */
export function deleteDocuments(context: CorpusContext, row: SourceRow, documents: readonly string[]): boolean {
  if (documents.length === 0) return false
  if (isDivided(context)) {
    insertRuling(context.sql, { what: 'gone', source: row.id, documents })
    return true
  }
  return acceptWithAudit(context, byOf(row), { kind: 'delete', upserts: [], deletes: documents }).kind === 'accepted'
}

export function noteFailure(context: CorpusContext, row: SourceRow, last: string, retryAfter = 0): void {
  const { status } = row
  if (isPause({ last, retryAfter }) && status !== 'gone' && status !== 'removing') {
    closeAttempt(context, row, { status: 'waiting', last }, Math.min(Math.max(DAY, row.every), retryAfter))
    return
  }
  const change = { status: status === 'gone' || status === 'removing' ? status : 'failing', failures: row.failures + 1, last } as const
  closeAttempt(context, row, change, failurePause(row, row.failures + 1, retryAfter))
}

/** The site has said when it may be called again: nothing is wrong. */
export const isPause = ({ last, retryAfter = 0 }: { readonly last: string; readonly retryAfter?: number }): boolean =>
  retryAfter > 0 && (last === 'rate_limited' || last === 'http_429')

/** The pause in milliseconds after this many failures in a row. */
export function failurePause({ every }: Pick<SourceRow, 'every'>, failures: number, retryAfter = 0): number {
  return Math.min(Math.max(DAY, every), Math.max(backoff(failures, { first: FIRST_PAUSE }), retryAfter))
}

export function closeAttempt(
  { sql, now }: Pick<CorpusContext, 'sql' | 'now'>,
  row: SourceRow,
  change: Partial<SourceRow>,
  pause: number,
): void {
  endSourceAttempt(sql, { ...row, ...change }, now() + pause)
}
