/**
 * Workers AI as the models port: batches, one shape for every model's reply, faults as codes. Model ids, dimensions and windows are
 * configuration. It never logs or passes on the vendor's words. One per invocation (see workers-ai-calls.ts).
 */
import type { ToolUse } from '../contract/tools'
import type { Spent } from '../contract/usage'
import { countTokens } from '../core/text/tokens'
import { aiLimits } from '../platform-limits'
import type { CallSlots } from '../ports/call-slots'
import type { CallOptions, Message, Models, WriterRole } from '../ports/models'
import { embeddingBatches, slices } from './embedding-batches'
import { formInWords } from './schema-in-words'
import { type Binding, calls, realWorld, type World } from './workers-ai-calls'
import { mapped, missedSchema, modelError, refusesJson } from './workers-ai-faults'
import { isCut, isUsable, maxCharacters, scoresOf, spokenOf, textOf, usageOf, vectorsOf } from './workers-ai-replies'
import { deltas, type Heard } from './workers-ai-stream'
import { quiet } from './workers-ai-thinking'
import { messagesWith, toolCallsOf, toolInputs } from './workers-ai-tools'

export interface ModelConfig extends Pick<Models, 'embedding' | 'text' | 'roles' | 'choices'> {
  /** Milliseconds that a writing call may take, and a stream until it begins. Default: what the platform allows. */
  readonly writingMs?: number
  readonly reranker: Models['reranker']
}

export const limits = {
  embedding: 30_000, // milliseconds, as all below
  reranking: 20_000,
  writing: aiLimits.timeoutMs,
  beginning: 60_000, // until the first byte of a stream
  silence: 30_000, // between two bytes of a stream
} as const

// The vendor's default pools these by mean; they were trained with the first token's vector, and the two do not mix in one index.
const CLS = /\/bge-(small|base|large)-en/
// By default it refuses a text that is too long, along with all others in the call. Texts are cut to windows beforehand; counts are estimates.
const REFUSES_LONG = /\/bge-m3/

/** Bytes of a reply's body: a larger one is not parsed. */
const bytes = {
  number: 32, // in a vector, or a score with its name
  character: 8, // of text, escaped in JSON and in its own event
  event: 1024, // in a stream: what a vendor writes around a token
  slack: 65_536,
} as const
const REFUSED: readonly number[] = [] // a vector that is unusable
const BROKEN = 4 // texts in a call without any usable vector
const TRIES = 3 // calls for a text with an unusable vector

interface Writing extends CallOptions {
  readonly tokens: number
  readonly role?: WriterRole | undefined
  readonly model?: string | undefined
  readonly schema?: unknown
  readonly tools?: ToolUse | undefined
}

