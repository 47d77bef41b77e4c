/** What documents would cost. */

import { z } from 'zod'
import { documentSchema, MOST_BATCH } from './documents'
import { exact } from './exact'
import { count, idSchema } from './fields'
import type { Immutable } from './immutable'
import { spent } from './usage'

export const estimateSchema = exact({
  documents: z
    .array(documentSchema.extend({ id: idSchema.optional() }))
    .min(1)
    .max(MOST_BATCH),
})

const cost = z.object({ tokens: spent, calls: z.record(z.string(), count), usd: z.number() })
const bounded = cost.extend({ bounds: z.object({ least: cost, most: cost }) })

export const estimate = z.object({
  documents: count,
  chunks: count,
  tokens: count,
  priced_on: z.string(),
  strategies: z.record(z.string(), bounded).describe('Each strategy alone, its embeddings included.'),
  corpus: bounded
    .extend({ basis: z.enum(['measured', 'rates']).describe('What its latest chunks have cost, or rates while there are too few.') })
    .optional()
    .describe('The corpus’s own strategies together: what ingestion is refused by.'),
})

export type ToEstimate = Immutable<z.input<typeof estimateSchema>>
export type Cost = Immutable<z.output<typeof cost>>
export type Estimate = Immutable<z.output<typeof estimate>>
