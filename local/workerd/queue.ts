/**
 * A queue's producer with the limits of the real one, which the local runtime mostly lacks: sizes of messages and batches, and temporary
 * overload. Wraps any producer. Messages: production's cause and code, as since compatibility date 2026-03-12.
 */
import { queueLimits } from '../../src/platform-limits'

interface Producer<T> {
  sendBatch(messages: readonly { readonly body: T }[]): Promise<unknown>
}

export interface QueueFaults {
  /** Calls still to be refused as overloaded: a number, or all. */
  overloaded: number | true
}

export function limitedQueue<T>(producer: Producer<T>, faults: QueueFaults = { overloaded: 0 }): Producer<T> {
  return {
    async sendBatch(messages) {
      const sizes = messages.map(({ body }) => new TextEncoder().encode(JSON.stringify(body)).byteLength + queueLimits.messageOverheadBytes)
      if (sizes.some((size) => size > queueLimits.maxMessageBytes)) throw refused('Payload Too Large', 10204)
      if (messages.length > queueLimits.maxBatchMessages) throw refused('Too many messages in batch', 10205)
      if (sizes.reduce((sum, size) => sum + size, 0) > queueLimits.maxBatchBytes) throw refused('Payload Too Large', 10206)
      if (faults.overloaded === true || faults.overloaded > 0) {
        if (faults.overloaded !== true) faults.overloaded--
        throw refused('Queue is overloaded. Please back off.', 10250)
      }
      return producer.sendBatch(messages)
    },
  }
}

function refused(cause: string, code: number): Error {
  return new Error(`${cause} (${code})`)
}
