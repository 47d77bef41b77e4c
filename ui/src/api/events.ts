/** A streamed answer: server-sent events of a POST, one after the other. */
import { createParser } from 'eventsource-parser'
import { ask, at } from './client'
import type { Answer, Citation, Found, Usage } from './types'

export type AnswerEvent =
  | { readonly event: 'retrieval'; readonly data: Found }
  | { readonly event: 'delta'; readonly data: { readonly text: string } }
  | { readonly event: 'citation'; readonly data: Citation }
  | { readonly event: 'usage'; readonly data: Usage }
  | { readonly event: 'done'; readonly data: Omit<Answer, 'evidence'> }
  | { readonly event: 'error'; readonly data: { readonly code: string } }

const KNOWN: ReadonlySet<string> = new Set(['retrieval', 'delta', 'citation', 'usage', 'done', 'error'])

export async function* asked(corpus: string, body: object, signal: AbortSignal): AsyncGenerator<AnswerEvent, void, void> {
  const response = await ask('POST', at(corpus, 'query'), { body: { ...body, stream: true }, signal })
  if (!response.body) return
  const ready: AnswerEvent[] = []
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event && KNOWN.has(event)) ready.push({ event, data: JSON.parse(data) } as AnswerEvent)
    },
  })
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    parser.feed(piece.value)
    yield* ready.splice(0)
  }
}
