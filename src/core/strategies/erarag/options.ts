/** What a caller may choose for one question. */
import { z } from 'zod'
import { type Chosen, chosenOptions } from '../../chosen-options'
import { share } from '../../setting-fields'
import type { Options } from '../../strategy'

export const eraOptions = {
  /** Passages or summaries first, by the share `p`; without it the tree is searched collapsed. */
  mode: z.enum(['collapsed', 'detailed', 'summarised']),
  p: share,
  /** `cosine`: as in the paper, by nearness alone; without a question vector, words decide all the same. */
  rank: z.enum(['fused', 'cosine']),
}

export type EraOptions = Required<Chosen<typeof eraOptions>>

const defaults: EraOptions = {
  mode: 'collapsed',
  p: 0.7, // mostly what was asked for, and some of the other to support or to frame it
  rank: 'fused',
}

export function readOptions({ own }: Pick<Options, 'own'>): EraOptions {
  return { ...defaults, ...chosenOptions(eraOptions, own) }
}
