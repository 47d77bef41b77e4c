/**
 * `env.AI` on a machine without an account: an adapter from the AI binding's call shape to any OpenAI-compatible server, or to
 * the hash embedder. What the caller sees (shapes, limits, errors, streams) is Workers AI's. There is no `toMarkdown`: documents
 * are converted in the account only.
 */
import { WorkerEntrypoint } from 'cloudflare:workers'
import type { Env } from './env'
import { inference } from './faults'
import { hashEmbedding } from './hash-embedder'
import { complete, embeddings, ranking, streamed } from './openai'
import { type Asked, read } from './requests'
import { eventStream } from './sse'
import { failing, record, type Scripted, world } from './world'

const MOST_TEXTS = 100 // per call, as for the bge models

export class AiStandIn extends WorkerEntrypoint<Env> {
  async run(model: string, inputs: unknown, _options?: unknown): Promise<unknown> {
    const asked = read(inputs)
    record(this.env.RECORD === '1', {
      binding: 'ai',
      op: asked.kind,
      model,
      count: asked.kind === 'embed' || asked.kind === 'rerank' ? asked.texts.length : 1,
      ...(asked.kind === 'text' ? { messages: asked.messages } : {}),
    })
    if (!model) throw inference(5007)
    if ((world.ai.model ?? model) === model && failing(world.ai)) throw inference(world.ai.code)
    switch (asked.kind) {
      case 'embed':
        return this.#embed(model, asked.texts)
      case 'rerank':
        return this.#rerank(model, asked)
      case 'text':
        return this.#write(model, asked)
    }
  }

  async #embed(model: string, texts: readonly string[]): Promise<unknown> {
    if (texts.length > MOST_TEXTS) throw inference(5004, `(at most ${MOST_TEXTS} texts a call)`)
    const dimensions = Number(this.env.EMBEDDING_DIMENSIONS)
    const data =
      this.env.EMBEDDINGS_URL === 'hash'
        ? texts.map((text) => hashEmbedding(text, dimensions))
        : await embeddings(this.env, this.env.EMBEDDINGS_MODEL || model, texts)
    return { shape: [data.length, data[0]?.length ?? dimensions], data, pooling: 'mean' }
  }

  async #rerank(model: string, asked: Asked & { kind: 'rerank' }): Promise<unknown> {
    if (!this.env.RERANKER_URL) throw inference(5007)
    const response =
      this.env.RERANKER_URL === 'hash' ? hashRanking(asked) : await ranking(this.env, this.env.RERANKER_MODEL || model, asked)
    return { response: [...response].sort((a, b) => b.score - a.score || a.id - b.id).slice(0, asked.top) }
  }

  async #write(model: string, asked: Asked & { kind: 'text' }): Promise<unknown> {
    if (asked.stream && asked.schema !== undefined) throw inference(5023)
    const scripted = next(asked)
    if (scripted?.fault) throw inference(scripted.fault)
    if (scripted) return told(scripted.reply ?? '', asked)
    if (!this.env.TEXT_URL) throw inference(5007)
    const upstream = this.env.TEXT_MODEL || model
    if (asked.stream) return streamed(this.env, upstream, asked)
    return complete(this.env, upstream, asked)
  }
}

/** The first scripted reply that fits the request, taken off the list unless it repeats. */
function next(asked: Asked & { kind: 'text' }): Scripted | undefined {
  const words = asked.messages.map((message) => message.content).join('\n')
  const at = world.script.findIndex((entry) => entry.match === undefined || words.includes(entry.match))
  const found = world.script[at]
  if (found && !found.repeat) world.script.splice(at, 1)
  return found
}

function told(reply: string, asked: Asked & { kind: 'text' }): unknown {
  const count = (text: string): number => Math.ceil(text.length / 4) // characters a token, roughly
  const prompt = asked.messages.reduce((sum, message) => sum + count(message.content), 0)
  const usage = { prompt_tokens: prompt, completion_tokens: count(reply), total_tokens: prompt + count(reply) }
  if (!asked.stream) return { response: reply, usage }
  return eventStream(reply.match(/\s*\S+\s*/g) ?? [], usage)
}

function hashRanking(asked: Asked & { kind: 'rerank' }): { id: number; score: number }[] {
  const dimensions = 128 // enough that unrelated texts stay near 0
  const query = hashEmbedding(asked.query, dimensions)
  const near = (text: string): number => hashEmbedding(text, dimensions).reduce((sum, value, i) => sum + value * (query[i] ?? 0), 0)
  return asked.texts.map((text, id) => ({ id, score: Math.max(0, near(text)) }))
}
