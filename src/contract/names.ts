/** What is decided about names. */
import { z } from 'zod'
import type * as core from '../core/strategies/archrag/entity-merge'
import { exact } from './exact'
import { count } from './fields'
import type { Immutable } from './immutable'

const entity = z.string().min(1).max(256)
export const mergeSchema = exact({ with: entity.describe('The id of an entity that is the same thing.') })
export const unmergeSchema = exact({ from: entity.optional().describe('The id of the other; without it, of all it was merged with.') })
export const nameOperation = z
  .object({
    n: count.describe('Numbered without gaps, and never used twice.'),
    op: z.enum(['merge', 'undo']),
    a: z.string(),
    b: z.string(),
    names: z.tuple([z.string(), z.string()]).describe('As they are shown now; empty where the entity has gone.'),
    by: z.enum(['rule', 'caller']).describe('By likeness when the corpus was consolidated, or by a call.'),
    spelling: z.number().describe('Share of letter pairs the two names have in common; 0 for an undo.'),
    context: z.number().describe('Cosine of what is said about the two; 0 for an undo.'),
    at: count.optional().describe('Milliseconds since 1970, of a call.'),
  })
  .describe('Two entities taken for one thing, or parted again.') satisfies z.ZodType<core.NameOperation>

export type NameOperation = Immutable<z.output<typeof nameOperation>>
