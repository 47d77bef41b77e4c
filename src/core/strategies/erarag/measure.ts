/**
 * One measure for every node of the collapsed tree, so that a passage and a summary can be ranked side by side: its keyword score as a share of the
 * best passage's, and its cosine as contrast over all candidates, at a small weight. The paper ranks by cosine alone; with weak embeddings that
 * loses to plain keywords, and without embeddings it has no answer.
 */
import { discriminativeTerms, lexical, type Weighted } from '../../channels/lexical'
import { contrast } from '../../channels/order'
import type { GraphReader, Search, ToldSummary } from '../../graph/reader'
import type { GraphNode, Hit } from '../../graph/types'
import type { Query } from '../../strategy'
import { terms } from '../../text/terms'
import { cosine } from '../../vectors'

export const measureWeights = {
  vector: 0.7, // as in `hybrid`: it settles what keywords leave open and cannot overturn a clear keyword winner
  k1: 1.2, // of BM25; a summary counts as long as the average passage, and is made to be about that long
} as const

export interface Measured {
  /** Passages that match, best first by BM25. */
  readonly matches: readonly Hit[]
  readonly words: readonly Weighted[]
  /** BM25 of the best passage; 1 if none matches. */
  readonly best: number
}

export function matchKeywords(graph: GraphReader, query: Query, limit: number, search?: Search): Measured {
  const words = discriminativeTerms(graph, query.terms)
  const matches =
    search && words.length > 0
      ? search(
          words.map((one) => one.term),
          limit,
        )
      : lexical(graph, query, limit, words)
  return { matches, words, best: matches[0]?.score || 1 }
}

/** What a text would score if it were in the passages' keyword index. */
export function keywordScore(text: string, words: readonly Weighted[]): number {
  return words.length === 0 ? 0 : scored(countsOf(terms(text)), words)
}

/** The same for a summary, of which whoever has it may have counted the words. */
export function summaryScore({ node, said }: Pick<ToldSummary, 'node' | 'said'>, words: readonly Weighted[]): number {
  const counts = said && new Map(said)
  return counts && words.every(({ term }) => counts.has(term)) ? scored(counts, words) : keywordScore(node.text, words)
}

/** How often a text has each of these. */
export function timesSaid(text: string, asked: readonly string[]): NonNullable<ToldSummary['said']> {
  const counts = countsOf(terms(text))
  return asked.map((term) => [term, counts.get(term) ?? 0])
}

function countsOf(all: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const term of all) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

function scored(counts: ReadonlyMap<string, number>, words: readonly Weighted[]): number {
  let score = 0
  for (const { term, idf } of words) {
    const count = counts.get(term) ?? 0
    score += (idf * count * (measureWeights.k1 + 1)) / (count + measureWeights.k1)
  }
  return score
}

/** How near a summary is to the question: by its text's vector, or while that is missing by its members' mean. */
export function nearness(query: Query, node: GraphNode): number {
  const vector = node.vector ?? node.sum
  return query.vector && vector ? cosine(query.vector, vector) : 0
}

/** Relevance by id. `words` are keyword scores, `near` cosines; what is in only one of them counts by that alone. */
export function relevance(words: ReadonlyMap<string, number>, near: readonly Hit[], best: number): Map<string, number> {
  const out = new Map([...words].map(([id, score]) => [id, score / best] as const))
  for (const [id, score] of contrast(near)) out.set(id, (out.get(id) ?? 0) + measureWeights.vector * score)
  return out
}
