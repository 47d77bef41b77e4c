/** A streamed answer as it comes. Leaving the loop early closes the connection, which stops the model. */
import { createParser } from 'eventsource-parser'
import { brokenOff, foreign, parsed } from './answer'
import { LoamError } from './error'
import type { AskEvent, SeveralEvent } from './types'

type Broken = Extract<AskEvent, { readonly event: 'error' }>
type Whole<E> = Exclude<E, { readonly event: 'error' }>
export type AnswerEvent = Whole<AskEvent>
export type SeveralAnswerEvent = Whole<SeveralEvent>

export async function* eventsOf<E extends AskEvent | SeveralEvent = AskEvent>(response: Response): AsyncGenerator<Whole<E>, void, void> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) throw foreign(response)
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader()
  if (!reader) return
  const decoder = new TextDecoder()
  const waiting: E[] = []
  const parser = createParser({
    onEvent: ({ event, data: text }) => {
      const data = parsed(text)
      if (data === undefined) throw foreign(response)
      waiting.push({ event, data } as E)
    },
  })
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw brokenOff(error)
      })
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      for (const one of waiting.splice(0)) {
        if (isBroken(one)) throw interrupted(one.data, response)
        yield one as Whole<E>
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function isBroken(event: { readonly event: string }): event is Broken {
  return event.event === 'error'
}

function interrupted({ code, retry_after }: { readonly code: string; readonly retry_after?: number }, response: Response): LoamError {
  const requestId = response.headers.get('x-request-id')
  return new LoamError(code, `The answer was interrupted: ${code.replaceAll('_', ' ')}.`, {
    ...(requestId === null ? {} : { requestId }),
    ...(retry_after === undefined ? {} : { retryAfter: retry_after }),
  })
}
