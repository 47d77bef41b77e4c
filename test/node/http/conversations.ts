/** The part of a corpus's object that keeps conversations, as small as can be: it has one, `conv_1…`. */
import type { ConversationObject, NewTurn } from '../../../src/ports/conversations'

export const KNOWN = `conv_${'1'.repeat(32)}`

const head = { id: KNOWN, title: 'Bread', turns: 1, created: 1, changed: 1 }

export function fakeConversations(kept: NewTurn[] = []): ConversationObject {
  return {
    conversations: async () => [head],
    conversation: async () => ({ ...head, data: [] }),
    restsOn: async () => [],
    earlierTurns: async () => ({ kind: 'found', id: KNOWN, turns: [{ question: 'When?', answer: 'On Tuesdays.' }], leans: 1 }),
    keepTurn: async (_, turn) => {
      kept.push(turn)
      return true
    },
    renameConversation: async (_, title) => ({ ...head, title }),
    forgetConversations: async () => 1,
  }
}
