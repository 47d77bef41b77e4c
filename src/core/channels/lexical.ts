/**
 * The keyword channel: BM25 over passages for the informative terms. Shared by every strategy that asks lexically, so that "keyword" means one thing. Reads
 * the graph, decides nothing else.
 */
import type { GraphReader } from '../graph/reader'
import type { Hit } from '../graph/types'
import type { Query } from '../strategy'

export const lexicalLimits = {
  common: 0.25, // share of passages beyond which a term no longer tells passages apart: its idf is below ln 4, and its posting list is the cost of the search
  terms: 32, // rarest terms kept: a pasted page as a question must not read the whole index
} as const

export interface Weighted {
  readonly term: string
  /** Passages it occurs in. */
  readonly frequency: number
  /** ln(1 + (N − f + ½)/(f + ½)), the idf of BM25. */
  readonly idf: number
}

/** The question's terms that occur at all, with their idf; the common ones go when rarer ones exist. In the question's order. */
export function discriminativeTerms(graph: GraphReader, terms: readonly string[]): readonly Weighted[] {
  const passages = graph.count('passage')
  const frequencies = graph.frequency(terms)
  const known = terms.flatMap((term, i): Weighted[] => {
    const frequency = frequencies[i] ?? 0
    return frequency > 0 ? [{ term, frequency, idf: idf(passages, frequency) }] : []
  })
  const rare = known.filter((one) => one.frequency <= lexicalLimits.common * passages)
  const kept = rare.length > 0 ? rare : known
  if (kept.length <= lexicalLimits.terms) return kept
  const order = [...kept].sort((a, b) => a.frequency - b.frequency || (a.term < b.term ? -1 : 1))
  const rarest = new Set(order.slice(0, lexicalLimits.terms).map((one) => one.term))
  return kept.filter((one) => rarest.has(one.term))
}

export function idf(passages: number, frequency: number): number {
  return Math.log(1 + Math.max(0, passages - frequency + 0.5) / (frequency + 0.5))
}

/** Passages the caller may see, best first, by BM25. At most `limit`. */
export function lexical(graph: GraphReader, query: Query, limit: number, terms = discriminativeTerms(graph, query.terms)): readonly Hit[] {
  if (terms.length === 0) return []
  const words = terms.map((one) => one.term)
  return graph.match(words, limit, query.admits)
}
