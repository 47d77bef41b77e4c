/**
 * The audit log. Entries are added and, when they expire, deleted, oldest first; none is ever changed. They are added inside the transaction that makes the
 * change.
 */
import type { AuditAction } from '../../../src/contract/audit'
import { type Actor, type AuditEntry, type AuditEvent, type AuditPlace, auditDefaults } from '../../../src/ports/audit'
import type { CorpusContext, Store, Sync } from '../store'
import { deleteAuditEntriesBefore, insertAuditEntries, listAuditEntries, oldestAuditEntryAt, trimAudit } from '../tables/audit'

const DAY = 86_400_000 // ms
const MAX_ROWS = 1_000_000 // some 150 MB; the oldest go first
const AT_ONCE = 2000 // rows deleted in one run

type Db = Pick<Store, 'sql' | 'now'>

/** Inside the transaction that makes the change. Without an actor nothing is recorded. */
export function addAuditEntries({ sql, now }: Db, by: Actor | undefined, events: readonly AuditEvent[]): void {
  if (!by || events.length === 0) return
  insertAuditEntries(sql, by, now(), events)
  trimAudit(sql, MAX_ROWS)
}

interface About<T> {
  readonly subject?: string
  readonly outcome?: (result: T) => string
}

/** Does it, and records who did it: both or neither. */
export function withAuditEntry<T>(db: Store, by: Actor | undefined, action: AuditAction, about: About<T>, work: () => Sync<T>): Sync<T> {
  const { subject, outcome = outcomeOf } = about
  return db.atomically((): Sync<T> => {
    const result = work()
    addAuditEntries(db, by, [{ action, outcome: outcome(result as T), ...(subject === undefined ? {} : { subject }) }])
    return result
  })
}

/** An action without a result means that the thing did not exist, or nothing was to be done. */
const outcomeOf = (result: unknown): string => (typeof result === 'string' ? result : result ? 'done' : 'none')

/** Newest first. */
export function auditEntries({ sql }: Pick<Store, 'sql'>, { before, since, limit }: AuditPlace): AuditEntry[] {
  const page = listAuditEntries(sql, before?.n ?? Number.MAX_SAFE_INTEGER, before?.at ?? Number.MAX_SAFE_INTEGER, limit)
  return page.filter(({ at }) => at >= since)
}

/** When the oldest entry may be deleted; null: there is none. */
export function auditRetentionAt({ sql, config }: Pick<CorpusContext, 'sql' | 'config'>): number | null {
  const oldest = oldestAuditEntryAt(sql)
  return oldest === undefined ? null : oldest + daysOf(config) * DAY
}

export function expireAudit({ sql, now, config }: Pick<CorpusContext, 'sql' | 'now' | 'config'>): void {
  deleteAuditEntriesBefore(sql, now() - daysOf(config) * DAY, AT_ONCE)
}

const daysOf = ({ audit }: CorpusContext['config']): number => (audit ?? auditDefaults).days
