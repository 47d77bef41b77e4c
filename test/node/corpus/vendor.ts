/** A vendor behind the real adapter that bills each call at its most, whatever becomes of it. */
import { workersAi } from '../../../src/adapters/workers-ai'
import { modelConfig } from '../../../src/adapters/workers-ai-config'
import type { Message, Models } from '../../../src/ports/models'
import { hashed } from '../../core/flows/fakes'
import { DIMENSIONS } from './mortal-object'
import { scribe } from './spending'

interface Inputs {
  readonly text?: readonly string[]
  readonly query?: string
  readonly contexts?: readonly { readonly text: string }[]
  readonly messages?: readonly Message[]
  readonly max_tokens?: number
  readonly response_format?: unknown
}

/** What becomes of a call that is billed. */
const FAILURES = ['3007: Request timeout', 'Network connection lost.', "5024: JSON Mode couldn't be met"] as const
const USELESS = FAILURES.length // a reply without text, vectors of zeros
const FATES = 14 // as many as USELESS and those before it fail, one is refused, the others succeed

/** Bytes as a model may see them: its form may be longer than what was sent. */
export function bytesOf(text: string): number {
  return Math.max(...[text, text.normalize('NFKC')].map((form) => new TextEncoder().encode(form).length))
}

function replyTo({ text, contexts, messages = [] }: Inputs, isUseful: boolean): object {
  if (text) return { data: text.map((one) => (isUseful ? [...hashed(one, DIMENSIONS)] : Array(DIMENSIONS).fill(0))) }
  if (contexts) return { response: contexts.map((_, id) => ({ id, score: 0.5 })) }
  const prompt = messages.map((one) => one.content).join('\n')
  return isUseful ? { response: prompt.includes('numbered sources') ? 'On Tuesdays [1].' : scribe(prompt) } : {}
}

/** Bytes of all it reads: no vocabulary makes more tokens of them. */
function readBy({ text = [], query = '', contexts = [], messages = [], response_format: form }: Inputs): number {
  const texts = [
    ...text,
    ...contexts.flatMap((one) => [query, one.text]),
    ...messages.map((one) => one.content),
    JSON.stringify(form) ?? '',
  ]
  return texts.map(bytesOf).reduce((a, b) => a + b, 0)
}

export interface Vendor {
  readonly models: Models
  /** In tokens; and how many calls of it came to nothing. */
  readonly bill: { tokens: number; lost: number }
}

/** Without `roll` every call succeeds. */
export function vendor(id: string, roll = () => USELESS + 1): Vendor {
  const bill = { tokens: 0, lost: 0 }
  const run = async (_model: string, input: unknown): Promise<unknown> => {
    const inputs = input as Inputs
    await new Promise(setImmediate)
    const fate = roll() % FATES
    if (fate === FATES - 1) throw new Error('3040: No more data centers to forward the request to')
    const usage = { prompt_tokens: readBy(inputs), completion_tokens: inputs.max_tokens ?? 0 }
    bill.tokens += usage.prompt_tokens + usage.completion_tokens
    if (fate <= USELESS) bill.lost++
    if (fate < USELESS) throw new Error(FAILURES[fate])
    return { ...replyTo(inputs, fate !== USELESS), usage }
  }
  const config = modelConfig({
    EMBEDDING_MODEL: 'counted',
    EMBEDDING_DIMENSIONS: DIMENSIONS,
    EMBEDDING_WINDOW: 512,
    TEXT_MODEL: id,
    TEXT_WINDOW: 32_000,
    RERANKER_MODEL: 'counted',
  })
  const world = { now: () => 0, sleep: async () => {}, after: () => () => {}, random: () => 0.5 }
  return { bill, models: workersAi({ ai: { run } }, config, world) }
}
