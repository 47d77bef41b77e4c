/** An ontology proposed for a corpus: what to set if it pleases, and what it rests on. Nothing follows from it by itself. */
import { z } from 'zod'
import { exact } from './exact'
import { count } from './fields'
import type { Immutable } from './immutable'
import { degraded } from './questions'
import { spent } from './usage'

export const proposeSchema = exact({
  by: z
    .enum(['model', 'counts'])
    .optional()
    .describe('`counts`: without a model, at no cost; `model`, the default: a text model is asked once, where there is one.'),
})

const names = z.array(z.string())
const ontology = z
  .object({
    mode: z.enum(['open', 'strict']),
    types: z.array(z.object({ name: z.string(), description: z.string().optional(), parent: z.string().optional() })),
    relations: z.array(
      z.object({ name: z.string(), description: z.string().optional(), subjects: names.optional(), objects: names.optional() }),
    ),
  })
  .nullable()
  .describe('As `settings.extraction.ontology` takes it; null: there is nothing to propose.')

export const ontologyProposal = z.object({
  by: z.enum(['model', 'counts']).describe('Who has proposed it.'),
  ontology,
  types: z
    .array(z.object({ name: z.string(), count: count.describe('Of different names of this kind in the sample.'), examples: names }))
    .describe('What each type rests on, in the same order.'),
  relations: z
    .array(
      z.object({
        name: z.string(),
        count: count.describe('Of different pairs of names in the sample.'),
        examples: z.array(z.object({ subject: z.string(), object: z.string(), document: z.string() })),
      }),
    )
    .describe('The same of each relation; examples by the documents whose passages name both.'),
  sample: z
    .object({ documents: count, chunks: count })
    .describe('What was looked at: of documents that may be read and are not switched off.'),
  dropped: z
    .object({ types: count, relations: count })
    .describe('What the model proposed with examples that stand in no text of the sample, twice, or beyond what an ontology holds.'),
  degraded: degraded.describe('`text_model` or `budget`: the model could not be asked or was of no use, and counts are proposed.'),
  usage: spent,
})

export type OntologyProposal = Immutable<z.output<typeof ontologyProposal>>
export type ProposeOntology = Immutable<z.input<typeof proposeSchema>>
