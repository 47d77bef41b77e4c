/**
 * How much a chunk deserves the model: the more it resembles the others, the more its sentences need their context (the paper's intuition). On
 * arrival only one running sum is known, so `bleu` decides by cosine then, and by BLEU when everything is selected again.
 */
import { selfBleu } from '../../algorithms/bleu'
import type { GraphReader } from '../../graph/reader'
import type { Chunk, Vector } from '../../graph/types'
import { words } from '../../text/terms'
import { dot, norm } from '../../vectors'
import type { ClueSettings } from './settings'

const BLEU_TOKENS = 2_000_000 // of the corpus; beyond that its n-grams no longer fit in the object's memory, and cosine serves

/** How chunks are valued. */
export interface ChunkValues {
  /** A chunk that arrives, by what is known then. */
  readonly onArrival: typeof arrivalValue
  /** All chunks, in their order. */
  readonly ofAll: typeof values
}

export const chunkValues: ChunkValues = { onArrival: arrivalValue, ofAll: values }

/** Mean cosine to the other chunks, (e·Σe − 1)/n. At least 0. */
function arrivalValue(_chunk: Chunk, vector: Vector | undefined, all: { readonly sum: Int32Array; readonly chunks: number }): number {
  const own = vector ? norm(vector) : 0
  if (!vector || own === 0 || all.chunks < 2) return 0
  return Math.max(0, (dot(vector, all.sum) / own ** 2 - 1) / all.chunks)
}

function values(graph: GraphReader, chunks: readonly Chunk[], sum: Int32Array, by: ClueSettings['selector']): readonly number[] {
  const tokens = chunks.reduce((total, chunk) => total + chunk.tokens, 0)
  if (by === 'bleu' && tokens <= BLEU_TOKENS)
    return selfBleu(chunks.map((chunk) => words(chunk.text.toLowerCase()).map((word) => word.text)))
  return chunks.map((chunk) => arrivalValue(chunk, graph.vector(chunk.id), { sum, chunks: chunks.length }))
}
