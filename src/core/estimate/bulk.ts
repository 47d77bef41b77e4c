/** What documents amount to once divided: counted as they will be embedded, with the titles and names put before them. Pure. */
import type { SentGraph } from '../text/brought'
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
  /** Of these, in chunks whose entities and relations come with their documents: no model looks for them. */
  readonly brought: Share
}

type Share = Pick<Bulk, 'chunks' | 'tokens' | 'names'>

export interface Counted {
  readonly title?: string | null | undefined
  readonly text: string
  /** What comes with it from another graph. */
  readonly brought?: SentGraph | undefined
}

/** What is left for models to look for entities and relations in. */
export function unread({ brought, ...bulk }: Bulk): Bulk {
  const left = {
    chunks: bulk.chunks - brought.chunks,
    tokens: Math.max(0, bulk.tokens - brought.tokens),
    names: bulk.names - brought.names,
  }
  return { ...bulk, ...left, brought: { chunks: 0, tokens: 0, names: 0 } }
}

export function bulkOf(documents: readonly Counted[], chunking: ChunkSettings): Bulk {
  const share = { chunks: 0, tokens: 0, names: 0 }
  const bulk = { tokens: 0, chunks: 0, passages: 0, passageTokens: 0, sentences: 0, sentenceTokens: 0, names: 0 }
  for (const { title, text, brought } of documents) {
    bulk.tokens += countTokens(text)
    for (const chunk of divide({ title: title ?? '', text, brought }, chunking).chunks) {
      const counted = (before: string, spans: readonly { readonly start: number; readonly end: number }[]): number => {
        const head = before === '' ? 0 : countTokens(before)
        return spans.reduce((sum, { start, end }) => sum + head + countTokens(chunk.text.slice(start, end)), 0)
      }
      const names = countNames(chunk)
      bulk.chunks++
      bulk.names += names
      if (chunk.brought) {
        share.chunks++
        share.names += names
        share.tokens += countTokens(chunk.text.slice(chunk.own))
      }
      bulk.passages += chunk.passages.length
      bulk.passageTokens += counted(chunk.title ? `${chunk.title}\n` : '', chunk.passages)
      bulk.sentences += chunk.units.length
      bulk.sentenceTokens += counted(chunk.name ? `${chunk.name}: ` : '', chunk.units)
    }
  }
  return { ...bulk, brought: share }
}
