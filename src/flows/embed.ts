/**
 * Texts to quantised vectors. A text longer than the model's window is embedded in windows; its vector is the normalised mean of theirs.
 * The same text twice in one call is embedded once; a blank text gets the zero vector and costs nothing.
 */
import type { Spent } from '../contract/usage'
import type { Vector } from '../core/graph/types'
import { mean, quantize } from '../core/vectors'
import { aiLimits } from '../platform-limits'
import type { CallOptions, Models } from '../ports/models'
import { invalid } from './faults'
import { splitByWindow } from './windows'

export const embedding = {
  slice: 1200, // windows held as floats at once: 10 MB at 1,024 dimensions
} as const

export interface Embedded {
  readonly vectors: readonly Vector[]
  /** Indices of texts for which the model gave no usable vector: they are zeros. */
  readonly refused: readonly number[]
  readonly spent: Spent
  readonly calls: number
}

/** Rejects with `invalid` if any text is refused. */
export async function embedTexts(models: Models, texts: readonly string[], options?: CallOptions): Promise<Embedded> {
  const embedded = await embedAcceptable(models, texts, options)
  if (embedded.refused.length > 0) throw invalid()
  return embedded
}

/** The same, with each text separate. */
export async function embedAcceptable(models: Models, texts: readonly string[], options?: CallOptions): Promise<Embedded> {
  const { dimensions, window } = models.embedding
  const pieces: string[] = []
  const placeOf = new Map<string, { readonly from: number; readonly to: number }>()
  for (const text of texts) {
    if (placeOf.has(text) || isBlank(text)) continue
    const from = pieces.length
    for (const piece of splitByWindow(text, window)) if (!isBlank(piece)) pieces.push(piece)
    placeOf.set(text, { from, to: pieces.length })
  }
  const quantised: (Vector | null)[] = []
  let [embedded, calls] = [0, 0]
  for (let at = 0; at < pieces.length; at += embedding.slice) {
    const slice = pieces.slice(at, at + embedding.slice)
    const reply = await models.embed(slice, options)
    for (const vector of reply.vectors) quantised.push(vector.length === dimensions ? quantize(vector) : null)
    embedded += reply.spent.embedded
    calls += reply.calls ?? Math.ceil(slice.length / aiLimits.maxEmbeddingTexts)
  }
  const refused: number[] = []
  const vectors = texts.map((text, i) => {
    const place = placeOf.get(text)
    if (!place) return new Int8Array(dimensions)
    const own = quantised.slice(place.from, place.to).filter((one) => one !== null)
    if (own.length < place.to - place.from) refused.push(i)
    return own.length === 1 && own[0] ? own[0] : mean(own, dimensions)
  })
  return { vectors, refused, spent: { in: 0, out: 0, embedded }, calls }
}

function isBlank(text: string): boolean {
  return !/\S/.test(text)
}
