/**
 * Texts to vectors for other uses: of unit length, as the model gave them. A text longer than the model's window is embedded in windows,
 * and its vector is the mean of theirs, as for a document (embed.ts).
 */
import type { Spent } from '../contract/usage'
import type { CallOptions, Models } from '../ports/models'
import type { Allowance } from './allowance'
import { embeddingBound } from './call-bounds'
import { invalid } from './faults'
import { splitByWindow } from './windows'

export interface EmbeddedFloats {
  readonly vectors: readonly Float32Array[]
  readonly spent: Spent
  readonly calls: number | undefined
}

/** Undefined: what is left of a ceiling does not cover it. Rejects as the model does. */
export async function embedCovered(models: Models, allowance: Allowance, texts: readonly string[]): Promise<EmbeddedFloats | undefined> {
  const call = await allowance.begin('embeddings', embeddingBound(...texts))
  if (!call) return undefined
  try {
    const embedded = await embedAsFloats(models, texts, { mayRepeat: call.mayRepeat })
    call.paid(embedded.spent, embedded.calls)
    return embedded
  } catch (error) {
    call.failed(error)
    throw error
  }
}

/** Rejects with `invalid` if the model has no vector for a text. */
async function embedAsFloats(models: Models, texts: readonly string[], options: CallOptions): Promise<EmbeddedFloats> {
  const { dimensions, window } = models.embedding
  const windows = texts.map((text) => splitByWindow(text, window).filter((piece) => /\S/.test(piece)))
  const { vectors, spent, calls } = await models.embed(windows.flat(), options)
  let at = 0
  return {
    spent,
    calls,
    vectors: windows.map(({ length }) => {
      const own = vectors.slice(at, at + length)
      at += length
      if (own.length < length || own.some((one) => one.length !== dimensions)) throw invalid()
      return meanOf(own.map(unit), dimensions)
    }),
  }
}

function meanOf(vectors: readonly Float32Array[], dimensions: number): Float32Array {
  const [first] = vectors
  if (vectors.length === 1 && first) return first
  return unit(Float32Array.from({ length: dimensions }, (_, i) => vectors.reduce((sum, one) => sum + (one[i] ?? 0), 0)))
}

function unit(vector: ArrayLike<number>): Float32Array {
  const out = Float32Array.from(vector)
  const length = Math.hypot(...out)
  return length > 0 ? out.map((one) => one / length) : out
}
