/** An ontology proposed for a corpus: what can be set, and what it is based on. Nothing happens automatically. */
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
    .describe('`counts`: without a model, free of charge. `model`, the default: asks a text model once, if there is one.'),
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
  .describe('In the form of `settings.extraction.ontology`; null: there is nothing to propose.')

export const ontologyProposal = z.object({
  by: z.enum(['model', 'counts']).describe('What made the proposal.'),
  ontology,
  types: z
    .array(z.object({ name: z.string(), count: count.describe('How many different names of this kind the sample has.'), examples: names }))
    .describe('The evidence for each type, in the same order.'),
  relations: z
    .array(
      z.object({
        name: z.string(),
        count: count.describe('How many different pairs of names the sample has.'),
        examples: z.array(z.object({ subject: z.string(), object: z.string(), document: z.string() })),
      }),
    )
    .describe('The evidence for each relation. Examples name the documents whose passages contain both names.'),
  sample: z.object({ documents: count, chunks: count }).describe('The sample: documents that may be read and are not switched off.'),
  dropped: z
    .object({ types: count, relations: count })
    .describe(
      'Proposals of the model that were left out: their examples are not in the sample, they repeat others, or they exceed what an ontology holds.',
    ),
  degraded: degraded.describe(
    '`text_model` or `budget`: the model could not be asked or gave nothing usable, so this proposal comes from counting.',
  ),
  usage: spent,
})

export type OntologyProposal = Immutable<z.output<typeof ontologyProposal>>
export type ProposeOntology = Immutable<z.input<typeof proposeSchema>>
