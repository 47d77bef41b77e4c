/** An ontology as callers write it: complete, with omissions filled in. */
import { z } from 'zod'
import { ontologyFaults, ontologyLimits } from '../core/ontology'
import { exact } from './exact'

const named = z
  .string()
  .trim()
  .min(1)
  .max(ontologyLimits.name)
  .refine((name) => /[\p{L}\p{N}]/u.test(name), { message: 'a name needs a letter or a digit' })
const described = z.string().trim().max(ontologyLimits.description)
const ends = z.array(named).max(ontologyLimits.ends)

const entityType = exact({
  name: named.describe('For example “person”.'),
  description: described.optional().describe('What it is, in a few words. Models read this.'),
  parent: named.optional().describe('The broader type it belongs to.'),
})
const relationType = exact({
  name: named.describe('For example “works for”.'),
  description: described.optional(),
  subjects: ends.optional().describe('Types its subject may have, including narrower ones; none: any type.'),
  objects: ends.optional().describe('Types its object may have, in the same way.'),
})

export const ontologySchema = exact({
  mode: z
    .enum(['open', 'strict'])
    .default('open')
    .describe(
      'What happens to entities and relations that do not fit: `strict` leaves them out, `open` keeps and marks them. Both count them.',
    ),
  types: z.array(entityType).max(ontologyLimits.types).default([]),
  relations: z.array(relationType).max(ontologyLimits.relations).default([]).describe('None: relations are described but have no kind.'),
})
  .superRefine((ontology, context) => {
    for (const { path, message } of ontologyFaults(ontology)) context.addIssue({ code: 'custom', path: [...path], message })
    const bytes = new TextEncoder().encode(JSON.stringify(ontology)).length
    if (bytes > ontologyLimits.bytes)
      context.addIssue({
        code: 'custom',
        message: `is ${bytes} bytes as JSON; at most ${ontologyLimits.bytes} are allowed, since every prompt contains it`,
      })
    if (ontology.types.length + ontology.relations.length === 0)
      context.addIssue({ code: 'custom', message: 'names no type and no relation; null removes the ontology' })
  })
  .describe('The kinds of entities and relations a model extracts, instead of `types`. Send the whole ontology, or null.')
