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

export const superseded = z.object({
  current: statement,
  replaced: z.array(statement).describe('What older documents said in its place, the latest first.'),
})

export const conflict = z.object({ statements: z.array(statement).describe('They cannot all be right, and no date tells which holds.') })
