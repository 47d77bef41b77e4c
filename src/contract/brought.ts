/** A graph that comes with a document: entities and relations that another program or a person found in its text. */
import { z } from 'zod'
import { exact } from './exact'
import { storable } from './storable'

export const graphLimits = {
  entities: 4000,
  relations: 4000,
  name: 200, // characters
  type: 64,
  description: 600,
  strength: 100,
  bytes: 512 * 1024, // of JSON
} as const

const text = (max: number) => z.string().max(max).transform(storable)
const name = text(graphLimits.name).refine((value) => /[\p{L}\p{N}]/u.test(value), { message: 'a name has a letter or a digit' })
const offset = z.int().min(0)
const passage = {
  start: offset.optional().describe('Where the passage begins in which it was found, in UTF-16 units of `text`; with `end`.'),
  end: offset.optional().describe('Where that passage ends. Without `start` and `end`, the first passage that says it is taken.'),
}

const entity = exact({
  name: name.describe('As the text says it, regardless of case.'),
  type: text(graphLimits.type).default('').describe('Such as `person`.'),
  description: text(graphLimits.description).default(''),
  ...passage,
})

const relation = exact({
  source: name,
  target: name,
  description: text(graphLimits.description).default('').describe('Of which the graph shows the first 240 characters.'),
  strength: z
    .number()
    .min(1)
    .max(graphLimits.strength)
    .default(5)
    .describe('As a model would rate it, from 1 to 10, or more for several mentions.'),
  ...passage,
})

export const graphSchema = exact({
  entities: z.array(entity).max(graphLimits.entities).default([]),
  relations: z.array(relation).max(graphLimits.relations).default([]),
}).superRefine((graph, context) => {
  if (new TextEncoder().encode(JSON.stringify(graph)).length > graphLimits.bytes)
    context.addIssue({ code: 'custom', path: [], message: `at most ${graphLimits.bytes} bytes of JSON`, params: { code: 'too_large' } })
  for (const list of ['entities', 'relations'] as const)
    for (const [i, { start, end }] of graph[list].entries()) {
      if ((start === undefined) !== (end === undefined))
        context.addIssue({
          code: 'custom',
          path: [list, i, start === undefined ? 'start' : 'end'],
          message: 'give `start` and `end`, or neither',
        })
      else if (start !== undefined && end !== undefined && end <= start)
        context.addIssue({ code: 'custom', path: [list, i, 'end'], message: 'must lie behind `start`' })
    }
  for (const [i, { source, target }] of graph.relations.entries())
    if (source === target)
      context.addIssue({ code: 'custom', path: ['relations', i, 'target'], message: 'must be another entity than `source`' })
})
