/** The queue and the internet behind their ports. */

import type { Network } from '../outbound/reach'
import { queueLimits } from '../platform-limits'
import type { Outbound, OutboundMessage } from '../ports/outbound'
import { addressesOf } from './dns'

/** The part of a queue's binding that is used here. */
export interface QueueLike {
  sendBatch(messages: { body: OutboundMessage }[]): Promise<unknown>
}

/** Messages refused because of an overload are usually accepted when sent again at once; those refused again stay with the sender. */
export function outbound(queue: QueueLike): Outbound {
  return {
    async send(messages) {
      for (const batch of batches(messages)) {
        const bodies = batch.map((body) => ({ body }))
        await queue.sendBatch(bodies).catch((error) => {
          if (!isOverload(error)) throw error
          return queue.sendBatch(bodies)
        })
      }
    },
  }
}

/** In order, as many per call as it may carry. */
function batches(messages: readonly OutboundMessage[]): OutboundMessage[][] {
  const out: OutboundMessage[][] = []
  let room = 0
  for (const message of messages) {
    const size = new TextEncoder().encode(JSON.stringify(message)).byteLength + queueLimits.messageOverheadBytes
    const last = out.at(-1)
    if (last && last.length < queueLimits.maxBatchMessages && size <= room) last.push(message)
    else {
      out.push([message])
      room = queueLimits.maxBatchBytes
    }
    room -= size
  }
  return out
}

function isOverload(error: unknown): boolean {
  return /\b10250\b|overloaded|too many requests/i.test(error instanceof Error ? error.message : '')
}

/** `anywhere`: only ever set on a person's own machine. */
export function internet(anywhere: boolean): Network {
  const fetcher = ((input: string, init?: RequestInit) => fetch(input, init)) as typeof fetch
  return {
    rules: { anywhere },
    fetch: fetcher,
    addresses: (host, signal) => addressesOf(fetcher, host, signal),
  }
}
