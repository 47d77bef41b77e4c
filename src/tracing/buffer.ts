/** Spans of an isolate that wait to be sent: so many at most; what comes beyond that, or is not taken by the collector, is dropped and counted. */
import type { EndedSpan } from './otlp'

const MAX_WAITING = 2048
const MAX_SENT = 512 // spans of one request to the collector

export interface SpanBuffer {
  add(span: EndedSpan): void
  /** At most as many as one request holds. */
  take(): readonly EndedSpan[]
  /** Dropped since it was last asked. */
  takeDropped(): number
  drop(count: number): void
}

/** One for all requests of an isolate. */
export function createBuffer(): SpanBuffer {
  const waiting: EndedSpan[] = []
  let dropped = 0
  return {
    add(span) {
      if (waiting.length < MAX_WAITING) waiting.push(span)
      else dropped++
    },
    take: () => waiting.splice(0, MAX_SENT),
    takeDropped() {
      const count = dropped
      dropped = 0
      return count
    },
    drop(count) {
      dropped += count
    },
  }
}
