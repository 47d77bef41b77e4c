/**
 * The header `traceparent` of W3C Trace Context (https://www.w3.org/TR/trace-context/): version 00, and the fields that later versions
 * keep. Pure.
 */

export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly trace: string
  /** 16 hexadecimal digits. */
  readonly span: string
  readonly isSampled: boolean
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Undefined: absent or invalid; the trace begins here. */
export function parseTraceparent(header: string | null): TraceParent | undefined {
  const [, version = '', trace = '', span = '', flags = '', more] = FORM.exec(header?.trim() ?? '') ?? []
  if (version === '' || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(trace) || /^0+$/.test(span)) return undefined
  return { trace, span, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Random, never all zeros. */
export function newId(bytes: 8 | 16, random: (bytes: number) => Uint8Array): string {
  const drawn = random(bytes)
  if (drawn.every((byte) => byte === 0)) drawn[0] = 1
  return Array.from(drawn, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
