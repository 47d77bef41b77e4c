/**
 * A model's stream of server-sent events as text deltas. Bytes may be cut anywhere, inside a character or a line; the parser and the
 * decoder put them together again. Thinking aloud is left out. Stopping early cancels the model's stream.
 */

import { createParser } from 'eventsource-parser'
import type { Spent } from '../contract/usage'
import { within } from './workers-ai-calls'
import { mapped, modelError } from './workers-ai-faults'
import { deltaOf, endOf, usageOf } from './workers-ai-replies'

const OPEN = '<think>'
const CLOSE = '</think>'

export interface Heard {
  usage?: Spent
  /** From the finish reason. */
  end?: 'whole' | 'cut'
  /** The length of everything said, including thinking. */
  said: string
}

export interface Listening {
  readonly heard: Heard
  /** Milliseconds without a byte after which the model counts as gone. */
  readonly silence: number
  /** Limits of the stream, and of its text: a model that exceeds its limit is not read to the end. */
  readonly maxBytes: number
  readonly maxCharacters: number
  /** Ends the stream as if the model were gone. */
  readonly signal: AbortSignal | undefined
  now(): number
}

/** Deltas of a byte stream. */
export async function* deltas(
  body: ReadableStream<Uint8Array>,
  { heard, silence, signal, now, maxBytes, maxCharacters }: Listening,
): AsyncGenerator<string, void, void> {
  const reader = body.getReader()
  const pending: string[] = []
  const parser = createParser({ onEvent: (event) => pending.push(event.data) })
  const decoder = new TextDecoder()
  const spoken = withoutThinking()
  let bytes = 0
  try {
    for (let done = false; !done; ) {
      const piece = await within(silence, () => reader.read(), { signal })
      done = piece.done
      bytes += piece.value?.byteLength ?? 0
      if (bytes > maxBytes) throw modelError('invalid')
      // A last line without its newline is still a line.
      parser.feed(piece.done ? `${decoder.decode()}\n\n` : decoder.decode(piece.value, { stream: true }))
      for (const data of pending.splice(0)) {
        if (data.trim() === '[DONE]') return
        const delta = spoken(listen(data, heard))
        if (heard.said.length > maxCharacters) throw modelError('invalid')
        if (delta !== '') yield delta
      }
    }
  } catch (error) {
    throw mapped(error, now())
  } finally {
    await reader.cancel().catch(() => undefined) // the other end may be gone already
  }
}

function listen(data: string, heard: Heard): string {
  const event = parsed(data)
  if (typeof event === 'object' && event !== null && 'error' in event && event.error) throw modelError('down')
  heard.usage = usageOf(event) ?? heard.usage
  heard.end = endOf(event) ?? heard.end
  const delta = deltaOf(event)
  heard.said += delta
  return delta
}

/** A line that is not JSON is ignored; the next one may be JSON. */
function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

/** Drops everything between `<think>` and `</think>` at the beginning, wherever the pieces are cut. */
function withoutThinking(): (delta: string) => string {
  let held = ''
  let state: 'unknown' | 'thinking' | 'speaking' = 'unknown'
  return (delta) => {
    if (state === 'speaking') return delta
    held += delta
    if (state === 'unknown') {
      const start = held.trimStart()
      if (start.startsWith(OPEN)) state = 'thinking'
      else if (!OPEN.startsWith(start)) return speak(start)
    }
    const end = held.indexOf(CLOSE, Math.max(0, held.length - delta.length - CLOSE.length)) // earlier text has been searched already
    return state === 'thinking' && end >= 0 ? speak(held.slice(end + CLOSE.length).trimStart()) : ''
  }
  function speak(text: string): string {
    if (text === '' && state === 'thinking') {
      held = '' // blank lines after the thinking are not part of the answer
      state = 'unknown'
      return ''
    }
    state = 'speaking'
    return text
  }
}
