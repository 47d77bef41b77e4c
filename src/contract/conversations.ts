/** Conversations that a corpus keeps on request: what a question says to be kept, and what is kept. */
import { z } from 'zod'
import { exact } from './exact'
import { count, time, upTo } from './fields'
import type { Immutable } from './immutable'
import { citation } from './questions'

const MAX_TITLE = 200 // bytes

/** What replaces an answer, and why. */
export const WITHHELD = ['forgotten', 'access'] as const

const head = {
  id: z.string(),
  title: z.string().nullable().describe('Its given name, or its first question, shortened. Null: forgotten with a document.'),
  turns: count,
  created_at: time,
  changed_at: time.describe('When its last turn was kept.'),
}

export const conversationHead = z.object(head).describe('A conversation kept for the key that asks.')

export const keptTurn = z.object({
  id: z.string(),
  at: time,
  version: count,
  question: z.string().nullable().describe('Null: forgotten.'),
  answer: z.string().nullable().describe('Null: see `withheld`.'),
  answered: z.boolean(),
  citations: z.array(citation).describe('As checked when the answer was given, at `version`.'),
  withheld: z
    .enum(WITHHELD)
    .nullable()
    .describe(
      'Why the answer is withheld. `forgotten`: a document that it rests on, or that an earlier turn rests on, was deleted. `access`: the reader may not see such a document now.',
    ),
})

export const conversationSchema = z.object({ ...head, data: z.array(keptTurn).describe('Oldest first; at most 100.') })

export const renamedSchema = exact({
  title: upTo(MAX_TITLE)
    .refine((text) => text.trim() !== '', { message: 'must not be blank' })
    .describe(`At most ${MAX_TITLE} bytes.`),
})

export type ConversationHead = Immutable<z.output<typeof conversationHead>>
export type Conversation = Immutable<z.output<typeof conversationSchema>>
export type KeptTurn = Immutable<z.output<typeof keptTurn>>
