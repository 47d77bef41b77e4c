/**
 * Server-sent events from a stream of answers. The first event is awaited: as long as nothing is sent, a status can still report an
 * error. A reader who leaves ends pending model calls.
 */

import { streamSSE } from 'hono/streaming'
import type { AskEvent, RefusalCode } from '../contract/questions'
import type { SeveralEvent } from '../contract/several'
import type { Ctx } from './context'
import { problemOf } from './failures'
import { Problem } from './problem'
import { serverTiming } from './server-timing'

const REFUSALS: ReadonlySet<string> = new Set<RefusalCode>([
  'strategy_not_enabled',
  'behind',
  'gone',
  'filter_unknown',
  'expansion_unavailable',
])

interface Refused {
  readonly code: RefusalCode
  readonly version?: number
  readonly filter?: string
}

export async function eventStream(
  c: Ctx,
  ask: (gone: AbortSignal) => AsyncGenerator<AskEvent | SeveralEvent, void, void>,
  refused: (refusal: Refused) => Problem,
): Promise<Response> {
  const gone = new AbortController()
  const events = ask(gone.signal)
  const first = await events.next()
  if (first.value?.event === 'error') {
    const { code, retry_after, ...more } = first.value.data
    if (REFUSALS.has(code)) throw refused({ ...more, code: code as RefusalCode })
    throw new Problem('model_unavailable', 'The model did not answer.', { retryAfter: retry_after ?? 10 })
  }
  c.header('x-request-id', c.get('requestId'))
  c.header('cache-control', 'no-store')
  // The event `usage` reports what answering took; this reports what finding took.
  if (first.value?.event === 'retrieval') serverTiming(c, first.value.data)
  return streamSSE(c, async (stream) => {
    stream.onAbort(() => {
      gone.abort() // the generator is most likely waiting for the model, and returns only when that wait ends
      void events.return().catch(() => undefined)
    })
    try {
      for (let next = first; !next.done && !stream.aborted; next = await events.next()) {
        await stream.writeSSE({ event: next.value.event, data: JSON.stringify(next.value.data) })
      }
    } catch (error) {
      const { code, more } = problemOf(error)
      const data = { code, request_id: c.get('requestId'), ...(more.retryAfter ? { retry_after: more.retryAfter } : {}) }
      await stream.writeSSE({ event: 'error', data: JSON.stringify(data) })
    } finally {
      await events.return().catch(() => undefined)
    }
  })
}
