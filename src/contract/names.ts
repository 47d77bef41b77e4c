/** What is decided about names. */
import { z } from 'zod'
import type * as core from '../core/strategies/archrag/entity-merge'
import { exact } from './exact'
import { count } from './fields'
import type { Immutable } from './immutable'

const entity = z.string().min(1).max(256)
export const mergeSchema = exact({ with: entity.describe('The id of an entity that is the same.') })
export const unmergeSchema = exact({ from: entity.optional().describe('The id of the other entity; by default, all it was merged with.') })
export const nameOperation = z
  .object({
    n: count.describe('Numbered without gaps and never reused.'),
    op: z.enum(['merge', 'undo']),
    a: z.string(),
    b: z.string(),
    names: z.tuple([z.string(), z.string()]).describe('Their current names; empty if the entity is gone.'),
    by: z.enum(['rule', 'caller']).describe('By similarity when the corpus was consolidated, or by a call.'),
    spelling: z.number().describe('The share of letter pairs the two names have in common; 0 for an undo.'),
    context: z.number().describe('The cosine of what is said about the two; 0 for an undo.'),
    at: count.optional().describe('For a call, milliseconds since 1970.'),
  })
  .describe('A merge of two entities, or its undoing.') satisfies z.ZodType<core.NameOperation>

export type NameOperation = Immutable<z.output<typeof nameOperation>>
