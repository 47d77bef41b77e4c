/** What documents amount to once divided: counted as they will be embedded, with the titles and names put before them. Pure. */
import type { ChunkSettings } from '../text/divide'
import { divide } from '../text/divide'
import { countTokens } from '../text/tokens'
import { countNames } from './names'

export interface Bulk {
  /** Of the texts themselves. */
  readonly tokens: number
  readonly chunks: number
  readonly passages: number
  readonly passageTokens: number
  readonly sentences: number
  readonly sentenceTokens: number
  /** Different names of each chunk. */
  readonly names: number
}

export function bulkOf(
  documents: readonly { readonly title?: string | null | undefined; readonly text: string }[],
  chunking: ChunkSettings,
): Bulk {
  const bulk = { tokens: 0, chunks: 0, passages: 0, passageTokens: 0, sentences: 0, sentenceTokens: 0, names: 0 }
  for (const { title, text } of documents) {
    bulk.tokens += countTokens(text)
    for (const chunk of divide({ title: title ?? '', text }, chunking).chunks) {
      const counted = (before: string, spans: readonly { readonly start: number; readonly end: number }[]): number => {
        const head = before === '' ? 0 : countTokens(before)
        return spans.reduce((sum, { start, end }) => sum + head + countTokens(chunk.text.slice(start, end)), 0)
      }
      bulk.chunks++
      bulk.names += countNames(chunk)
      bulk.passages += chunk.passages.length
      bulk.passageTokens += counted(chunk.title ? `${chunk.title}\n` : '', chunk.passages)
      bulk.sentences += chunk.units.length
      bulk.sentenceTokens += counted(chunk.name ? `${chunk.name}: ` : '', chunk.units)
    }
  }
  return bulk
}
