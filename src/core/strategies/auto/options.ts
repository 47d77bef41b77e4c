/** What a caller may choose for one question, over what was measured. */
import { z } from 'zod'
import { flag } from '../../setting-fields'

const weight = z.number().min(0).max(100)

export const autoOptions = {
  /** Summaries first: always or never. */
  overview: flag,
  /** wD: vectors beside keywords. */
  dense: weight,
  /** wP: paths of Q-Iter beside keywords. */
  paths: weight,
  /** λ: share of the final score that comes from walking the links. */
  links: weight,
  /** `sum`: only the channels' weighted sum. */
  scorer: z.enum(['evidence', 'sum']),
}
