/** Baseline: BM25 over passages, nothing else. What a graph must beat if question and text share words. */

import { discriminativeTerms, lexical } from '../../channels/lexical'
import type { Strategy } from '../../strategy'

export const keyword: Strategy = {
  name: 'keyword',
  isRanking: true,
  omits: ['names', 'vectors', 'homes'],
  builders: [],
  entries: [],
  retrieve(graph, query, _scores, options) {
    const terms = discriminativeTerms(graph, query.terms)
    const found = lexical(graph, query, options.topK, terms).map((hit) => ({ ...hit, via: 'keyword' }))
    return { kind: 'evidence', found, ...(options.trace ? { trace: { terms: terms.map((one) => ({ ...one })) } } : {}) }
  },
}
