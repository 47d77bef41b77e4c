/**
 * The audit log's table. Entries are added and, when their time is over, thrown away, oldest first; none is ever changed, which a trigger
 * sees to. Whoever enters one does so inside the transaction of what it tells of.
 */
import { type Actor, type AuditEntry, type AuditEvent, type AuditPlace, auditDefaults } from '../../../src/ports/audit'
import type { CorpusContext, Store, Sync } from '../store'

/** A step of `schema.ts`; once released it is not changed. */
export const AUDIT = `
  CREATE TABLE audit (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,              -- ms
    key TEXT NOT NULL,                -- the id of a key, webhook or source
    door TEXT NOT NULL,
    action TEXT NOT NULL,
    document TEXT,
    subject TEXT,
    outcome TEXT NOT NULL
  );
  CREATE TRIGGER audit_append_only BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is never changed'); END;
`

const DAY = 86_400_000 // ms
const MAX_ROWS = 1_000_000 // some 150 MB; the oldest go first
const AT_ONCE = 2000 // rows thrown away in one visit

type Db = Pick<Store, 'sql' | 'now'>

/** Inside the transaction that does what the events tell of. Nobody in particular acts: nothing is entered. */
export function addAuditEntries({ sql, now }: Db, by: Actor | undefined, events: readonly AuditEvent[]): void {
  if (!by || events.length === 0) return
  const rows = events.map(({ action, document = null, subject = null, outcome }) => [action, document, subject, outcome])
  sql.run(
    `INSERT INTO audit (at, key, door, action, document, subject, outcome)
     SELECT ?, ?, ?, value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)`,
    now(),
    by.key,
    by.door,
    JSON.stringify(rows),
  )
  sql.run('DELETE FROM audit WHERE n <= (SELECT max(n) FROM audit) - ?', MAX_ROWS)
}

interface About<T> {
  readonly subject?: string
  readonly outcome?: (result: T) => string
}

/** Does it, and enters who did it: both or neither. */
export function withAuditEntry<T>(db: Store, by: Actor | undefined, action: string, about: About<T>, work: () => Sync<T>): Sync<T> {
  const { subject, outcome = outcomeOf } = about
  return db.atomically((): Sync<T> => {
    const result = work()
    addAuditEntries(db, by, [{ action, outcome: outcome(result as T), ...(subject === undefined ? {} : { subject }) }])
    return result
  })
}

/** What has nothing to show for it was not there, or not to be done. */
const outcomeOf = (result: unknown): string => (typeof result === 'string' ? result : result ? 'done' : 'none')

/** Newest first. */
export function auditEntries({ sql }: Pick<Store, 'sql'>, { before, since, limit }: AuditPlace): AuditEntry[] {
  const page = sql.all<AuditEntry>('SELECT * FROM audit WHERE n < ? ORDER BY n DESC LIMIT ?', before ?? Number.MAX_SAFE_INTEGER, limit)
  return page.filter(({ at }) => at >= since)
}

/** When the oldest entry may go; null: there is none. */
export function auditRetentionAt({ sql, config }: Pick<CorpusContext, 'sql' | 'config'>): number | null {
  const row = sql.one<{ at: number }>('SELECT at FROM audit ORDER BY n LIMIT 1')
  return row ? row.at + daysOf(config) * DAY : null
}

export function expireAudit({ sql, now, config }: Pick<CorpusContext, 'sql' | 'now' | 'config'>): void {
  sql.run(
    'DELETE FROM audit WHERE n IN (SELECT n FROM (SELECT n, at FROM audit ORDER BY n LIMIT ?) WHERE at < ?)',
    AT_ONCE,
    now() - daysOf(config) * DAY,
  )
}

const daysOf = ({ audit }: CorpusContext['config']): number => (audit ?? auditDefaults).days
