/** Sentences of documents that accompany an answer: the nearest to a question that none answers, and those that contradict each other. */
import { z } from 'zod'
import { dates } from './dates'
import { count } from './fields'

export const nearest = z.object({
  id: z.string().describe('The piece of evidence that contains it.'),
  document: z.string(),
  title: z.string().optional(),
  start: count,
  end: count,
  quote: z.string().describe('Equals the document’s text from start to end.'),
})

const statement = nearest.extend({
  marker: z.int().min(1).describe('The number of its piece of evidence, from 1.'),
  dates: dates.optional(),
})

const earlierStatement = z.object({
  start: count,
  end: count.describe('Where the current statement ends in the document’s text.'),
  quote: z.string().describe('What it said. No document contains it any more.'),
  replaced_at: z.string().describe('When the version that changed it arrived.'),
  dates: dates.optional().describe('The dates of the version that said it.'),
})

export const earlierStatements = z
  .array(earlierStatement)
  .describe('What its statements said before a new version of the document changed them, if the corpus keeps that (`settings.earlier`).')

export const superseded = z.object({
  current: statement,
  earlier: z
    .array(earlierStatement)
    .optional()
    .describe('What older versions of the same document said instead, latest first, if the corpus keeps that (`settings.earlier`).'),
  replaced: z.array(statement).describe('What older documents said instead, latest first.'),
})

export const conflict = z.object({
  statements: z.array(statement).describe('Statements that cannot all be right, where no date decides which one holds.'),
})
