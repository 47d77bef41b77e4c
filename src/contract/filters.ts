/** Filters under a name, per corpus. */
import { z } from 'zod'
import { languageCodes } from '../core/text/languages'
import { exact } from './exact'
import { idSchema, time } from './fields'
import type { Immutable } from './immutable'
import { languageSchema } from './languages'
import { byMetadata } from './metadata'

export const MAX_SAVED = 10 // used by one question

/** What a question is filtered by. */
export const filterFields = {
  document: z.array(idSchema).max(1000).optional().describe('Evidence from these documents only.'),
  metadata: byMetadata
    .optional()
    .describe('A value for each key, a list of which one must match, or conditions: `{"gte": 1990, "lt": 2000}`, `{"not": "draft"}`.'),
  language: z
    .array(languageSchema)
    .min(1)
    .max(languageCodes.length)
    .optional()
    .describe('Evidence from documents in these languages only, by their codes (`de`).'),
}

export const savedFilterSchema = exact(filterFields).refine(
  ({ document, metadata, language }) => document !== undefined || metadata !== undefined || language !== undefined,
  {
    message: 'must name documents, metadata or languages',
  },
)

export const renamedFilterSchema = exact({ to: idSchema.describe('A name that no other saved filter has.') })

export const savedFilter = z.object({
  filter: z.string().describe('Its name, which questions give as `filters.saved`.'),
  document: z.array(z.string()).optional().describe('The documents that you may read.'),
  metadata: byMetadata.optional(),
  language: z.array(z.string()).optional(),
  changed: time,
})

export const savedFilters = z.object({ data: z.array(savedFilter) })
export const droppedFilter = z.object({ status: z.literal('deleted') })

export type NewFilter = Immutable<z.input<typeof savedFilterSchema>>
export type SavedFilter = Immutable<z.output<typeof savedFilter>>
