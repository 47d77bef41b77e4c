/** What Clue-RAG's ablations put in the place of a step: which chunks the model reads is left to chance; the reranker's order is mixed with that of another walk. */
import { ranked, shares } from '../../src/core/channels/order'
import type { Chunk } from '../../src/core/graph/types'
import { random } from '../../src/core/random'
import { cluerag } from '../../src/core/strategies/cluerag/cluerag'
import type { ChunkValues } from '../../src/core/strategies/cluerag/values'
import type { Strategy } from '../../src/core/strategy'

const lot = (chunk: Chunk): number => random(chunk.id).next()

export const byChance: ChunkValues = { onArrival: lot, ofAll: (_, chunks) => chunks.map(lot) }

/** The paper orders passages by the reranker alone; here `weight` of the order is the reranker's, the rest that of the walk by words. */
export function blended(weight: number): Strategy {
  return {
    ...cluerag,
    name: `blended ${weight}`,
    retrieve(graph, query, scores, options, settings) {
      const read = cluerag.retrieve(graph, query, scores, { ...options, own: { ...options.own, scorer: 'reranker' } }, settings)
      if (read.kind !== 'evidence') return read
      const walked = cluerag.retrieve(graph, query, scores, { ...options, own: { ...options.own, scorer: 'lexical', depth: 2 } }, settings)
      if (walked.kind !== 'evidence') return walked
      const sum = new Map<string, number>()
      for (const [part, found] of [
        [weight, read.found],
        [1 - weight, walked.found],
      ] as const) {
        for (const [id, share] of shares(found)) sum.set(id, (sum.get(id) ?? 0) + part * share)
      }
      return { kind: 'evidence', found: ranked(sum).map((hit) => ({ ...hit, via: 'path' })) }
    },
  }
}
