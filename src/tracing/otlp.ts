/**
 * Spans as OTLP/HTTP sends them in JSON (opentelemetry-proto, trace/v1; https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding):
 * ids in hexadecimal, times as decimal strings of nanoseconds, enums as numbers, 64-bit integers as strings. Pure.
 */
import type { Attributes, SpanKind } from '../ports/tracing'

export interface EndedSpan {
  readonly trace: string
  readonly id: string
  readonly parent?: string | undefined
  readonly name: string
  readonly kind: SpanKind
  /** Milliseconds since the epoch. */
  readonly start: number
  readonly end: number
  readonly attributes: Attributes
  /** Its work failed: the fault's name, never a message. */
  readonly error?: string
}

const KINDS: { readonly [kind in SpanKind]: number } = { internal: 1, server: 2, client: 3 }
const ERROR = 2

export function otlpBody(spans: readonly EndedSpan[], resource: Attributes): string {
  const scope = { name: 'loam', version: String(resource['service.version'] ?? '') }
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes: keyValues(resource) }, scopeSpans: [{ scope, spans: spans.map(spanOf) }] }],
  })
}

function spanOf({ trace, id, parent, name, kind, start, end, attributes, error }: EndedSpan) {
  return {
    traceId: trace,
    spanId: id,
    ...(parent === undefined ? {} : { parentSpanId: parent }),
    flags: 1, // sampled
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanos(start),
    endTimeUnixNano: nanos(Math.max(start, end)),
    attributes: keyValues(attributes),
    status: error === undefined ? {} : { code: ERROR, message: error },
  }
}

const nanos = (ms: number): string => String(BigInt(Math.round(ms)) * 1_000_000n)

function keyValues(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))
}

function anyValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
