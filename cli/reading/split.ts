/**
 * Documents as the service accepts them: at most 1 MiB of text (longer ones in parts, cut before headings and between paragraphs), ids of at most 256
 * bytes.
 */
import { createHash } from 'node:crypto'
import { splitText } from '../../src/client/split-text'
import { MAX_ID, MAX_TEXT, MAX_TITLE } from '../../src/contract/document-limits'
import { MAX_OUTLINE } from '../../src/core/text/outline'
import type { SourceDocument } from '../documents'

export function* fitDocument({ id, title, text, outline, graph, ...rest }: SourceDocument): Generator<SourceDocument> {
  const named = title ? { title: title.slice(0, MAX_TITLE) } : {}
  if (Buffer.byteLength(text) <= MAX_TEXT)
    return yield { ...rest, ...named, id: fitId(id), text, ...outlineIn(outline, 0, text.length), ...(graph ? { graph } : {}) }
  let [part, from] = [0, 0]
  for (const slice of splitText(text)) {
    part++
    yield {
      ...rest,
      ...named,
      id: fitId(`${id}#part-${part}`),
      text: slice,
      ...outlineIn(outline, from, slice.length),
      ...graphIn(graph, from, slice.length),
    }
    from += slice.length
  }
}

/** What applies where a part begins: the last page that starts before it. */
function outlineIn(outline: SourceDocument['outline'], from: number, length: number): Pick<SourceDocument, 'outline'> {
  const all = outline ?? []
  const before = all.findLast((one) => one.start <= from)
  const inside = all.filter((one) => one.start > from && one.start < from + length)
  const own = [...(before ? [{ ...before, start: from }] : []), ...inside].map((one) => ({ ...one, start: one.start - from }))
  return own.length > 0 ? { outline: own.slice(0, MAX_OUTLINE) } : {}
}

/** What was found in this part. What says no place goes with every part: the service takes what the part says. */
function graphIn(graph: SourceDocument['graph'], from: number, length: number): Pick<SourceDocument, 'graph'> {
  if (!graph) return {}
  const own = <T extends { readonly start?: number | undefined; readonly end?: number | undefined }>(all: readonly T[] = []): T[] =>
    all.flatMap((one) => {
      if (one.start === undefined || one.end === undefined) return [one]
      const [start, end] = [Math.max(0, one.start - from), Math.min(length, one.end - from)]
      return end > start ? [{ ...one, start, end }] : []
    })
  return { graph: { entities: own(graph.entities), relations: own(graph.relations) } }
}

/** An id that is too long ends in a fingerprint of the complete id. */
function fitId(id: string): string {
  if (Buffer.byteLength(id) <= MAX_ID) return id
  const mark = `~${createHash('sha256').update(id).digest('hex').slice(0, 16)}`
  let kept = id
  while (Buffer.byteLength(kept) + mark.length > MAX_ID) kept = [...kept].slice(0, -1).join('')
  return kept + mark
}
