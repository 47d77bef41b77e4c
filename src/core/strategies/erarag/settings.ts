/** EraRAG's settings, each with its source. */
import { z } from 'zod'
import { publicNames, whole } from '../../setting-fields'

export const eraSettings = z
  .object({
    /** S_min: the fewest members of a segment. */
    min: whole(2, 64).default(6).register(publicNames, { formerly: 'least' }),
    /** S_max: the most members of a segment; at least 2 · min − 1. */
    max: whole(3, 256).default(12).register(publicNames, { formerly: 'most' }),
    /** `split-merge`: as in the paper; a segment is a bucket (the nodes with one hash code) unless that is too small or too large. */
    segmentation: z.enum(['trie', 'split-merge']).default('trie'),
    /** For split and merge: the neighbour with which a small segment is merged. The paper takes the one nearest by Hamming distance. */
    merge: z.enum(['smaller', 'hamming']).default('smaller'),
    regroup: z.enum(['members', 'summary']).default('members'),
    /**
     * n: the number of hyperplanes, a multiple of four. With 64 of them 8,224 real vectors have 8,199 different codes, with the official code's 20
     * they have 6,088.
     */
    planes: z.int().min(4).max(64).multipleOf(4).default(64),
    /** Write summaries before the job succeeds, or at first retrieval. */
    writing: z.enum(['eager', 'lazy']).default('eager'),
    /** The most layers of summaries. */
    layers: whole(1, 10).default(5), // the official code's num_layers
    /** Length of a summary, in tokens. */
    summary: whole(16, 1000).default(100).register(publicNames, { name: 'summary_tokens' }), // the official code's summarization_length
    seed: whole(0, 0xffffffff).default(224), // the official code's random_seed
  })
  .superRefine(({ min, max }, context) => {
    // Only then can any number of members from `min` on be cut into groups of min…max (S_max ≥ 2·S_min − 1).
    if (max < 2 * min - 1) context.addIssue({ code: 'custom', path: ['max'], message: 'must be at least 2 · min − 1' })
  })

export type EraSettings = Readonly<z.output<typeof eraSettings>>

export const eraDefaults: EraSettings = eraSettings.parse({})

declare module '../../settings' {
  interface Settings {
    readonly erarag: EraSettings
  }
}
