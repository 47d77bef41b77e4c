/**
 * More of a document than the passage that was found: the passages beside it, its chunk, or all of it. Put together from the document's chunks, which lie over one
 * another at their borders, so that it is the document's text letter for letter; where they do not (a very long sentence), it ends there. Reads what it shows.
 */
import type { GraphReader } from './graph/reader'
import type { Chunk, Placed } from './graph/types'

/** A stretch of a document's text. */
export interface Run {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly tokens: number
}

/** A chunk where it is in a document. */
export interface ChunkPlace extends Placed {
  readonly document: string
}

interface Piece {
  readonly chunk: Chunk
  readonly start: number
}

/** The text with up to so many passages before it and after it; undefined where there are none. */
export function withNeighbours(
  graph: GraphReader,
  place: ChunkPlace,
  span: { readonly start: number; readonly end: number },
  count: number,
): Run | undefined {
  const { placed, at } = locate(graph, place)
  if (at < 0) return undefined
  const pieces = new Map<number, Piece>()
  const piece = (index: number) => pieceOf(graph, placed, index, pieces)
  let { start, end } = span
  let [first, last] = [at, at]
  let tokens = 0
  for (let found = 0, index = at; found < count && index >= 0; index--) {
    for (const passage of [...passagesOf(piece(index))].reverse()) {
      if (found === count || passage.end > start) continue
      found++
      ;({ start } = passage)
      first = index
      tokens += passage.tokens
    }
  }
  for (let found = 0, index = at; found < count && index < placed.length; index++) {
    for (const passage of passagesOf(piece(index))) {
      if (found === count || passage.start < end) continue
      found++
      ;({ end } = passage)
      last = index
      tokens += passage.tokens
    }
  }
  if (tokens === 0) return undefined
  const text = textBetween(
    Array.from({ length: last - first + 1 }, (_, i) => piece(first + i)),
    start,
    end,
  )
  return text === undefined ? undefined : { start, end, text, tokens }
}

/** As much of the document around a chunk as has room: what follows first, then what stands before, chunk by chunk. */
export function documentAround(graph: GraphReader, place: ChunkPlace, room: number): Run | undefined {
  const { placed, at } = locate(graph, place)
  const pieces = new Map<number, Piece>()
  const piece = (index: number) => pieceOf(graph, placed, index, pieces)
  const middle = at < 0 ? undefined : piece(at)
  if (!middle || middle.chunk.tokens > room) return undefined
  let [first, last, tokens] = [at, at, middle.chunk.tokens]
  const fits = (index: number, joined: readonly [number, number]): boolean => {
    const next = piece(index)
    const [before, after] = joined.map(piece)
    if (!next || !before || !after || before.start + before.chunk.text.length < after.start || tokens + next.chunk.tokens > room)
      return false
    tokens += next.chunk.tokens
    return true
  }
  while (fits(last + 1, [last, last + 1])) last++
  while (fits(first - 1, [first - 1, first])) first--
  const [head, tail] = [piece(first), piece(last)]
  if (!head || !tail) return undefined
  const end = tail.start + tail.chunk.text.length
  const text = textBetween(
    Array.from({ length: last - first + 1 }, (_, i) => piece(first + i)),
    head.start,
    end,
  )
  return text === undefined ? undefined : { start: head.start, end, text, tokens }
}

/** Where the chunk stands among the document's. */
function locate(graph: GraphReader, { document, chunk, start }: ChunkPlace): { readonly placed: readonly Placed[]; readonly at: number } {
  const placed = graph.document(document)?.chunks ?? []
  return { placed, at: placed.findIndex((one) => one.chunk === chunk && one.start === start) }
}

function pieceOf(graph: GraphReader, placed: readonly Placed[], index: number, known: Map<number, Piece>): Piece | undefined {
  const before = known.get(index)
  if (before) return before
  const one = placed[index]
  const chunk = one && graph.chunk(one.chunk)
  if (!one || !chunk) return undefined
  const piece = { chunk, start: one.start }
  known.set(index, piece)
  return piece
}

function passagesOf(piece: Piece | undefined): readonly { readonly start: number; readonly end: number; readonly tokens: number }[] {
  return piece?.chunk.passages.map(({ start, end, tokens }) => ({ start: piece.start + start, end: piece.start + end, tokens })) ?? []
}

/** Undefined where something between two chunks is in neither. */
function textBetween(pieces: readonly (Piece | undefined)[], start: number, end: number): string | undefined {
  let text = ''
  for (const piece of pieces) {
    const from = start + text.length
    if (!piece || piece.start > from) return undefined
    text += piece.chunk.text.slice(from - piece.start, Math.max(0, end - piece.start))
  }
  return start + text.length === end ? text : undefined
}
