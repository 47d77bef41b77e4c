/**
 * The filter without a model: how much of the question a text of any layer answers, on one scale. It adds the text's keyword score, as a share of
 * the best passage's, and its cosine as contrast over all candidates, at a small weight, since keywords can be trusted further than an unknown
 * embedding.
 */
import { discriminativeTerms, lexical, type Weighted } from '../../channels/lexical'
import { contrast } from '../../channels/order'
import type { GraphReader } from '../../graph/reader'
import type { Hit } from '../../graph/types'
import type { Query } from '../../strategy'
import { terms } from '../../text/terms'

const WEIGHT = 0.3 // of the cosine's contrast
const K1 = 1.2 // of BM25; a text counts as long as the average passage

export interface QuestionMatches {
  /** Passages that match, best first by BM25. */
  readonly matches: readonly Hit[]
  readonly words: readonly Weighted[]
  /** BM25 of the best passage; 1 if none matches. */
  readonly best: number
}

export function matchQuestion(graph: GraphReader, query: Query, limit: number): QuestionMatches {
  const words = discriminativeTerms(graph, query.terms)
  const matches = lexical(graph, query, limit, words)
  return { matches, words, best: matches[0]?.score || 1 }
}

/** As a share of the best passage's score. */
export function keywordShare(text: string, { words, best }: QuestionMatches): number {
  if (words.length === 0) return 0
  const counts = new Map<string, number>()
  for (const term of terms(text)) counts.set(term, (counts.get(term) ?? 0) + 1)
  let score = 0
  for (const { term, idf } of words) {
    const count = counts.get(term) ?? 0
    score += (idf * count * (K1 + 1)) / (count + K1)
  }
  return score / best
}

/** Combines keyword shares and cosines. */
export function relevance(shares: ReadonlyMap<string, number>, near: readonly Hit[]): Map<string, number> {
  const out = new Map(shares)
  for (const [id, score] of contrast(near)) out.set(id, (out.get(id) ?? 0) + WEIGHT * score)
  return out
}
