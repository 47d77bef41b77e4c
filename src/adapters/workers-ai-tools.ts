/** Function calling as the catalogue's models support it: requested in OpenAI's form, returned in that or in an older one. */
import { TOOL_MODELS, type ToolCall, type ToolTurn, type ToolUse, toolName } from '../contract/tools'
import type { Message } from '../ports/models'

/** `named`: ids of models that can call functions, in addition to those known to, separated by commas; `*`: all. */
export function callsTools(model: string, named = ''): boolean {
  const ids = named.split(',').map((one) => one.trim())
  return ids.includes('*') || ids.includes(model) || TOOL_MODELS.some((known) => model.toLowerCase().includes(known))
}

/** The results, after the question, which contains the sources. */
export function messagesWith(messages: readonly Message[], { turns }: ToolUse): readonly unknown[] {
  return [...messages, ...turns.map(wireTurn)]
}

function wireTurn(turn: ToolTurn): unknown {
  if (turn.role === 'tool') return turn
  const calls = turn.tool_calls.map(({ id, name, arguments: given }) => ({ id, type: 'function', function: { name, arguments: given } }))
  return { role: 'assistant', content: turn.content ?? '', tool_calls: calls }
}

/** A model that has nothing to call is sent no list. */
export function toolInputs({ tools, choice }: ToolUse): object {
  if (tools.length === 0) return {}
  const listed = tools.map((one) => ({ type: 'function', function: { parameters: { type: 'object', properties: {} }, ...one } }))
  return { tools: listed, tool_choice: typeof choice === 'string' ? choice : { type: 'function', function: choice } }
}

/** The calls that a model requests; a call to a function that was not offered is dropped. `newId`: used if it gives none. */
export function toolCallsOf(reply: unknown, { tools }: ToolUse, newId: () => string): readonly ToolCall[] {
  const body = loose(reply)
  const message = loose(loose(list(body.choices)[0]).message)
  const output = list(body.output)
    .map(loose)
    .filter(({ type }) => type === 'function_call')
  const calls = [...list(message.tool_calls ?? body.tool_calls), ...output]
  const offered = new Set(tools.map(({ name }) => name))
  return calls.map(loose).flatMap((call) => {
    const { name, arguments: given } = loose(call.function ?? call)
    if (!toolName.safeParse(name).success || !offered.has(name as string)) return []
    const id = call.call_id ?? call.id
    const text = typeof given === 'string' ? given : JSON.stringify(given ?? {})
    return [{ id: typeof id === 'string' && id !== '' ? id.slice(0, 256) : newId(), name: name as string, arguments: text }]
  })
}

type Loose = { readonly [key: string]: unknown }
const loose = (value: unknown): Loose => (typeof value === 'object' && value !== null ? (value as Loose) : {})
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
