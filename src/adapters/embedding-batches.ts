/** How texts are divided among the calls of a model. */
import { countTokens } from '../core/text/tokens'
import { aiLimits } from '../platform-limits'

const COUNTED = 0.8 // of what a call may have is filled: vocabularies differ from our estimate by up to a fifth

/** In order, as many texts to a call as it may have, by number and by tokens. Windows that cannot add up to too much are not counted. */
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
