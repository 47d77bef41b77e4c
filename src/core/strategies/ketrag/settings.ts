/** KET-RAG's settings, each with its source. */
import { z } from 'zod'
import { share, whole } from '../../setting-fields'

export const ketSettings = z.object({
  /** β: share of the chunks that a model reads for the skeleton, if there is a model. */
  share: share.default(0.8), // the paper's budget
  /** What a chunk that no model has read gives to the skeleton: the relations of its units, or nothing as in the paper. */
  rest: z.enum(['units', 'nothing']).default('units'), // costs no model calls, and a new document has relations before the next consolidation
  /** K: neighbours of a chunk in the graph whose centre is the skeleton, half by words and half by vectors. */
  knn: whole(1, 50).default(2), // the paper's K; 4 and 10 gave half a point more
  /** KET-RAG-P or KET-RAG-U. */
  select: z.enum(['pagerank', 'uniform']).default('pagerank'),
  /** θ: share of the budget for the skeleton; the rest is the keyword channel's. */
  theta: share.default(0.4), // the paper's
  /** Where a walk of the skeleton begins: also at names and sentences that match the question, or only at the nearest entity vectors. */
  seeds: z.enum(['fused', 'nearest']).default('fused'), // `nearest` is the paper's
  /** What the best passages are ranked by. */
  rank: z.enum(['cosine', 'fused']).default('fused'), // BM25 settles what a weak embedding leaves open (docs/ketrag.md has the measurement)
})

export type KetSettings = Readonly<z.output<typeof ketSettings>>

export const ketDefaults: KetSettings = ketSettings.parse({})

declare module '../../settings' {
  interface Settings {
    readonly ketrag: KetSettings
  }
}
