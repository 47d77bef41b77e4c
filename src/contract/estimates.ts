/** What documents would cost. */

import { z } from 'zod'
import { MAX_BATCH } from './document-limits'
import { documentSchema } from './documents'
import { exact } from './exact'
import { count, idSchema } from './fields'
import type { Immutable } from './immutable'
import { spent } from './usage'

export const estimateSchema = exact({
  documents: z
    .array(documentSchema.extend({ id: idSchema.optional() }))
    .min(1)
    .max(MAX_BATCH),
})

const cost = z.object({ tokens: spent, calls: z.record(z.string(), count), usd: z.number() })
const former = (now: string) =>
  cost.meta({ deprecated: true, description: `The same as \`${now}\`; it will be removed in the next release.` })
const bounded = cost.extend({ bounds: z.object({ min: cost, max: cost, least: former('min'), most: former('max') }) })

export const estimate = z.object({
  documents: count,
  chunks: count,
  tokens: count,
  priced_on: z.string(),
  strategies: z.record(z.string(), bounded).describe('The cost of each strategy alone, including its embeddings.'),
  tuning: bounded.describe(
    'Weighing `auto`’s channels and the re-ranker on probes made from the corpus: embeddings, and what the re-ranker reads (`in`). This comes on top, in the background; documents are not refused because of it.',
  ),
  corpus: bounded
    .extend({
      basis: z.enum(['measured', 'rates']).describe('What its latest chunks have cost, or typical rates while there are too few.'),
    })
    .optional()
    .describe('The corpus’s own strategies together. Ingestion is refused by this figure.'),
})

export type ToEstimate = Immutable<z.input<typeof estimateSchema>>
export type Cost = Immutable<z.output<typeof cost>>
export type Estimate = Immutable<z.output<typeof estimate>>
