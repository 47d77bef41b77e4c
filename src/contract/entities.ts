/** One entity with its details. */
import { z } from 'zod'
import { count, time } from './fields'
import type { Immutable } from './immutable'

export const entityDetails = z.object({
  id: z.string(),
  name: z.string(),
  also: z.array(z.string()).describe('Other names that texts use for it.'),
  types: z
    .array(z.object({ type: z.string(), chunks: count }))
    .describe(
      'What a model called it, in how many of the 200 chunks that mention it most; most frequent first. Empty if no model read them.',
    ),
  descriptions: z
    .array(z.object({ text: z.string(), chunk: z.string(), document: z.string() }))
    .describe('What a model said about it, each with the chunk it was read from; at most 10.'),
  people: z
    .object({ decision: count, type: z.string(), description: z.string(), by: z.string(), at: time })
    .optional()
    .describe('If a person added it: by which decision, and what they wrote about it (either may be empty).'),
  chunks: count.describe('How many chunks mention it; no more than 200 are counted.'),
  documents: z.array(z.string()).describe('Documents that mention it; at most 50.'),
})

export type EntityDetails = Immutable<z.output<typeof entityDetails>>
