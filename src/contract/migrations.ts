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
    .describe('One of the deployment’s models (`GET /v1/models`). By default, the one that new corpora use.'),
})

const embedder = z.object({ model: z.string().nullable().describe('Null: not known.'), dimensions: count })

/** In this order. */
export const migrationSteps = [
  'vectors',
  'await',
  'feed',
  'whole',
  'write',
  'settle',
  'measure',
  'compare',
  'fill',
  'promote',
  'clear',
] as const

export const migration = z.object({
  from: embedder,
  to: embedder.nullable().describe('Null: the corpus already has that model.'),
  job: z.string().nullable().describe('The job that is moving the corpus; null: none.'),
  step: z
    .enum(migrationSteps)
    .nullable()
    .describe(
      'The job’s step. Embedding: `vectors`, `await`. Deriving the graph again: `feed`, `whole`, `write`, `settle`. Comparing by probes: `measure`, `compare`. Filling the other index: `fill`. `promote`: the switch. `clear`: the corpus was moved, and its old index is being emptied.',
    ),
  estimate: z.object({
    texts: count.describe('Texts to embed: passages, sentences if a strategy has vectors for them, texts that models wrote, probes.'),
    tokens: count.describe('Their tokens, estimated from some of the chunks.'),
    usd: z.number(),
    neurons: z.number().describe('The same in the unit of Workers AI.'),
    seconds: count.nullable().describe('At the recent pace of embedding, without texts that are written again. Null: unknown.'),
    rewritten: z
      .object({ tokens: spent, usd: z.number() })
      .describe(
        'The most that rewritten summaries and reports may cost, since groups can change: what they have cost so far. Extractions and unchanged texts are not requested again.',
      ),
  }),
  priced_on: z.string(),
})

export type Migration = Immutable<z.output<typeof migration>>
export type MigrationRequest = Immutable<z.input<typeof migrationSchema>>
