/** How texts are divided among the calls of a model. */
import { countTokens } from '../core/text/tokens'
import { aiLimits } from '../platform-limits'

const COUNTED = 0.8 // of a call's limit is used: vocabularies deviate from our estimate by up to a fifth

/**
 * In order, as many texts per call as are allowed, by number and by tokens. Tokens are not counted if the windows cannot exceed the limit.
 */
export function embeddingBatches(texts: readonly string[], window: number): readonly (readonly string[])[] {
  const { maxEmbeddingTexts, maxEmbeddingTokens } = aiLimits
  if (window * maxEmbeddingTexts <= maxEmbeddingTokens) return slices(texts, maxEmbeddingTexts)
  const room = maxEmbeddingTokens * COUNTED
  const batches: string[][] = []
  let left = 0
  for (const text of texts) {
    const tokens = countTokens(text)
    const last = batches.at(-1)
    if (last && last.length < maxEmbeddingTexts && tokens <= left) last.push(text)
    else {
      batches.push([text])
      left = room
    }
    left -= tokens
  }
  return batches
}

export function slices<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))
}
