/** Documents as the service takes them: at most 1 MiB of text (longer ones in parts, cut between paragraphs), ids of at most 256 bytes. */
import { createHash } from 'node:crypto'
import { MAX_ID, MAX_TEXT, MAX_TITLE } from '../../src/contract/document-limits'
import { MAX_OUTLINE } from '../../src/core/text/outline'
import type { SourceDocument } from '../documents'

const MAX_PART = 512 * 1024 // bytes of a part

export function* fitDocument({ id, title, text, outline, ...rest }: SourceDocument): Generator<SourceDocument> {
  const named = title ? { title: title.slice(0, MAX_TITLE) } : {}
  if (Buffer.byteLength(text) <= MAX_TEXT) return yield { ...rest, ...named, id: fitId(id), text, ...outlineIn(outline, 0, text.length) }
  let [part, from] = [0, 0]
  for (const slice of splitText(text)) {
    part++
    yield { ...rest, ...named, id: fitId(`${id}#part-${part}`), text: slice, ...outlineIn(outline, from, slice.length) }
    from += slice.length
  }
}

/** Of a part, what holds where it begins among it: the last page that begins before. */
function outlineIn(outline: SourceDocument['outline'], from: number, length: number): Pick<SourceDocument, 'outline'> {
  const all = outline ?? []
  const before = all.findLast((one) => one.start <= from)
  const inside = all.filter((one) => one.start > from && one.start < from + length)
  const own = [...(before ? [{ ...before, start: from }] : []), ...inside].map((one) => ({ ...one, start: one.start - from }))
  return own.length > 0 ? { outline: own.slice(0, MAX_OUTLINE) } : {}
}

/** One that is too long ends in a fingerprint of the whole. */
function fitId(id: string): string {
  if (Buffer.byteLength(id) <= MAX_ID) return id
  const mark = `~${createHash('sha256').update(id).digest('hex').slice(0, 16)}`
  let kept = id
  while (Buffer.byteLength(kept) + mark.length > MAX_ID) kept = [...kept].slice(0, -1).join('')
  return kept + mark
}

/** Nothing is lost or doubled: the parts joined are the text. */
export function* splitText(text: string, max = MAX_PART): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const limit = from + unitsWithin(text.slice(from, from + max), max)
    const to = limit >= text.length ? text.length : cutBefore(text, from, limit)
    yield text.slice(from, to)
    from = to
  }
}

/** How many UTF-16 units of it fit. */
function unitsWithin(text: string, max: number): number {
  let bytes = 0
  let at = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > max) break
    at += character.length
  }
  return at
}

function cutBefore(text: string, from: number, limit: number): number {
  for (const mark of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(mark, limit - mark.length)
    if (at > from + (limit - from) / 2) return at + mark.length
  }
  return limit
}
