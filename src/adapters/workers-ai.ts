/**
 * Workers AI as the models port: batches, one shape for every model's reply, faults as codes. Model ids, dimensions and windows are
 * configuration. Never logs and never passes on a text of the vendor's. One per invocation (see workers-ai-calls.ts).
 */
import { countTokens } from '../core/text/tokens'
import type { AiBinding, CallSlots, Message, Models, Spent } from '../ports'
import { calls, realWorld, type World } from './workers-ai-calls'
import { mapped, modelError, refusesJson } from './workers-ai-faults'
import { scoresOf, textOf, usageOf, vectorsOf } from './workers-ai-replies'
import { deltas, type Heard } from './workers-ai-stream'
import { quiet } from './workers-ai-thinking'

export interface ModelConfig {
  readonly embedding: Models['embedding']
  readonly text: Models['text']
  readonly reranker: Models['reranker']
}

export const limits = {
  batch: 100, // texts in one embedding or reranking call, the vendor's limit
  embedding: 30_000, // milliseconds, as all below
  reranking: 20_000,
  writing: 120_000,
  beginning: 60_000, // until the first byte of a stream
  silence: 30_000, // between two bytes of a stream
} as const

// The vendor's default for these pools by mean; they were trained with the first token's vector, and the two do not mix in one index.
const CLS = /\/bge-(small|base|large)-en/

export function workersAi(binding: AiBinding, config: ModelConfig, world: World = realWorld, slots?: CallSlots): Models {
  const { run } = calls(binding, world, slots)
  let jsonMode = true // until the model says it has none

  const embedBatch = async (texts: readonly string[]) => {
    const { id, dimensions } = config.embedding
    const reply = await run(id, { text: texts, ...(CLS.test(id) ? { pooling: 'cls' } : {}) }, { deadline: limits.embedding })
    const vectors = vectorsOf(reply, texts.length)
    if (vectors.some((vector) => vector.length !== dimensions)) throw modelError('missing') // not the model this corpus was made with
    return { vectors, embedded: usageOf(reply)?.in ?? total(texts) }
  }
  const rerankBatch = async (id: string, query: string, texts: readonly string[]) => {
    const inputs = { query, contexts: texts.map((text) => ({ text })), top_k: texts.length }
    const reply = await run(id, inputs, { deadline: limits.reranking })
    return { scores: scoresOf(reply, texts.length), spent: usageOf(reply)?.in ?? countTokens(query) * texts.length + total(texts) }
  }
  const writeOnce = async (messages: readonly Message[], tokens: number, schema: unknown) => {
    const format = schema === undefined ? {} : { response_format: { type: 'json_schema', json_schema: schema } }
    const inputs = { ...quiet(writer(config), messages, tokens), temperature: 0, ...format }
    const through = schema === undefined ? undefined : refusesJson
    const reply = await run(writer(config), inputs, { deadline: limits.writing, ...(through ? { through } : {}) })
    const text = textOf(reply)
    return { text, spent: usageOf(reply) ?? counted(messages, text) }
  }

  return {
    embedding: config.embedding,
    text: config.text,
    reranker: config.reranker,
    async embed(texts) {
      const done = await Promise.all(slices(texts, limits.batch).map(embedBatch))
      const embedded = done.reduce((sum, one) => sum + one.embedded, 0)
      return { vectors: done.flatMap((one) => one.vectors), spent: { in: 0, out: 0, embedded } }
    },
    async rerank(query, texts) {
      const { reranker } = config
      if (!reranker) throw modelError('missing')
      const done = await Promise.all(slices(texts, limits.batch).map((slice) => rerankBatch(reranker.id, query, slice)))
      const spent = done.reduce((sum, one) => sum + one.spent, 0)
      return { scores: asShares(done.flatMap((one) => one.scores)), spent: { in: spent, out: 0, embedded: 0 } }
    },
    async write(messages, { tokens, schema }) {
      if (schema === undefined) return writeOnce(messages, tokens, undefined)
      if (!jsonMode) return writeOnce(withSchema(messages, schema), tokens, undefined)
      try {
        return await writeOnce(messages, tokens, schema)
      } catch (error) {
        if (!refusesJson(error)) throw error
        // "Couldn't be met" is about this reply; any other refusal is about the model.
        if (!/couldn.t be met/i.test(String(error))) jsonMode = false
        return writeOnce(withSchema(messages, schema), tokens, undefined)
      }
    },
    async stream(messages, { tokens }) {
      const inputs = { ...quiet(writer(config), messages, tokens), temperature: 0, stream: true }
      const reply = await run(writer(config), inputs, { deadline: limits.beginning })
      const heard: Heard = { said: '' }
      const source = isStream(reply) ? deltas(reply, heard, limits.silence, world.now) : once(reply, heard)
      const first = await begun(source, world)
      return { deltas: resumed(first, source), spent: () => heard.usage ?? counted(messages, heard.said) }
    },
  }
}

function writer(config: ModelConfig): string {
  if (!config.text) throw modelError('missing')
  return config.text.id
}

/** Without JSON mode the schema is said in words. */
function withSchema(messages: readonly Message[], schema: unknown): readonly Message[] {
  const asked = `Reply with one JSON object and nothing else. It must match this JSON Schema:\n${JSON.stringify(schema)}`
  return [...messages, { role: 'user', content: asked }]
}

/** A model that does not stream is one long delta. */
async function* once(reply: unknown, heard: Heard): AsyncGenerator<string, void, void> {
  const text = textOf(reply)
  heard.said = text
  heard.usage = usageOf(reply)
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

function counted(messages: readonly Message[], text: string): Spent {
  return { in: total(messages.map((message) => message.content)), out: countTokens(text), embedded: 0 }
}

function total(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + countTokens(text), 0)
}

function slices<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))
}
