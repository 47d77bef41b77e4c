/** A streamed answer as it comes. Leaving the loop early closes the connection, which stops the model. */
import { createParser } from 'eventsource-parser'
import { LoamError } from './error'
import type { AskEvent } from './types'

export type AnswerEvent = Exclude<AskEvent, { readonly event: 'error' }>

export async function* eventsOf(response: Response): AsyncGenerator<AnswerEvent, void, void> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader()
  if (!reader) return
  const decoder = new TextDecoder()
  const waiting: AskEvent[] = []
  const parser = createParser({
    onEvent: ({ event, data }) => waiting.push({ event, data: JSON.parse(data) } as AskEvent),
  })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      for (const one of waiting.splice(0)) {
        if (one.event === 'error') throw brokenOff(one.data, response)
        yield one
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function brokenOff({ code, retry_after }: { readonly code: string; readonly retry_after?: number }, response: Response): LoamError {
  const requestId = response.headers.get('x-request-id')
  return new LoamError(code, `The answer broke off: ${code.replaceAll('_', ' ')}.`, {
    ...(requestId === null ? {} : { requestId }),
    ...(retry_after === undefined ? {} : { retryAfter: retry_after }),
  })
}