export function workersAi(binding: Binding, config: ModelConfig, world: World = realWorld, slots?: CallSlots): Models {
  const { run } = calls(binding, world, slots)
  const withoutJsonMode = new Set<string>() // models that have reported this

  const embedOnce = async (texts: readonly string[], { signal, mayRepeat }: CallOptions) => {
    const { id, dimensions } = config.embedding
    const options = { ...(CLS.test(id) ? { pooling: 'cls' } : {}), ...(REFUSES_LONG.test(id) ? { truncate_inputs: true } : {}) }
    const maxBytes = bytes.slack + texts.length * dimensions * bytes.number
    const reply = await run(
      { model: id, kind: 'embedding' },
      { text: texts, ...options },
      { deadline: limits.embedding, signal, mayRepeat: mayRepeat && ((lost) => mayRepeat({ ...lost, texts })), maxBytes },
    )
    const vectors = vectorsOf(reply, texts.length)
    const [first = 0, ...others] = new Set(vectors.map((vector) => vector.length))
    if (others.length === 0 && first > 0 && first !== dimensions) throw modelError('missing') // not the model that this corpus was made with
    const usable = vectors.map((vector) => (isUsable(vector, dimensions) ? vector : REFUSED))
    return { vectors: usable, embedded: usageOf(reply)?.in ?? total(texts) }
  }
  /** A text with an unusable vector is requested again, and gets none if that does not help; the others get theirs. */
  const embedBatch = async (texts: readonly string[], options: CallOptions) => {
    const vectors: (readonly number[])[] = texts.map(() => REFUSED)
    let [embedded, calls] = [0, 0]
    let open = texts.map((_, i) => i)
    while (open.length > 0 && calls < TRIES) {
      const wanted = open.map((i) => texts[i] ?? '')
      if (calls > 0 && options.mayRepeat && !(await options.mayRepeat({ isCounted: true, texts: wanted }))) throw modelError('invalid')
      const reply = await embedOnce(wanted, options)
      calls++
      embedded += reply.embedded
      open.forEach((i, at) => {
        vectors[i] = reply.vectors[at] ?? REFUSED
      })
      open = open.filter((i) => vectors[i] === REFUSED)
      if (open.length === texts.length && texts.length >= BROKEN) throw modelError('down') // the texts are not the cause: the model gives nothing usable
    }
    return { vectors, embedded, calls }
  }
  const rerankBatch = async (id: string, query: string, texts: readonly string[], options: CallOptions) => {
    const inputs = { query, contexts: texts.map((text) => ({ text })), top_k: texts.length }
    const reply = await run({ model: id, kind: 'rerank' }, inputs, {
      ...options,
      deadline: limits.reranking,
      maxBytes: bytes.slack + texts.length * bytes.number * 4,
    })
    return { scores: scoresOf(reply, texts.length), spent: usageOf(reply)?.in ?? countTokens(query) * texts.length + total(texts) }
  }
  const writeOnce = async (messages: readonly Message[], { tokens, schema, signal, mayRepeat, role, model: chosen, tools }: Writing) => {
    const model = writer(config, role, chosen)
    const format = schema === undefined ? {} : { response_format: { type: 'json_schema', json_schema: schema } }
    const plain = quiet(model, messages, tokens)
    const offered = tools ? { messages: messagesWith(plain.messages, tools), ...toolInputs(tools) } : {}
    const inputs = { ...plain, ...offered, temperature: 0, ...format }
    const through = schema === undefined ? undefined : refusesJson
    const reply = await run({ model, kind: 'text' }, inputs, {
      deadline: config.writingMs ?? limits.writing,
      signal,
      mayRepeat,
      through,
      maxBytes: textBytes(inputs.max_tokens),
    })
    const calls = tools ? toolCallsOf(reply, tools, () => `call_${crypto.randomUUID().replaceAll('-', '')}`) : []
    const text = calls.length > 0 ? spokenOf(reply, inputs.max_tokens) : textOf(reply, inputs.max_tokens)
    const said = tools ? [text, JSON.stringify([calls, tools])].join('\n') : text
    const spent = usageOf(reply) ?? counted(messages, said, inputs.max_tokens)
    return {
      text,
      spent,
      ...(calls.length > 0 ? { toolCalls: calls } : {}),
      ...(isCut(reply, inputs.max_tokens, spent.out) ? { truncated: true } : {}),
    }
  }

  return {
    embedding: config.embedding,
    text: config.text,
    ...(config.roles ? { roles: config.roles } : {}),
    ...(config.choices ? { choices: config.choices } : {}),
    reranker: config.reranker,
    async embed(texts, options = {}) {
      const batches = embeddingBatches(texts, config.embedding.window)
      const done = await Promise.all(batches.map((batch) => embedBatch(batch, options)))
      const embedded = done.reduce((sum, one) => sum + one.embedded, 0)
      const calls = done.reduce((sum, one) => sum + one.calls, 0)
      return { vectors: done.flatMap((one) => one.vectors), spent: { in: 0, out: 0, embedded }, calls }
    },
    async rerank(query, texts, options = {}) {
      const { reranker } = config
      if (!reranker) throw modelError('missing')
      const batches = slices(texts, aiLimits.maxRerankContexts)
      const done = await Promise.all(batches.map((slice) => rerankBatch(reranker.id, query, slice, options)))
      const spent = done.reduce((sum, one) => sum + one.spent, 0)
      return { scores: asShares(done.flatMap((one) => one.scores)), spent: { in: spent, out: 0, embedded: 0 } }
    },
    async write(messages, { schema, ...options }) {
      if (schema === undefined) return writeOnce(messages, options)
      const model = writer(config, options.role, options.model)
      if (withoutJsonMode.has(model)) return writeOnce(withSchema(messages, schema), options)
      try {
        return await writeOnce(messages, { ...options, schema })
      } catch (error) {
        if (!refusesJson(error)) throw error
        if (!missedSchema(error)) withoutJsonMode.add(model)
        else if (options.mayRepeat && !(await options.mayRepeat({ isCounted: false }))) throw modelError('invalid')
        return writeOnce(withSchema(messages, schema), options)
      }
    },
    async stream(messages, { tokens, signal, mayRepeat, role, model: chosen }) {
      const model = writer(config, role, chosen)
      const inputs = { ...quiet(model, messages, tokens), temperature: 0, stream: true }
      const room = inputs.max_tokens
      const maxBytes = textBytes(room) + room * bytes.event
      const reply = await run({ model, kind: 'text' }, inputs, {
        deadline: config.writingMs ?? limits.beginning,
        signal,
        mayRepeat,
        streams: true,
        maxBytes,
      })
      const heard: Heard = { said: '' }
      const bounds = { maxBytes, maxCharacters: maxCharacters(room) }
      const listening = { heard, silence: limits.silence, signal, now: world.now, ...bounds }
      const source = isStream(reply) ? deltas(reply, listening) : once(reply, heard, room)
      const first = await begun(source, world)
      const spent = (): Spent => heard.usage ?? counted(messages, heard.said, room)
      const isTruncated = (): boolean => (heard.end === undefined ? spent().out >= room : heard.end === 'cut')
      return { deltas: resumed(first, source), spent, isTruncated }
    },
  }
}

