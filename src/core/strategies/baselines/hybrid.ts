/**
 * Baseline: keyword and vector scores, added. Keyword scores count as shares of the best, with what a long document says as a whole; cosines as contrast
 * over the candidates, at a lower weight. Equal-weight rank fusion lowers recall wherever one channel is weak, because it trusts rank 1 of both alike; here the vector channel
 * settles what BM25 leaves open and cannot overturn a clear keyword winner.
 */
import { dense } from '../../channels/dense'
import { documentWords } from '../../channels/document-words'
import { lexical } from '../../channels/lexical'
import { contrast, ranked, shares } from '../../channels/order'
import type { GraphReader } from '../../graph/reader'
import type { Hit } from '../../graph/types'
import type { Query, Strategy } from '../../strategy'

const CANDIDATES = 100 // from each channel
export const HYBRID_WEIGHT = 0.7 // of the vector channel: below the gap between a clear keyword winner and the next; recall on seven sets is flat from .7 to 1 and falls below that

export const hybrid: Strategy = {
  name: 'hybrid',
  isRanking: true,
  omits: ['names'],
  builders: [],
  entries: [{ kind: 'passage', k: CANDIDATES }],
  retrieve(graph, query, _scores, options) {
    const words = lexical(graph, query, CANDIDATES)
    const via = (id: string): string => (words.some((hit) => hit.id === id) ? 'keyword + vector' : 'vector')
    const found = hybridRanking(graph, query, words, documentWords(graph, words)).slice(0, options.topK)
    return { kind: 'evidence', found: found.map((hit) => ({ ...hit, via: via(hit.id) })) }
  },
}

/** Passages found by keyword and those near by vector, best first. `said`: what more the words say for a passage. */
export function hybridRanking(
  graph: GraphReader,
  query: Query,
  words: readonly Hit[],
  said: ReadonlyMap<string, number> = new Map(),
): readonly Hit[] {
  const scores = shares(words)
  for (const [id, score] of said) scores.set(id, (scores.get(id) ?? 0) + score)
  for (const [id, score] of contrast(dense(graph, query, words))) scores.set(id, (scores.get(id) ?? 0) + HYBRID_WEIGHT * score)
  return ranked(scores)
}
