/**
 * Handles messages from the queue: the names of due deliveries and fetches. Each is carried out separately and retried as late as its
 * object says; one that fails does not hold up the others. Messages may come twice, late, or about something that no longer exists.
 */
import { z } from 'zod'
import { workerLimits } from '../platform-limits'
import type { OutboundMessage, OutboundObject } from '../ports/outbound'

const AT_ONCE = workerLimits.safeConnections // messages handled in parallel; each makes one request after another
const MAX_DELAY = 43_200 // seconds: the longest delay a queue accepts
const RETRY_DELAY = 30 // seconds until a name is retried whose object could not be reached

const messageSchema = z.object({ kind: z.enum(['delivery', 'fetch']), uid: z.string().min(1).max(64), id: z.string().min(1).max(64) })

/** The part of a queue message that is used here. */
export interface QueueMessage {
  readonly body: unknown
  ack(): void
  retry(options?: { readonly delaySeconds?: number }): void
}

export type Carry = (corpus: OutboundObject, id: string, uid: string) => Promise<number | null>

export interface Carriers {
  corpus(uid: string): OutboundObject
  readonly carry: { readonly [kind in OutboundMessage['kind']]: Carry }
}

export interface Consumed {
  readonly done: number
  readonly later: number
  readonly failed: number
}

export async function consume(carriers: Carriers, messages: readonly QueueMessage[]): Promise<Consumed> {
  const tally = { done: 0, later: 0, failed: 0 }
  const left = [...messages]
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) tally[await carryOut(carriers, next)]++
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return tally
}

async function carryOut({ corpus, carry }: Carriers, message: QueueMessage): Promise<keyof Consumed> {
  const parsed = messageSchema.safeParse(message.body)
  if (!parsed.success) {
    message.retry() // not ours: after a few tries it lands in the dead-letter queue, where someone will see it
    return 'failed'
  }
  const { kind, uid, id } = parsed.data
  try {
    const pause = await carry[kind](corpus(uid), id, uid)
    if (pause === null) {
      message.ack()
      return 'done'
    }
    message.retry({ delaySeconds: Math.min(MAX_DELAY, Math.max(1, Math.ceil(pause / 1000))) })
    return 'later'
  } catch {
    message.retry({ delaySeconds: RETRY_DELAY })
    return 'failed'
  }
}
