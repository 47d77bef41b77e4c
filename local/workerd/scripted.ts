/**
 * A reply a test has written, in the shape of whichever model it plays, cut where its room ends. JSON mode gives an object or an error,
 * never half of one.
 */
import { inference } from './faults'
import type { Asked } from './requests'
import { eventStream } from './sse'
import type { Scripted } from './world'

const PER_TOKEN = 4 // characters, roughly

type Writing = Asked & { readonly kind: 'text' }

export function scriptedReply(scripted: Scripted, asked: Writing): unknown {
  if (scripted.fault) throw inference(scripted.fault)
  const { reply: whole = '', shape = 'response' } = scripted
  const isCut = tokensOf(whole) > asked.tokens
  const said = isCut ? whole.slice(0, asked.tokens * PER_TOKEN) : whole
  const usage = usageOf(asked, said)
  if (asked.stream) return eventStream(said.match(/\s*\S+\s*/g) ?? [], usage)
  const object = asked.schema === undefined ? undefined : parsed(said)
  if (asked.schema !== undefined && object === undefined) throw inference(5024)
  if (shape === 'bare') return said
  if (shape === 'choices') {
    const message = { role: 'assistant', content: said, tool_calls: [] }
    return { id: 'scripted', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: isCut ? 'length' : 'stop' }], usage }
  }
  return { response: object ?? said, tool_calls: [], usage }
}

function usageOf(asked: Writing, said: string): unknown {
  const prompt = asked.messages.reduce((sum, message) => sum + tokensOf(message.content), 0)
  const completion = Math.min(asked.tokens, tokensOf(said))
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / PER_TOKEN)
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
