/**
 * What the schedule deletes: rows that are no longer needed. A limited number per tick, so that no tick is long. Superseded versions of
 * documents are removed by the commit that replaces them; this removes what a version that never became visible may have left.
 */
import { auditRetentionAt, expireAudit } from '../audit/log'
import { daysRetentionAt, expireDays } from '../billing/days'
import { conversationRetentionAt, expireConversations } from '../conversations/kept'
import { earlierRetentionAt, expireEarlier } from '../indexing/earlier-statements'
import { expireLog, logRetentionAt } from '../query-log/log'
import type { CorpusContext } from '../store'
import { deleteOrphanedAwaited } from '../tables/awaited'
import { deleteDeliveriesBefore, oldestDeliveryAt } from '../tables/delivery'
import { deleteEventsBefore, readOldestEventTime } from '../tables/event'
import { deleteFinishedJobsBefore, readOldestFinishedTime } from '../tables/job'
import { deleteOrphanedStaged } from '../tables/staged'
import { deleteOrphanedTouched } from '../tables/touched'
import { deleteWithdrawnBefore, oldestWithdrawnAt } from '../tables/withdrawn'

const DAY = 86_400_000 // ms
const JOBS = 30 * DAY // a finished job, its receipt and the names of events
const DELIVERED = 3 * DAY
const DEAD = 30 * DAY
export const WITHDRAWN = 400 * DAY // deletions, by id: an older backup would bring the documents back
const AT_ONCE = 2000 // rows of each sort

const CLOSED = [
  ['delivered', DELIVERED],
  ['dead', DEAD],
] as const

/** When the oldest of these rows may be deleted; null: there is none. */
export function retentionAt({ sql, config }: Pick<CorpusContext, 'sql' | 'config'>): number | null {
  const finished = [readOldestFinishedTime(sql), readOldestEventTime(sql)].flatMap((at) => (at === undefined ? [] : [at + JOBS]))
  const closed = CLOSED.flatMap(([state, age]) => {
    const at = oldestDeliveryAt(sql, state)
    return at === undefined ? [] : [at + age]
  })
  const kept = [
    auditRetentionAt({ sql, config }),
    logRetentionAt({ sql, config }),
    conversationRetentionAt({ sql, config }),
    daysRetentionAt(sql),
    earlierRetentionAt({ sql, config }),
  ].filter((at) => at !== null)
  const withdrawn = oldestWithdrawnAt(sql)
  const all = [...finished, ...closed, ...kept, ...(withdrawn === undefined ? [] : [withdrawn + WITHDRAWN])]
  return all.length > 0 ? Math.min(...all) : null
}

export function deleteExpired({ sql, now, config }: Pick<CorpusContext, 'sql' | 'now' | 'config'>): void {
  expireAudit({ sql, now, config })
  expireLog({ sql, now, config })
  expireConversations({ sql, now, config })
  expireDays({ sql, now })
  expireEarlier({ sql, now, config })
  const before = (age: number): number => now() - age
  deleteFinishedJobsBefore(sql, before(JOBS), AT_ONCE)
  deleteEventsBefore(sql, before(JOBS), AT_ONCE)
  deleteWithdrawnBefore(sql, before(WITHDRAWN), AT_ONCE)
  for (const [state, age] of CLOSED) {
    deleteDeliveriesBefore(sql, state, before(age), AT_ONCE)
  }
}

/** Claims of versions that no longer exist, chunks that no version awaits, sources of forgotten replies, counts of ended jobs. */
export function deleteOrphans({ sql }: Pick<CorpusContext, 'sql'>): void {
  deleteOrphanedAwaited(sql, AT_ONCE)
  deleteOrphanedStaged(sql, AT_ONCE)
  deleteOrphanedTouched(sql, AT_ONCE)
}
