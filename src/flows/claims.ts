/** The statements of an answer, each with the sources it names. A marker after the full stop belongs to the statement before it. */
import { sentences } from '../core/text/sentences'
import { markersIn, withoutMarkers } from './markers'

export interface Claim {
  /** Offsets in the answer; the markers are inside. */
  readonly start: number
  readonly end: number
  /** Without the markers. */
  readonly text: string
  readonly markers: readonly number[]
}

const LEADING_MARKERS = /^(?:\[[\d\s,;]+\]\s*)+/

export function splitClaims(answer: string): readonly Claim[] {
  const spans: { start: number; end: number }[] = []
  for (const { start, end } of sentences(answer)) {
    const leading = LEADING_MARKERS.exec(answer.slice(start, end))?.[0] ?? ''
    const before = spans.at(-1)
    if (before && leading !== '') before.end = start + leading.trimEnd().length
    const from = before ? start + leading.length : start
    if (from < end) spans.push({ start: from, end })
  }
  return spans.flatMap(({ start, end }) => {
    const text = answer.slice(start, end)
    const bare = withoutMarkers(text).trim()
    return isStatement(bare) ? [{ start, end, text: bare, markers: markersIn(text) }] : []
  })
}

/** Headings and lines that only introduce a list state nothing. */
function isStatement(bare: string): boolean {
  return /[\p{L}\p{N}]/u.test(bare) && !/^#{1,6}\s/.test(bare) && !/[:：]$/.test(bare)
}