function textBytes(tokens: number): number {
  return bytes.slack + maxCharacters(tokens) * bytes.character
}

function writer({ text, roles, choices }: ModelConfig, role: WriterRole | undefined, chosen: string | undefined): string {
  const model = choices?.find(({ id }) => id === chosen) ?? (role && roles?.[role]) ?? text
  if (!model) throw modelError('missing')
  return model.id
}

/** Without JSON mode the schema is described in words. */
function withSchema(messages: readonly Message[], schema: unknown): readonly Message[] {
  return [...messages, { role: 'user', content: formInWords(schema) }]
}

/** The reply of a model that does not stream is one long delta. */
async function* once(reply: unknown, heard: Heard, room: number): AsyncGenerator<string, void, void> {
  const text = textOf(reply, room)
  heard.said = text
  heard.usage = usageOf(reply)
  heard.end = isCut(reply, room, heard.usage?.out ?? 0) ? 'cut' : 'whole'
  yield text
}

async function begun(source: AsyncGenerator<string, void, void>, world: World): Promise<string> {
  try {
    const first = await source.next()
    if (!first.done) return first.value
  } catch (error) {
    throw mapped(error, world.now())
  }
  throw modelError('invalid')
}

async function* resumed(first: string, rest: AsyncGenerator<string, void, void>): AsyncGenerator<string, void, void> {
  try {
    yield first
    yield* rest
  } finally {
    await rest.return()
  }
}

function isStream(reply: unknown): reply is ReadableStream<Uint8Array> {
  return reply instanceof ReadableStream
}

/** Cross-encoders give either probabilities or logits; logits become probabilities. */
function asShares(scores: readonly number[]): readonly number[] {
  if (scores.every((score) => score >= 0 && score <= 1)) return scores
  return scores.map((score) => 1 / (1 + Math.exp(-score)))
}

/** Used if a model does not report usage. No reply is longer than its limit, whatever we count. */
function counted(messages: readonly Message[], text: string, room: number): Spent {
  return { in: total(messages.map((message) => message.content)), out: Math.min(room, countTokens(text)), embedded: 0 }
}

function total(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + countTokens(text), 0)
}
