/** A request in OpenAI's Responses form as a question to a corpus: what means the same in a chat is read as in a chat. */
import type { Chat } from '../../contract/chat'
import type { ResponseAsked } from '../../contract/responses'
import { type CorpusQuestion, questionOf, storedOf, unfitProblem } from './chat-request'

const TEXTS: ReadonlySet<string> = new Set(['input_text', 'output_text', 'text'])
const PASSED_OVER = 'reasoning' // a model's earlier reasoning says nothing about the documents

export function questionOfResponse({
  input,
  instructions,
  model,
  ai_search_options,
  tools,
  tool_choice: choice,
  ...kept
}: ResponseAsked): CorpusQuestion {
  const messages = typeof input === 'string' ? [{ role: 'user' as const, content: input }] : input.flatMap(messageOf)
  const chosen = typeof choice === 'object' && choice ? { type: 'function' as const, function: { name: choice.name } } : choice
  const offered = tools?.map(({ name, description, parameters }) => ({
    type: 'function' as const,
    function: { name, description, parameters },
  }))
  const asked = questionOf({ model, messages, ai_search_options, tools: offered, tool_choice: chosen }, 'input')
  const { corpus, question } = asked
  const stored = storedOf(asked, { store: kept.store, conversation: conversationIn(kept), previous: turnIn(kept) }, 'input')
  return { corpus, question: { ...question, ...stored, ...(instructions ? { response_type: instructions } : {}) } }
}

const conversationIn = ({ conversation }: Pick<ResponseAsked, 'conversation'>): string | undefined =>
  (typeof conversation === 'string' ? conversation : conversation?.id) ?? undefined

/** A response has the id of its turn. */
const turnIn = ({ previous_response_id: id }: Pick<ResponseAsked, 'previous_response_id'>): string | undefined =>
  id ? id.replace(/^resp_/, 'turn_') : undefined

type Item = Exclude<ResponseAsked['input'], string>[number]

function messageOf(item: Item): Chat['messages'] {
  const { type = 'message', role, content } = item
  if (type === PASSED_OVER) return []
  const { call_id: id = '', name = '', arguments: given = '', output } = item
  if (type === 'function_call') return [{ role: 'assistant', tool_calls: [{ id, function: { name, arguments: given } }] }]
  if (type === 'function_call_output')
    return [{ role: 'tool', tool_call_id: id, content: typeof output === 'string' ? output : textsOf(output ?? []) }]
  if (type !== 'message' || !role) throw unfitProblem('input', `only messages with a role are supported, not ${type}`)
  if (typeof content === 'string' || !content) return [{ role, content }]
  return [{ role, content: textsOf(content) }]
}

type Parts = Exclude<Item['content'], string | null | undefined>

const textsOf = (parts: Parts): Parts => parts.map((part) => ({ ...part, type: TEXTS.has(part.type) ? 'text' : part.type }))
