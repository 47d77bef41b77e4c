/** Guidance and examples proposed for a corpus: what can be set, and what it is based on. Nothing happens automatically. */
import { z } from 'zod'
import { exampleLimits } from '../core/guidance'
import { exact } from './exact'
import { count } from './fields'
import type { Immutable } from './immutable'
import { degraded } from './questions'
import { spent } from './usage'

export const proposeGuidanceSchema = exact({
  examples: z
    .int()
    .min(0)
    .max(exampleLimits.examples)
    .optional()
    .describe(`How many worked examples to make at most; ${exampleLimits.examples} by default. 0: guidance alone, in one call.`),
})

const example = z.object({
  text: z.string(),
  entities: z.array(z.object({ name: z.string(), type: z.string(), description: z.string() })),
  relations: z.array(
    z.object({
      source: z.string(),
      target: z.string(),
      description: z.string(),
      strength: z.number(),
      relation: z.string().optional(),
    }),
  ),
  document: z.string(),
})

export const guidanceProposal = z.object({
  domain: z.string().nullable().describe('What the texts are about, in a phrase.'),
  guidance: z.string().nullable().describe('For `settings.extraction.guidance`; null: there is nothing to propose.'),
  examples: z
    .array(example)
    .describe(
      'In the form of `settings.extraction.examples`. Passages are only taken from documents that everybody who uses the corpus may read.',
    ),
  languages: z
    .array(z.object({ language: z.string(), passages: count }))
    .describe('What languages the passages are in, most frequent first, as far as it is sure; no model was asked.'),
  sample: z.object({ documents: count, passages: count }).describe('The sample: documents that may be read and are not switched off.'),
  dropped: z
    .object({ instructions: count, examples: count, entities: count, relations: count })
    .describe(
      'What was left out of the model’s replies: instructions that say nothing of these texts; examples of which nothing usable was left; entities and relations that their passage does not have, or that do not fit the ontology.',
    ),
  degraded: degraded.describe('`text_model` or `budget`: the model could not be asked for all of it, or gave nothing usable.'),
  usage: spent,
})

export type GuidanceProposal = Immutable<z.output<typeof guidanceProposal>>
export type ProposeGuidance = Immutable<z.input<typeof proposeGuidanceSchema>>
