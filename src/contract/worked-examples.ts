/** Worked examples of a corpus as its owner writes them: passages, and what is to be extracted from each. Settings with examples that their passages do not support are refused. */
import { z } from 'zod'
import { exampleLimits } from '../core/guidance'
import { exact } from './exact'
import { idSchema } from './fields'
import { storable } from './storable'

const words = (max: number) => z.string().max(max).transform(storable)
const named = (max: number) =>
  words(max)
    .transform((name) => name.trim())
    .refine((name) => /[\p{L}\p{N}]/u.test(name), { message: 'a name needs a letter or a digit' })

const entity = exact({
  name: named(exampleLimits.name).describe('As the passage spells it.'),
  type: named(exampleLimits.type),
  description: words(exampleLimits.description).default(''),
})
const relation = exact({
  source: named(exampleLimits.name).describe('A name of `entities`, or words of the passage, if `target` is one.'),
  target: named(exampleLimits.name),
  description: words(exampleLimits.description).default(''),
  strength: z.number().min(1).max(10).default(5),
  relation: named(exampleLimits.type).optional().describe('Its kind, if the corpus’s ontology has relations.'),
})

export const workedExampleSchema = exact({
  text: words(exampleLimits.text)
    .refine((text) => text.trim() !== '', { message: 'must not be blank' })
    .describe('The passage.'),
  entities: z.array(entity).min(1).max(exampleLimits.entities),
  relations: z.array(relation).max(exampleLimits.relations).default([]),
  document: idSchema.optional().describe('The document that has the passage: the example goes with it. No model is told.'),
})

export const workedExamplesSchema = z
  .array(workedExampleSchema)
  .max(exampleLimits.examples)
  .superRefine((examples, context) => {
    const bytes = new TextEncoder().encode(JSON.stringify(examples)).length
    if (bytes > exampleLimits.bytes)
      context.addIssue({
        code: 'custom',
        message: `are ${bytes} bytes as JSON; at most ${exampleLimits.bytes} are allowed, since every prompt contains them`,
      })
  })
  .describe(
    'Passages with what is to be drawn from each, shown to the model that reads texts, in place of Loam’s own examples. Every name must occur in its passage. Send all of them; null or empty: none. Whoever may see the corpus’s settings sees them.',
  )
