/**
 * Cuts a document into chunks, passages and units, all with exact offsets. Units are sentences; passages pack whole sentences; chunks pack whole
 * passages and repeat up to `overlap` tokens of the chunk before, from a sentence border on. Passages and units lie in a chunk's own part and tile
 * the document's non-blank text. Borders depend on the text around them, not only on what came before (passages prefer to end with a paragraph,
 * chunks where a hash of the text says), so that after an edit the later chunks are soon the same again and keep their ids and vectors.
 */
import { canonicalJson } from '../canonical-json'
import type { Brought, Chunk, Json, PassageSpan, Placed, Span, UnitSpan } from '../graph/types'
import { nodeId, passageId, unitId } from '../ids'
import { type SentGraph, shareOut } from './brought'
import { chunkRanges } from './chunk-ranges'
import { type Stemmed, stemmedLike } from './languages'
import { leadPhrase } from './lead'
import { type Packed, passageRanges } from './passage-ranges'
import { countTokens } from './tokens'
import { type Comparison, topicShifts } from './topic-shifts'

export interface ChunkSettings {
  /** Tokens per chunk. */
  readonly chunk: number
  /** Tokens repeated from the chunk before. */
  readonly overlap: number
  /** Tokens per passage. */
  readonly passage: number
  /** Where passages and chunks end, within these sizes: where the topic changes; if absent, by length and paragraphs. */
  readonly method?: 'topic'
}

export interface Divided {
  readonly name: string
  /** In reading order, one for each place; equal chunks are repeated. */
  readonly chunks: readonly Chunk[]
  /** Where each of `chunks` begins. */
  readonly placed: readonly Placed[]
}

interface Dividable {
  readonly title: string
  readonly text: string
  /** Code of its language (languages.ts); absent: not known. */
  readonly language?: string | null | undefined
  /** What it brings from another graph. */
  readonly brought?: SentGraph | undefined
}

/** `compare`: how topics are told apart, if the settings divide by topic. */
export function divide(document: Dividable, settings: ChunkSettings, compare?: Comparison): Divided {
  const { title, text } = document
  const language = stemmedLike(document.language ?? undefined)
  const overlap = Math.max(0, Math.min(settings.overlap, Math.floor(settings.chunk / 2)))
  const limits = { own: settings.chunk - overlap, whole: settings.chunk, overlap }
  const name = title.trim() || leadPhrase(text)
  const shiftsOf = (spans: readonly Span[]): number[] => topicShifts(text, spans, language, compare)
  const packed = passageRanges(text, Math.max(1, Math.min(settings.passage, limits.own)), settings.method && shiftsOf)
  const placed: Placed[] = []
  const ranges = chunkRanges(text, packed, limits)
  const shares = document.brought ? shareOut(document.brought, sayings(text, packed, ranges)) : []
  const chunks = ranges.map((range, i) => {
    const chunk = made(text, packed, { ...range, title, name, language, method: settings.method, brought: shares[i] })
    placed.push({ chunk: chunk.id, start: range.start })
    return chunk
  })
  return { name, chunks, placed }
}

function sayings(text: string, { passages, sentences }: Packed, ranges: readonly { readonly first: number; readonly last: number }[]) {
  return ranges.map(({ first, last }) => {
    const inside = sentences.slice(passages[first]?.first, passages[last - 1]?.last)
    const texts = inside.map(({ start, end }) => text.slice(start, end))
    return { start: inside[0]?.start ?? 0, end: inside.at(-1)?.end ?? 0, sentences: texts }
  })
}

interface Making {
  readonly title: string
  readonly name: string
  /** Where the chunk's text begins in the document: at or before its first passage. */
  readonly start: number
  /** Passages `first` up to, not including, `last`. */
  readonly first: number
  readonly last: number
  readonly language: Stemmed | undefined
  readonly method: ChunkSettings['method']
  readonly brought: Brought | undefined
}

function made(text: string, packed: Packed, { title, name, start, first, last, language, method, brought }: Making): Chunk {
  const ranges = packed.passages.slice(first, last)
  const sentences = (range: { readonly first: number; readonly last: number }): readonly Span[] =>
    packed.sentences.slice(range.first, range.last)
  const spans = ranges.map((range) => {
    const inside = sentences(range)
    return { start: (inside[0]?.start ?? 0) - start, end: (inside[inside.length - 1]?.end ?? 0) - start }
  })
  const own = spans[0]?.start ?? 0
  const slice = text.slice(start, start + (spans[spans.length - 1]?.end ?? 0))
  // Divided by topic, the same text may have other passages in another document: they are part of its identity.
  const borders = method ? [`${method} ${spans.map((span) => span.start)}`] : []
  const graph = brought ? [`brought ${canonicalJson(brought as unknown as Json)}`] : []
  const id = nodeId('chunk', title, name, slice, own, ...(language ? [language] : []), ...borders, ...graph)
  const passages: PassageSpan[] = spans.map((span, i) => ({
    ...span,
    id: passageId(id, i),
    tokens: countTokens(slice.slice(span.start, span.end)),
  }))
  const units: UnitSpan[] = []
  for (const [passage, range] of ranges.entries()) {
    for (const span of sentences(range)) {
      units.push({ start: span.start - start, end: span.end - start, id: unitId(id, units.length), passage })
    }
  }
  const marks = { ...(language ? { language } : {}), ...(brought ? { brought } : {}) }
  return { id, title, name, text: slice, tokens: countTokens(slice), own, passages, units, ...marks }
}
