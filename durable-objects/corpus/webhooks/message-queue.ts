/**
 * Puts on the queue the names of what is owed. Sent before it is noted: a crash between the two sends a name twice, which is harmless, since
 * whoever gets it asks what is owed. What a queue lost is put there again.
 */
import { queueLimits } from '../../../src/platform-limits'
import type { Outbound, OutboundMessage } from '../../../src/ports/outbound'
import type { CorpusContext } from '../store'

const CALL = queueLimits.maxBatchMessages
const LOST = 600_000 // ms overdue after which a message must have got lost
const AT_ONCE = 200 // rows taken up by one tick of the schedule

const TABLES = [
  { table: 'delivery', kind: 'delivery' },
  { table: 'source', kind: 'fetch' },
] as const

/** Rows the queue has not heard of. */
export function hasNewMessages({ sql }: Pick<CorpusContext, 'sql'>): boolean {
  return TABLES.some(({ table }) => sql.one(`SELECT 1 FROM ${table} WHERE state = 'new' LIMIT 1`) !== undefined)
}

/** Only one runs at a time (the caller's flag). Rejects when the queue is down: the rest stays where it is. */
export async function sendMessages(context: CorpusContext, outbound: Outbound): Promise<void> {
  for (const { table, kind } of TABLES) {
    for (;;) {
      const ids = context.sql.all<{ id: string }>(`SELECT id FROM ${table} WHERE state = 'new' LIMIT ?`, CALL).map((row) => row.id)
      if (ids.length === 0) break
      await outbound.send(ids.map((id): OutboundMessage => ({ kind, uid: context.config.uid, id })))
      context.sql.run(
        `UPDATE ${table} SET state = 'queued' WHERE state = 'new' AND id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(ids),
      )
    }
  }
}

/** When `findOwed` will find the next delivery; the next source. */
export function nextDeliveryAt({ sql }: Pick<CorpusContext, 'sql'>): number | null {
  const lost = sql.one<{ due: number }>(`SELECT due FROM delivery WHERE state = 'queued' ORDER BY due LIMIT 1`)
  return lost ? lost.due + LOST : null
}

export function nextSourceAt({ sql }: Pick<CorpusContext, 'sql'>): number | null {
  const idle = sql.one<{ due: number }>(`SELECT due FROM source WHERE state = 'idle' ORDER BY due LIMIT 1`)
  const lost = sql.one<{ due: number }>(`SELECT due FROM source WHERE state = 'queued' ORDER BY due LIMIT 1`)
  if (!idle || !lost) return idle?.due ?? (lost ? lost.due + LOST : null)
  return Math.min(idle.due, lost.due + LOST)
}

/** What is due but on no queue, or has been on one for too long: that is due from now on, so that it is not lost again at once. True if there is any. */
export function requeueOverdue({ sql, now }: Pick<CorpusContext, 'sql' | 'now'>): boolean {
  const due = now()
  sql.run(
    `UPDATE delivery SET state = 'new', due = ? WHERE n IN (SELECT n FROM delivery WHERE state = 'queued' AND due <= ? LIMIT ?)`,
    due,
    due - LOST,
    AT_ONCE,
  )
  sql.run(
    `UPDATE source SET state = 'new', due = ? WHERE id IN (
       SELECT id FROM source WHERE (state = 'idle' AND due <= ?) OR (state = 'queued' AND due <= ?) LIMIT ?)`,
    due,
    due,
    due - LOST,
    AT_ONCE,
  )
  return hasNewMessages({ sql })
}
