/**
 * How a question says that it and its answer are to be kept, or that no kept answer is wanted, and how the answer says where they
 * are.
 */
import { z } from 'zod'
import { keeping, keptBefore } from './kept-answers'

export const conversationId = z.string().regex(/^conv_[0-9a-f]{32}$/, 'the id of a kept conversation begins with conv_')
const turnId = z.string().regex(/^turn_[0-9a-f]{32}$/, 'the id of a kept turn begins with turn_')

/** Members of a question's body. */
export const storing = {
  ...keeping,
  store: z
    .boolean()
    .optional()
    .describe(
      'Keep question and answer for this key: in `conversation`, or in a new one. Off by default; on by default with `conversation`.',
    ),
  conversation: conversationId.optional().describe('A kept conversation to continue. Its turns are the history.'),
  previous_turn: turnId.optional().describe('The same, given by its last turn.'),
}

/** Members of its answer. */
export const stored = {
  ...keptBefore,
  conversation: z
    .object({ id: z.string(), turn: z.string() })
    .optional()
    .describe('Where question and answer were kept. Absent: they were not.'),
}

interface Storing {
  readonly store?: boolean | undefined
  readonly conversation?: string | undefined
  readonly previous_turn?: string | undefined
  readonly history?: readonly unknown[] | undefined
}

/** Earlier turns come from one place only, for which it is known what they rest on. */
export function storingFits({ store, conversation, previous_turn, history }: Storing, context: z.RefinementCtx): void {
  const isKept = store === true || conversation !== undefined || previous_turn !== undefined
  if (isKept && history !== undefined && history.length > 0)
    context.addIssue({
      code: 'custom',
      path: ['history'],
      message: 'a kept conversation has its own history: leave `history` out',
    })
  if (conversation !== undefined && previous_turn !== undefined)
    context.addIssue({ code: 'custom', path: ['previous_turn'], message: 'give the conversation or its last turn, not both' })
}
