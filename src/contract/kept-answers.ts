/** What a cached answer says about being cached. */
import { z } from 'zod'
import { count } from './fields'
import { spent } from './usage'

/** Members of a question's body. */
export const keeping = {
  cache: z.boolean().optional().describe('If the corpus keeps answers: `false` asks again and keeps nothing.'),
}

/** Members of its answer. */
export const keptBefore = {
  cached: z
    .literal(true)
    .optional()
    .describe('The version at which this answer was given to the same question with the same options, rights and models.'),
  cache: z
    .object({
      age_seconds: count,
      saved: spent
        .extend({ calls: count, usd: z.number(), neurons: z.number() })
        .describe('What the kept answer had cost and did not cost again.'),
    })
    .optional()
    .describe('Present if the answer was given before.'),
}
