/**
 * What comes out of the queue: names of due deliveries and fetches. Each is carried out on its own and asked for again as late as its object says; one that
 * fails does not keep the others. Messages may come twice, late, or about what is no longer there.
 */
import { z } from 'zod'
import { workerLimits } from '../platform-limits'
import type { OutboundMessage, OutboundObject } from '../ports/outbound'

const AT_ONCE = workerLimits.safeConnections // messages carried out side by side; each fetches, one thing after the other
const MAX_DELAY = 43_200 // seconds a queue may be asked to wait
const RETRY_DELAY = 30 // seconds until a name whose object could not be reached is tried again

const messageSchema = z.object({ kind: z.enum(['delivery', 'fetch']), uid: z.string().min(1).max(64), id: z.string().min(1).max(64) })

/** As much of a queue's message as is used here. */
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
    message.retry() // not ours: after so many tries it is where someone will look at it
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
