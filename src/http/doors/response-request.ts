/** A request of OpenAI's Responses as a question to a corpus: what means the same in a chat is read as a chat's. */
import type { Chat } from '../../contract/chat'
import type { ResponseAsked } from '../../contract/responses'
import { type CorpusQuestion, questionOf, unfitProblem } from './chat-request'

const TEXTS: ReadonlySet<string> = new Set(['input_text', 'output_text', 'text'])
const PASSED_OVER = 'reasoning' // what a model thought before says nothing of the documents

export function questionOfResponse({ input, instructions, model, ai_search_options }: ResponseAsked): CorpusQuestion {
  const messages = typeof input === 'string' ? [{ role: 'user' as const, content: input }] : input.flatMap(messageOf)
  const { corpus, question } = questionOf({ model, messages, ai_search_options }, 'input')
  return { corpus, question: { ...question, ...(instructions ? { response_type: instructions } : {}) } }
}

type Item = Exclude<ResponseAsked['input'], string>[number]

function messageOf({ type = 'message', role, content }: Item): Chat['messages'] {
  if (type === PASSED_OVER) return []
  if (type !== 'message' || !role) throw unfitProblem('input', `only messages can be read, each with its role; not ${type}`)
  if (typeof content === 'string' || !content) return [{ role, content }]
  return [{ role, content: content.map((part) => ({ ...part, type: TEXTS.has(part.type) ? 'text' : part.type })) }]
}
