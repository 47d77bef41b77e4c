/**
 * Functions of a chat, the calls since the question, and the calls the model asks for now: in OpenAI's form, and in that of a
 * question.
 */
import type { QueryResult, Question } from '../../client/client'
import type { Chat } from '../../contract/chat'

type ToolMembers = Pick<Question, 'tools' | 'tool_choice' | 'tool_turns'>
type ToolTurns = NonNullable<Question['tool_turns']>
type Calls = NonNullable<QueryResult['tool_calls']>
type ChatMessage = Chat['messages'][number]

/** `after`: the messages behind the question. */
export function toolsOf(
  { tools, tool_choice: choice }: Partial<Pick<Chat, 'tools' | 'tool_choice'>>,
  after: readonly ChatMessage[],
  textOf: (content: ChatMessage['content']) => string,
): ToolMembers {
  const turns = after.flatMap((message): ToolTurns[number][] => {
    const content = textOf(message.content)
    if (message.role === 'tool') return [{ role: 'tool', tool_call_id: message.tool_call_id ?? '', content }]
    if (message.role !== 'assistant' || !message.tool_calls?.length) return []
    const calls = message.tool_calls.map(({ id, function: { name, arguments: given } }) => ({ id, name, arguments: given }))
    return [{ role: 'assistant', tool_calls: calls, ...(content === '' ? {} : { content }) }]
  })
  const named = typeof choice === 'object' && choice ? { name: choice.function.name } : choice
  return {
    ...(tools?.length ? { tools: tools.map(toolOf) } : {}),
    ...(named ? { tool_choice: named } : {}),
    ...(turns.length > 0 ? { tool_turns: turns } : {}),
  }
}

function toolOf({
  function: { name, description, parameters },
}: NonNullable<Chat['tools']>[number]): NonNullable<Question['tools']>[number] {
  return { name, ...(description ? { description } : {}), ...(parameters ? { parameters } : {}) }
}

/** For a message, or for the delta of a stream, in which each has an index. */
export function chatCallsOf(calls: Calls) {
  return calls.map(({ id, name, arguments: given }) => ({ id, type: 'function' as const, function: { name, arguments: given } }))
}
