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
      'What a model, or a document’s own graph, called it, in how many of the 200 chunks that mention it most; most frequent first. Empty if no model read them.',
    ),
  descriptions: z
    .array(
      z.object({
        text: z.string(),
        chunk: z.string(),
        document: z.string(),
        by: z.enum(['model', 'brought']).describe('`brought`: it came with the document (`graph`).'),
      }),
    )
    .describe('What is said about it, by a model or by a document’s own graph, each with the chunk it belongs to; at most 10.'),
  relations: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string(),
        strength: z.number(),
        by_people: z.number().optional().describe('How much of the strength people added.'),
        by: z
          .array(z.enum(['people', 'brought', 'model', 'rules']))
          .describe(
            'Who states it: people who added it; documents whose own graph (`graph`) has it; a model that read a chunk; rules, because a sentence names both.',
          ),
        documents: z.array(z.string()).describe('Documents with chunks that state it; at most 5.'),
      }),
    )
    .describe('What it is related to, strongest first; at most 20.'),
  people: z
    .object({ decision: count, type: z.string(), description: z.string(), by: z.string(), at: time })
    .optional()
    .describe('If a person added it: by which decision, and what they wrote about it (either may be empty).'),
  chunks: count.describe('How many chunks mention it; no more than 200 are counted, in each partition of a corpus that has some.'),
  documents: z.array(z.string()).describe('Documents that mention it; at most 50.'),
})

export type EntityDetails = Immutable<z.output<typeof entityDetails>>
