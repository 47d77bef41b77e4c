/**
 * Which requests are traced, and what happens to their spans. A caller's `traceparent` decides: a sampled trace is continued, an unsampled
 * one is left alone; a request without the header begins a trace as often as the ratio says.
 */
import type { Attributes, SpanKind, Tracer, Tracing } from '../ports/tracing'
import type { SpanBuffer } from './buffer'
import { otlpBody } from './otlp'
import { newId, parseTraceparent } from './traceparent'

const MAX_SPANS = 500 // in one request; a full export makes many calls
const MOMENT = 500 // ms before finished spans are sent, so that concurrent requests share one call to the collector
const PATIENCE = 5000 // ms to wait for the collector

export interface TracingParts {
  readonly buffer: SpanBuffer
  /** Where spans are sent, and with which headers. */
  readonly endpoint: string
  readonly headers: { readonly [name: string]: string }
  /** Share of the requests without a `traceparent`. */
  readonly ratio: number
  readonly withTexts: boolean
  readonly resource: Attributes
  readonly now: () => number
  readonly random: (bytes: number) => Uint8Array
  readonly pause: (ms: number) => Promise<void>
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** How many spans were sent, and how many dropped. */
  readonly counted?: (exported: number, dropped: number) => void
}

export function tracing(parts: TracingParts): Tracing {
  return {
    begin(headers) {
      const parent = parseTraceparent(headers.get('traceparent'))
      if (parent ? !parent.isSampled : !isDrawn(parts)) return undefined
      const trace = parent?.trace ?? newId(16, parts.random)
      return tracerOf(parts, { trace, parent: parent?.span, left: { spans: MAX_SPANS } })
    },
    async flush() {
      await parts.pause(MOMENT)
      await send(parts)
    },
  }
}

function isDrawn({ ratio, random }: TracingParts): boolean {
  if (ratio >= 1) return true
  const [a = 0, b = 0, c = 0] = random(3)
  return (a * 65_536 + b * 256 + c) / 16_777_216 < ratio
}

interface Place {
  readonly trace: string
  readonly parent: string | undefined
  /** Shared by all spans of the request. */
  readonly left: { spans: number }
}

/** `id`: the root span's; all other spans are under it. */
function tracerOf(parts: TracingParts, place: Place, id = newId(8, parts.random)): Tracer {
  const { buffer, now, random, withTexts } = parts
  const { trace, left } = place
  const began = now()
  let noted: Attributes = {}
  const add = (span: {
    id: string
    parent: string | undefined
    name: string
    kind: SpanKind
    start: number
    attributes: Attributes
    error?: string
  }) => {
    if (left.spans-- > 0) buffer.add({ trace, end: now(), ...span })
    else buffer.drop(1)
  }
  return {
    withTexts,
    async span(name, attributes, work) {
      const [own, start] = [newId(8, random), now()]
      let all = attributes
      const ended = (error?: string): void =>
        add({ id: own, parent: id, name, kind: 'client', start, attributes: all, ...(error === undefined ? {} : { error }) })
      try {
        const result = await work({
          set(more) {
            all = { ...all, ...more }
          },
        })
        ended()
        return result
      } catch (error) {
        ended(nameOf(error))
        throw error
      }
    },
    inner: () => tracerOf(parts, { ...place, parent: id }),
    open(name, attributes) {
      const [own, start] = [newId(8, random), now()]
      return {
        tracer: tracerOf(parts, { ...place, parent: id }, own),
        end: (fault) =>
          add({ id: own, parent: id, name, kind: 'internal', start, attributes, ...(fault === undefined ? {} : { error: nameOf(fault) }) }),
      }
    },
    note(attributes) {
      noted = { ...noted, ...attributes }
    },
    end(name, attributes) {
      const status = Number(attributes['http.response.status_code'] ?? 0)
      const error = status >= 500 ? { error: String(status) } : {}
      add({ id, parent: place.parent, name, kind: 'server', start: began, attributes: { ...attributes, ...noted }, ...error })
    },
  }
}

const nameOf = (fault: unknown): string => (fault instanceof Error ? fault.name : 'Error')

/** Repeats until nothing waits. */
async function send({ buffer, endpoint, headers, resource, fetch, counted }: TracingParts): Promise<void> {
  for (let spans = buffer.take(); spans.length > 0; spans = buffer.take()) {
    const isTaken = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: otlpBody(spans, resource),
      signal: AbortSignal.timeout(PATIENCE),
      redirect: 'manual',
    }).then(
      async (response) => {
        await response.body?.cancel().catch(() => undefined)
        return response.ok
      },
      () => false,
    )
    if (!isTaken) buffer.drop(spans.length)
    counted?.(isTaken ? spans.length : 0, buffer.takeDropped())
    if (!isTaken) break // waiting spans are retried with the next request
  }
}
