/** Baseline: keyword and vector, added (`channels/fused.ts`). Equal-weight rank fusion lowers recall wherever one channel is weak, because it trusts rank 1 of both alike. */
import { dense } from '../../channels/dense'
import { fusedLimits, fusedScores } from '../../channels/fused'
import { lexical } from '../../channels/lexical'
import { ranked } from '../../channels/order'
import type { Strategy } from '../../strategy'

const CANDIDATES = 100 // of each channel
/** Of the vector channel, at most. */
export const HYBRID_WEIGHT = fusedLimits.vector

export const hybrid: Strategy = {
  name: 'hybrid',
  builders: [],
  entries: [{ kind: 'passage', k: CANDIDATES }],
  retrieve(graph, query, _scores, options) {
    const words = lexical(graph, query, CANDIDATES)
    const via = (id: string): string => (words.some((hit) => hit.id === id) ? 'keyword + vector' : 'vector')
    const found = ranked(fusedScores(words, dense(graph, query, words))).slice(0, options.topK)
    return { kind: 'evidence', found: found.map((hit) => ({ ...hit, via: via(hit.id) })) }
  },
}
