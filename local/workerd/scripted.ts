/**
 * A reply that a test has written, in the shape of the model it plays, cut at the token limit. JSON mode returns an object or an error,
 * never half an object.
 */
import { inference } from './faults'
import type { Asked } from './requests'
import type { Scripted } from './world'

const PER_TOKEN = 4 // characters, roughly

type Writing = Asked & { readonly kind: 'text' }

export interface Said {
  readonly text: string
  readonly isCut: boolean
  readonly usage: unknown
}

export function saidBy({ fault, reply = '' }: Scripted, asked: Writing): Said {
  if (fault) throw inference(fault)
  const isCut = tokensOf(reply) > asked.tokens
  const text = isCut ? reply.slice(0, asked.tokens * PER_TOKEN) : reply
  return { text, isCut, usage: usageOf(asked, text) }
}

/** A complete reply, as a model gives when it is not asked to stream. */
export function scriptedReply(scripted: Scripted, asked: Writing): unknown {
  const { text: said, isCut, usage } = saidBy(scripted, asked)
  const { shape = 'response' } = scripted
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
