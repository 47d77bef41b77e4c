/** The statements that new versions of documents changed, as they are listed. */
import { z } from 'zod'
import { dates } from './dates'
import { count } from './fields'
import type { Immutable } from './immutable'
import { listOf } from './pages'

const contentVersion = count.describe('The version of the document’s content, counted from 1; 0 if an earlier release did not record it.')

export const change = z.object({
  document: z.string(),
  title: z.string(),
  url: z.string().nullable(),
  active: z.boolean().describe('`false`: the document is switched off, and answers do not mention the change.'),
  replaced_at: z.string().describe('When the version that changed the statement arrived. ISO 8601.'),
  replaced_in: contentVersion,
  earlier: z
    .object({ quote: z.string(), content_version: contentVersion, dates: dates.optional() })
    .describe('What the statement said, and the last version that said it. No document contains it any more.'),
  current: z
    .object({
      quote: z.string().describe('Equals the document’s text from start to end.'),
      start: count,
      end: count,
      content_version: contentVersion,
      dates: dates.optional(),
    })
    .describe('What it says in the current version. It may have changed again since.'),
})

export const changes = listOf(change).extend({
  days: count.describe('How many days the corpus keeps what was changed (`settings.earlier.days`); 0: it keeps nothing.'),
})

export type Change = Immutable<z.output<typeof change>>
export type Changes = Immutable<z.output<typeof changes>>
