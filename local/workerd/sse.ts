/**
 * Server-sent events in both directions: reads an OpenAI stream into deltas, and writes deltas as Workers AI does (`data: {"response":"…"}`
 * … `data: [DONE]`). Chunk boundaries may fall anywhere, even inside a character.
 */
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { inference } from './faults'
import { isFields } from './requests'

export type Piece = { readonly text: string } | { readonly usage: unknown } | { readonly ended: string }

/** Fails if the upstream is interrupted before it has said that it is done. */
export async function* deltasOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Piece> {
  let finished = false
  for await (const { data } of body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())) {
    if (data === '[DONE]') return
    const event = parsed(data)
    if (!isFields(event)) continue
    const choice: unknown = Array.isArray(event.choices) ? event.choices[0] : undefined
    const delta = isFields(choice) ? choice.delta : undefined
    if (isFields(delta) && typeof delta.content === 'string' && delta.content) yield { text: delta.content }
    if (isFields(choice) && typeof choice.finish_reason === 'string') {
      finished = true
      yield { ended: choice.finish_reason }
    }
    if (isFields(event.usage)) yield { usage: event.usage }
  }
  if (!finished) throw inference(3043)
}

/** The deltas as Workers AI's byte stream. If the stream breaks upstream it breaks here too: no `[DONE]`. */
export function relay(pieces: AsyncIterable<Piece> | Iterable<Piece>): ReadableStream<Uint8Array> {
  const source = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]()
  const encoder = new TextEncoder()
  const event = (value: unknown): Uint8Array => encoder.encode(`data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`)
  return new ReadableStream({
    type: 'bytes', // RPC carries only byte streams
    async pull(controller) {
      const next = await source.next()
      if (!next.done) return controller.enqueue(event(written(next.value)))
      controller.enqueue(event('[DONE]'))
      controller.close()
    },
    async cancel() {
      await source.return?.(undefined)
    },
  })
}

function written(piece: Piece): unknown {
  if ('text' in piece) return { response: piece.text }
  return { response: '', ...('usage' in piece ? { usage: piece.usage } : { finish_reason: piece.ended }) }
}

export function eventStream(texts: readonly string[], usage: unknown): ReadableStream<Uint8Array> {
  return relay([...texts.map((text) => ({ text })), { usage }])
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}
