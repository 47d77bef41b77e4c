/**
 * Models that reason before they answer: reasoning is billed as output and would use up the limit of a short reply. It is switched off if the model has a
 * switch, kept low if it has a dial, and given extra tokens if it has neither. By model id, as far as known.
 */
import type { Message } from '../ports/models'

const DIAL = { names: /gpt-oss|(?:^|\/)(?:gpt-5|o\d)/, tokens: 1000 } // its thinking is set to low
const NEITHER = { names: /qwq|deepseek-r1/, tokens: 3000 } // it always thinks

export interface Quiet {
  readonly messages: readonly Message[]
  readonly max_tokens: number
  readonly [option: string]: unknown
}

export function quiet(model: string, messages: readonly Message[], tokens: number): Quiet {
  const id = model.toLowerCase()
  const hosted = id.startsWith('@cf/')
  const template = hosted ? { chat_template_kwargs: { enable_thinking: false } } : {}
  // Qwen 3 also reads its switch from the prompt, whatever serves it; the 2507 "instruct" editions never think.
  if (/qwen-?3/.test(id) && !/instruct|coder/.test(id)) return { messages: withSwitch(messages), max_tokens: tokens, ...template }
  if (/glm-|gemma-4|kimi-k2/.test(id)) return { messages, max_tokens: tokens, ...template }
  const all = { messages, max_tokens: tokens + thinkingTokens(model) }
  return DIAL.names.test(id) ? { ...all, reasoning_effort: 'low' } : all
}

/** Tokens that a reply of the model gets in addition to those requested. */
export function thinkingTokens(model: string): number {
  const thinks = [DIAL, NEITHER].find(({ names }) => names.test(model.toLowerCase()))
  return thinks?.tokens ?? 0
}

function withSwitch(messages: readonly Message[]): readonly Message[] {
  const first = messages[0]
  if (first?.role !== 'system') return [{ role: 'system', content: '/no_think' }, ...messages]
  return [{ role: 'system', content: `${first.content}\n\n/no_think` }, ...messages.slice(1)]
}
