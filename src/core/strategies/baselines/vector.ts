/**
 * Baseline: passages by the cosine of their embedding with the question's, nothing else.
 * Without entry points it compares the keyword channel's passages; without a question vector it answers by keywords, and says so.
 */
import { dense } from '../../channels/dense'
import { lexical } from '../../channels/lexical'
import type { Strategy } from '../../strategy'

const ENTRIES = 100 // passages requested from the vector index: the most evidence a call may return

export const vector: Strategy = {
  name: 'vector',
  isRanking: true,
  omits: ['names', 'homes'],
  builders: [],
  entries: [{ kind: 'passage', k: ENTRIES }],
  retrieve(graph, query, _scores, options) {
    const near = dense(graph, query, [])
    const stand = near.length > 0 ? [] : lexical(graph, query, ENTRIES)
    const hits = near.length > 0 ? near : dense(graph, query, stand)
    const found = hits.length > 0 ? hits : stand
    const via = near.length > 0 ? 'vector' : hits.length > 0 ? 'vector over keyword' : 'keyword'
    return { kind: 'evidence', found: found.slice(0, options.topK).map((hit) => ({ ...hit, via })) }
  },
}
