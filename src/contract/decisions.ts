/** What people decide about entities and relations, and which decisions are in effect. */
import { z } from 'zod'
import type { Wanted } from '../core/builders/decide'
import { decisionLimits } from '../core/builders/decision-list'
import { exact } from './exact'
import { count, idSchema, time } from './fields'
import type { Immutable } from './immutable'
import { storable } from './storable'

const MAX_NAME = 200 // characters
const MAX_DESCRIPTION = 500 // characters
const MAX_STRENGTH = 10
const MAX_TYPE = 64 // characters

const entity = z.string().min(1).max(256)
const words = (max: number) =>
  z
    .string()
    .max(max)
    .transform((text) => storable(text).trim().replace(/\s+/gu, ' '))
const name = words(MAX_NAME).refine((text) => /[\p{L}\p{N}]/u.test(text), { message: 'a name needs a letter or a digit' })

export const addSchema = exact({
  name: name.describe('As texts say it. Without a capital at its beginning, it is found in lower case, too.'),
  type: words(MAX_TYPE).default('').describe('What it is, such as `machine`.'),
  description: words(MAX_DESCRIPTION).default('').describe('What is to be known about it.'),
  documents: z
    .array(idSchema)
    .min(1)
    .max(decisionLimits.documents)
    .optional()
    .describe('Ids of the only documents in which the name is this entity; absent: in all, also in later ones.'),
})
export const splitSchema = exact({
  documents: z
    .array(idSchema)
    .min(1)
    .max(decisionLimits.documents)
    .describe('Ids of the documents in which the name means something else.'),
  name: name.describe('What it is called there.'),
})
export const renameSchema = exact({ name: name.describe('The name it is shown under. It is still found under its own name, too.') })
export const nothingSchema = exact({})
export const relationEndsSchema = exact({
  source: entity.describe('The id of an entity.'),
  target: entity.describe('The id of the other entity.'),
})
export const relationSchema = exact({
  source: entity.describe('The id of an entity.'),
  target: entity.describe('The id of the other entity.'),
  description: words(MAX_DESCRIPTION)
    .refine((text) => text !== '', { message: 'must not be blank' })
    .describe('How the two are related.'),
  strength: z.number().min(1).max(MAX_STRENGTH).default(5).describe('How much it counts compared with relations that texts state.'),
})

export const OPS = ['add', 'merge', 'split', 'rename', 'hide', 'pin', 'relate', 'unrelate'] as const
export const decisionView = z
  .object({
    n: count.describe('Its number, which is never reused.'),
    op: z.enum(OPS),
    entity: z.string(),
    name: z.string().describe('The name in the texts; empty if no text has it any more.'),
    other: z.string().optional().describe('The entity it is merged into, or the other end of a relation.'),
    other_name: z.string().optional(),
    part: z.string().optional().describe('For a split, the new entity.'),
    documents: z.array(z.string()).optional(),
    text: z.string().optional().describe('What the person entered: a name, or what a relation says.'),
    type: z.string().optional().describe('Of an added entity, as the person entered it.'),
    description: z.string().optional().describe('Of an added entity, as the person entered it.'),
    strength: z.number().optional(),
    at: time,
    by: z.string().describe('The id of the key that decided it.'),
  })
  .describe('A decision that somebody made and has not undone.')

export const outcome = z.object({
  status: z.enum(['done', 'unchanged']),
  decision: count.nullable().describe('The decision’s number, for undoing it; null: it was already so, without a decision.'),
  skipped_partitions: z
    .array(count)
    .optional()
    .describe('Partitions of the corpus that did not answer in time, numbered from 0. The decision takes effect there as soon as they do.'),
})

export const added = outcome.extend({ entity: z.string().describe('The id of the entity.') })

export type DecisionView = Immutable<z.output<typeof decisionView>>
export type DecisionStatus = Immutable<z.output<typeof outcome>>
export type AddedEntity = Immutable<z.output<typeof added>>
export type NewEntity = Immutable<z.input<typeof addSchema>>
export type NewRelation = Immutable<z.input<typeof relationSchema>>
export type NewSplit = Immutable<z.input<typeof splitSchema>>

/** As the object receives and returns them. */
export type Wish = Wanted
export type Outcome =
  | { readonly kind: 'done'; readonly n: number | null; readonly skipped?: readonly number[] }
  | { readonly kind: 'unchanged'; readonly n: number | null }
  | { readonly kind: 'missing'; readonly what: 'entity' | 'relation' | 'decision' | 'document' }
  | { readonly kind: 'full'; readonly limit: number; readonly of: 'decisions' | 'pins' | 'relations' | 'entities' | 'chunks' }
  | { readonly kind: 'held'; readonly by: number; readonly op: 'hide' | 'pin' }
  | { readonly kind: 'unsaid' }
  | { readonly kind: 'apart' }
