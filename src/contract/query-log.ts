/** The log of questions, feedback on answers, and which questions went badly. */
import { z } from 'zod'
import { exact } from './exact'
import { count, time, upTo } from './fields'
import type { Immutable } from './immutable'

const MAX_COMMENT = 2000 // bytes
const OUTCOMES = ['answered', 'refused', 'nothing'] as const
const RATINGS = ['good', 'bad'] as const

export const questionId = z.string().regex(/^q_[0-9a-f]{32}$/, 'an id of the query log begins with q_')

export const feedbackSchema = exact({
  question: questionId.describe('The `question_id` of the answer.'),
  rating: z.enum(RATINGS),
  comment: upTo(MAX_COMMENT).optional().describe('What is wrong or right with it; kept as the corpus keeps questions.'),
  wrong_citations: z.array(z.int().min(1).max(1000)).max(100).optional().describe('Markers of citations that do not say what is claimed.'),
})

export const feedbackTaken = z.object({ question: z.string(), rating: z.enum(RATINGS) })

export const loggedQuestion = z
  .object({
    id: z.string(),
    at: time,
    key: z.string().describe('The id of the key that asked; `nobody` if none was sent.'),
    door: z.string(),
    kind: z.enum(['search', 'query']),
    outcome: z.enum(OUTCOMES).describe('`answered`; `refused`: the evidence does not answer; `nothing`: there is no evidence.'),
    question: z.string().nullable().describe('Null: forgotten with a document that the entry may quote.'),
    answer: z.string().nullable().describe('Null for searches, and if questions are kept redacted.'),
    confidence: z.number().nullable(),
    version: count,
    ms: count,
    documents: z.array(z.string()).describe('The documents of the evidence.'),
    degraded: z.array(z.string()),
    rating: z.enum(RATINGS).nullable(),
    comment: z.string().nullable(),
    wrong_citations: z.array(z.int()).nullable(),
  })
  .describe('A question, as the corpus keeps it.')

export const questionReport = z.object({
  data: z
    .array(
      z.object({
        question: z.string().describe('As it was last asked.'),
        count: count.describe('How often it was asked in these or nearly these words.'),
        nothing: count.describe('How often nothing was found.'),
        refused: count.describe('How often the evidence did not answer it.'),
        bad: count.describe('How often the answer was rated badly.'),
        last_seen: time,
        ids: z.array(z.string()).describe('The latest ten entries.'),
      }),
    )
    .describe('Most frequent first.'),
  looked_at: count.describe('How many entries the report covers: at most the newest 2,000.'),
  forgotten: count.describe('How many of them no longer have their wording.'),
})

export type NewFeedback = Immutable<z.input<typeof feedbackSchema>>
export type LoggedQuestion = Immutable<z.output<typeof loggedQuestion>>
export type QuestionReport = Immutable<z.output<typeof questionReport>>
