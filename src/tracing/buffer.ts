/** Spans of an isolate that wait to be sent, up to a limit; spans beyond it, or refused by the collector, are dropped and counted. */
import type { EndedSpan } from './otlp'

const MAX_WAITING = 2048
const MAX_SENT = 512 // spans in one request to the collector

export interface SpanBuffer {
  add(span: EndedSpan): void
  /** At most as many as fit into one request. */
  take(): readonly EndedSpan[]
  /** Dropped since the last call. */
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
