/** Sentences of documents beside an answer: the nearest to a question that none answers, and those that say different things. */
import { z } from 'zod'
import { dates } from './dates'
import { count } from './fields'

export const nearest = z.object({
  id: z.string().describe('The piece of evidence that holds it.'),
  document: z.string(),
  title: z.string().optional(),
  start: count,
  end: count,
  quote: z.string().describe('Equals the document’s text from start to end.'),
})

const statement = nearest.extend({
  marker: z.int().min(1).describe('The number of its piece of evidence, 1 for the first.'),
  dates: dates.optional(),
})

const earlierStatement = z.object({
  start: count,
  end: count.describe('Of the statement as it is now, in the document’s text.'),
  quote: z.string().describe('What it said. It stands in no document any more.'),
  replaced_at: z.string().describe('When the version that changed it came.'),
  dates: dates.optional().describe('Of the version that said so.'),
})

export const earlierStatements = z
  .array(earlierStatement)
  .describe('What statements of it said before a version of its document changed them; where the corpus keeps that (`settings.earlier`).')

export const superseded = z.object({
  current: statement,
  earlier: z
    .array(earlierStatement)
    .optional()
    .describe(
      'What older versions of the same document said in its place, the latest first; where the corpus keeps that (`settings.earlier`).',
    ),
  replaced: z.array(statement).describe('What older documents said in its place, the latest first.'),
})

export const conflict = z.object({ statements: z.array(statement).describe('They cannot all be right, and no date tells which holds.') })
