/** Passages and units as parts of their chunk: how an id of one becomes its text. Shared by every implementation of the reader. */
import { chunkOf, ordinalOf, passageId, unitId } from '../ids'
import type { TextNode } from './reader'
import type { Chunk, ChunkVectors, Vector } from './types'

/** Reads a part out of its chunk; undefined when the chunk has no such part. */
export function partOf(chunk: Chunk, id: string): TextNode | undefined {
  const ordinal = ordinalOf(id)
  if (id === passageId(chunk.id, ordinal)) return passage(chunk, ordinal)
  if (id === unitId(chunk.id, ordinal)) return unit(chunk, ordinal)
  return undefined
}

/** A part's vector; undefined when there is no such part, or when it has no vector. */
export function vectorOf(vectors: ChunkVectors, id: string): Vector | undefined {
  const ordinal = ordinalOf(id)
  const chunk = chunkOf(id)
  if (id === passageId(chunk, ordinal)) return vectors.passages[ordinal]
  if (id === unitId(chunk, ordinal)) return vectors.units[ordinal]
  return undefined
}

/** What no chunk before it holds; all of its text if that is nothing. */
export function ownText({ text, own }: Chunk): string {
  return text.slice(own).trim() || text
}

export function passageText(chunk: Chunk, ordinal: number): string {
  const span = chunk.passages[ordinal]
  return span ? chunk.text.slice(span.start, span.end) : ''
}

function passage(chunk: Chunk, ordinal: number): TextNode | undefined {
  const span = chunk.passages[ordinal]
  if (!span) return undefined
  const { start, end, tokens } = span
  return {
    id: passageId(chunk.id, ordinal),
    kind: 'passage',
    chunk: chunk.id,
    ordinal,
    start,
    end,
    text: chunk.text.slice(start, end),
    tokens,
  }
}

/** A unit's tokens are its share of its passage's tokens: sentences are not counted one by one. */
function unit(chunk: Chunk, ordinal: number): TextNode | undefined {
  const span = chunk.units[ordinal]
  if (!span) return undefined
  const { start, end } = span
  const whole = chunk.passages[span.passage]
  const share = whole ? (whole.tokens * (end - start)) / Math.max(1, whole.end - whole.start) : 0
  const text = chunk.text.slice(start, end)
  return { id: unitId(chunk.id, ordinal), kind: 'unit', chunk: chunk.id, ordinal, start, end, text, tokens: Math.max(1, Math.round(share)) }
}
