/** The queue and the internet behind their ports. */

import type { Network } from '../outbound/reach'
import type { Outbound, OutboundMessage } from '../outbound-ports'
import { addressesOf } from './dns'

/** As much of a queue's binding as is used here. */
interface QueueLike {
  sendBatch(messages: { body: OutboundMessage }[]): Promise<unknown>
}

export function outbound(queue: QueueLike): Outbound {
  return {
    async send(messages) {
      await queue.sendBatch(messages.map((body) => ({ body })))
    },
  }
}

/** `anywhere`: only ever set on a machine of one's own. */
export function internet(anywhere: boolean): Network {
  const fetcher = ((input: string, init?: RequestInit) => fetch(input, init)) as typeof fetch
  return {
    rules: { anywhere },
    fetch: fetcher,
    addresses: (host, signal) => addressesOf(fetcher, host, signal),
  }
}
