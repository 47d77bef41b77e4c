/** Moving a corpus to another embedding model in place. */
import { z } from 'zod'
import { exact } from './exact'
import { count } from './fields'
import type { Immutable } from './immutable'
import { spent } from './usage'

export const migrationSchema = exact({
  embedding_model: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('One of those that the deployment has (`GET /v1/models`). Default: the one of corpora made from now on.'),
})

const embedder = z.object({ model: z.string().nullable().describe('Null: not known.'), dimensions: count })

export const migration = z.object({
  from: embedder,
  to: embedder.nullable().describe('Null: the corpus has that model already.'),
  job: z.string().nullable().describe('That moves the corpus now. Null: none does.'),
  step: z
    .enum(['vectors', 'await', 'feed', 'whole', 'write', 'settle', 'measure', 'compare', 'fill', 'promote', 'clear'])
    .nullable()
    .describe(
      'Embedding: `vectors`, `await`. Deriving the graph again: `feed`, `whole`, `write`, `settle`. Weighing it by the probes: `measure`, `compare`. Filling the other index: `fill`. `promote`: the switch. `clear`: the corpus was moved, and the index that was left is being emptied.',
    ),
  estimate: z.object({
    texts: count.describe('To be embedded: passages, sentences where a strategy has vectors of them, what models wrote, probes.'),
    tokens: count.describe('Of them, estimated from some of the chunks.'),
    usd: z.number(),
    neurons: z.number().describe('The same in the unit of Workers AI.'),
    seconds: count
      .nullable()
      .describe('At the pace at which texts were embedded lately, without texts that are written again. Null: not known.'),
    rewritten: z
      .object({ tokens: spent, usd: z.number() })
      .describe(
        'Summaries and reports may group what they did not: at most what they have cost so far. Extractions and what stays the same are not asked for again.',
      ),
  }),
  priced_on: z.string(),
})

export type Migration = Immutable<z.output<typeof migration>>
export type MigrationRequest = Immutable<z.input<typeof migrationSchema>>
