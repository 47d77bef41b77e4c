/** What Clue-RAG's ablations put in the place of a step: which chunks the model reads is left to chance; the reranker's order is mixed with that of another walk. */
import { byScore, ranked, shares } from '../../src/core/channels/order'
import { pairKey } from '../../src/core/channels/scorers'
import type { GraphReader } from '../../src/core/graph/reader'
import type { Chunk } from '../../src/core/graph/types'
import { chunkOf } from '../../src/core/ids'
import { random } from '../../src/core/random'
import { hybrid } from '../../src/core/strategies/baselines/hybrid'
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

/** The control: the same reranker over the first passages of `hybrid`, without a walk. */
export function rerankedHybrid(count: number): Strategy {
  return {
    ...hybrid,
    name: 'hybrid reranked',
    retrieve(graph, query, scores, options, settings) {
      const first = hybrid.retrieve(graph, query, scores, options, settings)
      if (first.kind !== 'evidence') return first
      const texts = first.found.slice(0, count).map((one) => ({ ...one, text: passageText(graph, one.id) }))
      const missing = texts.filter(({ text }) => !scores.has(pairKey(query.text, text)))
      if (missing.length > 0) return { kind: 'wanted', pairs: missing.map(({ text }) => ({ key: pairKey(query.text, text), text })) }
      const read = texts.map((one) => ({ ...one, score: 1 + (scores.get(pairKey(query.text, one.text)) ?? 0) }))
      return { kind: 'evidence', found: [...read.sort(byScore), ...first.found.slice(count)] }
    },
  }
}

function passageText(graph: GraphReader, passage: string): string {
  const title = graph.chunk(chunkOf(passage))?.title
  const text = graph.text(passage)?.text ?? ''
  return title ? `${title}\n${text}` : text
}
