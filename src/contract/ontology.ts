/** An ontology as callers write it: whole, with what it leaves out filled in. */
import { z } from 'zod'
import { ontologyFaults, ontologyLimits } from '../core/ontology'
import { exact } from './exact'

const named = z
  .string()
  .trim()
  .min(1)
  .max(ontologyLimits.name)
  .refine((name) => /[\p{L}\p{N}]/u.test(name), { message: 'a name has a letter or a digit' })
const described = z.string().trim().max(ontologyLimits.description)
const ends = z.array(named).max(ontologyLimits.ends)

const entityType = exact({
  name: named.describe('E.g. “person”.'),
  description: described.optional().describe('What is one, in a few words; models read it.'),
  parent: named.optional().describe('The type it is a kind of.'),
})
const relationType = exact({
  name: named.describe('E.g. “works for”.'),
  description: described.optional(),
  subjects: ends.optional().describe('Types its subject may have, their kinds included; none: any.'),
  objects: ends.optional().describe('The same of its object.'),
})

export const ontologySchema = exact({
  mode: z
    .enum(['open', 'strict'])
    .default('open')
    .describe(
      'What becomes of entities and relations that do not fit: `strict` leaves them out, `open` keeps and marks them; both count them.',
    ),
  types: z.array(entityType).max(ontologyLimits.types).default([]),
  relations: z.array(relationType).max(ontologyLimits.relations).default([]).describe('None: relations are described, and of no kind.'),
})
  .superRefine((ontology, context) => {
    for (const { path, message } of ontologyFaults(ontology)) context.addIssue({ code: 'custom', path: [...path], message })
    const bytes = new TextEncoder().encode(JSON.stringify(ontology)).length
    if (bytes > ontologyLimits.bytes)
      context.addIssue({
        code: 'custom',
        message: `is ${bytes} bytes as JSON; ${ontologyLimits.bytes} at most, since it stands in every prompt`,
      })
    if (ontology.types.length + ontology.relations.length === 0)
      context.addIssue({ code: 'custom', message: 'names no type and no relation; null takes it away' })
  })
  .describe('What kinds of entities and relations a model is to draw, instead of `types`. It is given whole, or null.')
