/** A text with a range replaced, and where its parts then begin. Pure. */
import type { Outline } from './outline'

interface Range {
  readonly start: number
  readonly end: number
}

export interface Replaced {
  readonly text: string
  readonly outline: Outline
}

/**
 * A part that begins before the change stays where it is, one that begins after it moves along, and one that begins within it begins where the
 * change does.
 */
export function replaceRange(text: string, outline: Outline, range: Range, by: string): Replaced {
  const placed = placesAfter(text, range, by)
  const parts = outline.map((one) => ({ ...one, start: placed(one.start) }))
  return { text: text.slice(0, range.start) + by + text.slice(range.end), outline: parts }
}

/** Where a place of the text is after the change. */
export function placesAfter(text: string, { start, end }: Range, by: string): (at: number) => number {
  const was = text.slice(start, end)
  const before = sharedAtStart(was, by)
  const behind = sharedAtEnd(was.slice(before), by.slice(before))
  const [from, to] = [start + before, end - behind]
  const moved = by.length - was.length
  return (at) => (at <= from ? at : at < to ? from : at + moved)
}

function sharedAtStart(a: string, b: string): number {
  let same = 0
  while (same < a.length && same < b.length && a[same] === b[same]) same++
  return same
}

function sharedAtEnd(a: string, b: string): number {
  let same = 0
  while (same < a.length && same < b.length && a[a.length - 1 - same] === b[b.length - 1 - same]) same++
  return same
}
