/**
 * Models that think aloud before they answer: thinking is billed as output and would use up the room of a short reply. It is switched
 * off where the model has a switch, kept low where it has a dial, and given room where it has neither. By model id, as far as known.
 */
import type { Message } from '../ports/models'

const room = {
  dial: 1000, // more tokens for a model whose thinking is turned low
  neither: 3000, // more tokens for a model that always thinks
} as const

export interface Quiet {
  readonly messages: readonly Message[]
  readonly max_tokens: number
  readonly [option: string]: unknown
}

export function quiet(model: string, messages: readonly Message[], tokens: number): Quiet {
  const id = model.toLowerCase()
  const hosted = id.startsWith('@cf/')
  const template = hosted ? { chat_template_kwargs: { enable_thinking: false } } : {}
  // Qwen 3 reads its switch from the prompt, too, whatever serves it; the 2507 "instruct" editions never think.
  if (/qwen-?3/.test(id) && !/instruct|coder/.test(id)) return { messages: withSwitch(messages), max_tokens: tokens, ...template }
  if (/glm-|gemma-4|kimi-k2/.test(id)) return { messages, max_tokens: tokens, ...template }
  if (/gpt-oss/.test(id)) return { messages, max_tokens: tokens + room.dial, reasoning_effort: 'low' }
  if (/qwq|deepseek-r1/.test(id)) return { messages, max_tokens: tokens + room.neither }
  return { messages, max_tokens: tokens }
}

function withSwitch(messages: readonly Message[]): readonly Message[] {
  const first = messages[0]
  if (first?.role !== 'system') return [{ role: 'system', content: '/no_think' }, ...messages]
  return [{ role: 'system', content: `${first.content}\n\n/no_think` }, ...messages.slice(1)]
}
