/** Settings as callers write them: strict, what it does not know is a fault. One schema per system, named as the core names its part. */
import { z } from 'zod'
import { exact } from './exact'

const whole = (least: number, most: number) => z.int().min(least).max(most).optional()
const share = z.number().min(0).max(1).optional()
const flag = z.boolean().optional()

const erarag = exact({
  least: whole(2, 64),
  most: whole(3, 256),
  segmentation: z.enum(['trie', 'split-merge']).optional(),
  merge: z.enum(['smaller', 'hamming']).optional(),
  regroup: z.enum(['members', 'summary']).optional(),
  hyperplanes: z.enum(['random', 'fitted']).optional(),
  planes: z.int().min(4).max(64).multipleOf(4).optional(),
  writing: z.enum(['eager', 'lazy']).optional(),
  layers: whole(1, 10),
  summary_tokens: whole(16, 1000),
  seed: whole(0, 0xffffffff),
})

const cluerag = exact({
  alpha: share,
  selector: z.enum(['cosine', 'bleu', 'random']).optional(),
})

const ketrag = exact({
  share,
  rest: z.enum(['units', 'nothing']).optional(),
  knn: whole(1, 50),
  select: z.enum(['pagerank', 'uniform']).optional(),
  theta: share,
  rank: z.enum(['cosine', 'fused']).optional(),
  weighting: z.enum(['mean', 'idf']).optional(),
})

const archrag = exact({
  cluster: z.enum(['leiden', 'scan', 'spectral']).optional(),
  growth: z.enum(['local', 'whole']).optional(),
  augment: z.enum(['knn', 'codicil', 'none']).optional(),
  weights: z.enum(['cosine', 'strength', 'none']).optional(),
  most: whole(2, 64),
  least: whole(2, 64),
  levels: whole(1, 8),
  percentile: share,
  writing: z.enum(['eager', 'lazy']).optional(),
  report_tokens: whole(32, 1000),
  exact: whole(0, 20_000),
  links: whole(4, 64),
  drift: share,
  anew: whole(0, 50_000),
  piece: whole(16, 10_000),
  seed: whole(0, 0xffffffff),
})

const gorag = exact({
  phrase: z.literal([1, 2, 3]).optional(),
  keywords: whole(1, 1000),
  weights: z.enum(['tfidf', 'unit']).optional(),
  hub: flag,
  steiner: z.enum(['mehlhorn', 'mst']).optional(),
  terminals: whole(2, 200),
  sources: exact({ steiner: flag, hops: flag, embedding: flag }).optional(),
  least: whole(1, 1000),
  share,
  evidence: exact({ keywords: flag, embedding: flag }).optional(),
  names: flag,
  describe: flag,
  prompt: z.enum(['text', 'keywords']).optional(),
  learning: z
    .strictObject({
      online: flag,
      confidence: share,
      weight: share,
      half_life_ms: whole(60_000, 1e13),
      most: whole(0, 1000),
      reinforce: flag,
    })
    .optional(),
})

export const settingsSchema = exact({
  chunk_tokens: whole(64, 4000),
  chunk_overlap: whole(0, 1000),
  passage_tokens: whole(16, 500),
  extraction: exact({ gleanings: whole(0, 3) }).optional(),
  erarag: erarag.optional(),
  cluerag: cluerag.optional(),
  ketrag: ketrag.optional(),
  archrag: archrag.optional(),
  gorag: gorag.optional(),
})

export type SettingsInput = z.output<typeof settingsSchema>
