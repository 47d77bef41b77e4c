/**
 * One call of `env.AI.run` as the stand-in answers it: refused like production's, or answered by an OpenAI-compatible server, by the hash
 * embedder, or from a test's script. It knows no binding and no clock, so that it also runs outside workerd.
 */
import { type AiRules, admit, aiRules, measure } from './ai-limits'
import type { ModelEnv } from './env'
import { inference } from './faults'
import { hashEmbedding } from './hash-embedder'
import { complete, embeddings, ranking, seen, streamed, transcribed } from './openai'
import { type Asked, hasPicture, isFields, read } from './requests'
import { saidBy, scriptedReply } from './scripted'
import { eventStream } from './sse'
import { failing, outOfNeurons, record, type Scripted, type World } from './world'

/** `now`: milliseconds since the epoch. */
export async function infer(
  { env, world, now }: { readonly env: ModelEnv; readonly world: World; readonly now: number },
  model: string,
  inputs: unknown,
): Promise<unknown> {
  if (isFields(inputs) && typeof inputs.audio === 'string') return transcribed(env, model, inputs)
  if (hasPicture(inputs)) return seen(env, model, inputs)
  const asked = read(inputs)
  record(env.RECORD === '1', {
    binding: 'ai',
    op: asked.kind,
    model,
    count: asked.kind === 'embed' || asked.kind === 'rerank' ? asked.texts.length : 1,
    ...(asked.kind === 'text' ? { messages: asked.messages } : {}),
  })
  if (!model) throw inference(5007, '(none named)')
  if (outOfNeurons(world, now)) throw inference(4006)
  if ((world.ai.model ?? model) === model && failing(world.ai)) {
    if (world.ai.code === 4006) world.neuronless = now // until midnight
    throw inference(world.ai.code)
  }
  const own = ownModel(env, model)
  const rules = rulesOf(env, world, own)
  measure(model, asked, rules)
  if (env.AI_RATES !== 'off') admit(asked, rules, world.begun, now)
  switch (asked.kind) {
    case 'embed':
      return embed(own?.env ?? env, model, asked.texts)
    case 'rerank':
      return rerank(env, model, asked)
    case 'text':
      return write(own?.env ?? env, world, model, asked)
  }
}

/** A model with its own address, and the configuration for that model. */
function ownModel(env: ModelEnv, model: string): { readonly env: ModelEnv; readonly window: number } | undefined {
  if (!env.MODELS) return undefined
  const all = JSON.parse(env.MODELS) as { readonly [id: string]: { readonly url: string; readonly key: string; readonly window: number } }
  const own = Object.hasOwn(all, model) ? all[model] : undefined
  return own && { env: { ...env, EMBEDDINGS_URL: own.url, TEXT_URL: own.url, MODEL_KEY: own.key }, window: own.window }
}

function rulesOf(env: ModelEnv, world: World, own: { readonly window: number } | undefined): AiRules {
  const window = own?.window ?? Number(env.TEXT_WINDOW || 0)
  return { ...aiRules, ...(window ? { textWindow: window } : {}), ...world.rules }
}

async function embed(env: ModelEnv, model: string, texts: readonly string[]): Promise<unknown> {
  const isPrevious = Boolean(env.EMBEDDING_MODEL_PREVIOUS) && model === env.EMBEDDING_MODEL_PREVIOUS
  const dimensions = Number(isPrevious ? env.EMBEDDING_DIMENSIONS_PREVIOUS : env.EMBEDDING_DIMENSIONS)
  const data =
    env.EMBEDDINGS_URL === 'hash'
      ? texts.map((text) => hashEmbedding(text, dimensions))
      : await embeddings(env, env.EMBEDDINGS_MODEL || model, texts)
  return { shape: [data.length, data[0]?.length ?? dimensions], data, pooling: 'mean' }
}

async function rerank(env: ModelEnv, model: string, asked: Asked & { kind: 'rerank' }): Promise<unknown> {
  if (!env.RERANKER_URL) throw inference(5007, `${model} or task`)
  const response = env.RERANKER_URL === 'hash' ? hashRanking(asked) : await ranking(env, env.RERANKER_MODEL || model, asked)
  return { response: [...response].sort((a, b) => b.score - a.score || a.id - b.id).slice(0, asked.top) }
}

async function write(env: ModelEnv, world: World, model: string, asked: Asked & { kind: 'text' }): Promise<unknown> {
  if (asked.stream && asked.schema !== undefined) throw inference(5023)
  const scripted = next(world, asked)
  if (scripted && asked.stream) {
    const { text, usage } = saidBy(scripted, asked)
    return eventStream(text.match(/\s*\S+\s*/g) ?? [], usage)
  }
  if (scripted) return scriptedReply(scripted, asked)
  if (!env.TEXT_URL) throw inference(5007, `${model} or task`)
  const upstream = env.TEXT_MODEL || model
  return asked.stream ? streamed(env, upstream, asked) : complete(env, upstream, asked)
}

/** The first scripted reply that fits the request, removed from the list unless it repeats. */
function next(world: World, asked: Asked & { kind: 'text' }): Scripted | undefined {
  const words = asked.messages.map((message) => message.content).join('\n')
  const at = world.script.findIndex((entry) => entry.match === undefined || words.includes(entry.match))
  const found = world.script[at]
  if (found && !found.repeat) world.script.splice(at, 1)
  return found
}

function hashRanking(asked: Asked & { kind: 'rerank' }): { id: number; score: number }[] {
  const dimensions = 128 // enough that unrelated texts stay near 0
  const query = hashEmbedding(asked.query, dimensions)
  const near = (text: string): number => hashEmbedding(text, dimensions).reduce((sum, value, i) => sum + value * (query[i] ?? 0), 0)
  return asked.texts.map((text, id) => ({ id, score: Math.max(0, near(text)) }))
}
