/**
 * Puts the names of due deliveries and fetches on the queue. A name is sent before that is recorded: a crash in between sends it twice,
 * which is harmless, since its receiver asks what is due. Messages that the queue lost are sent again.
 */
import { queueLimits } from '../../../src/platform-limits'
import type { Outbound, OutboundMessage } from '../../../src/ports/outbound'
import type { CorpusContext } from '../store'
import { hasNewDelivery, listNewDeliveries, markDeliveriesQueued, nextQueuedDeliveryDue, requeueDeliveries } from '../tables/delivery'
import { hasNewSource, listNewSources, markSourcesQueued, nextSourceDue, requeueSources } from '../tables/source'

const CALL = queueLimits.maxBatchMessages
const LOST = 600_000 // ms overdue, after which a message must have been lost
const AT_ONCE = 200 // rows handled in one tick of the schedule

const QUEUED = [
  { kind: 'delivery', hasNew: hasNewDelivery, listNew: listNewDeliveries, markQueued: markDeliveriesQueued },
  { kind: 'fetch', hasNew: hasNewSource, listNew: listNewSources, markQueued: markSourcesQueued },
] as const

/** Is anything not yet on the queue? */
export function hasNewMessages({ sql }: Pick<CorpusContext, 'sql'>): boolean {
  return QUEUED.some(({ hasNew }) => hasNew(sql))
}

/** Only one runs at a time (the caller's flag). Rejects when the queue is down: the rest keeps its place. */
export async function sendMessages({ sql, config }: CorpusContext, outbound: Outbound): Promise<void> {
  for (const { kind, listNew, markQueued } of QUEUED) {
    for (let ids = listNew(sql, CALL); ids.length > 0; ids = listNew(sql, CALL)) {
      await outbound.send(ids.map((id): OutboundMessage => ({ kind, uid: config.uid, id })))
      markQueued(sql, ids)
    }
  }
}

/** When `requeueOverdue` will find the next delivery; the next source. */
export function nextDeliveryAt({ sql }: Pick<CorpusContext, 'sql'>): number | null {
  const queued = nextQueuedDeliveryDue(sql)
  return queued === undefined ? null : queued + LOST
}

export function nextSourceAt({ sql }: Pick<CorpusContext, 'sql'>): number | null {
  const idle = nextSourceDue(sql, 'idle')
  const queued = nextSourceDue(sql, 'queued')
  const times = [...(idle === undefined ? [] : [idle]), ...(queued === undefined ? [] : [queued + LOST])]
  return times.length > 0 ? Math.min(...times) : null
}

/**
 * What is due but not on the queue, or has been on it for too long: it is due from now on, so that it is not immediately considered lost
 * again. True if there is any.
 */
export function requeueOverdue({ sql, now }: Pick<CorpusContext, 'sql' | 'now'>): boolean {
  const due = { now: now(), dueBy: now() - LOST, limit: AT_ONCE }
  requeueDeliveries(sql, due)
  requeueSources(sql, due)
  return hasNewMessages({ sql })
}
