/**
 * The OpenAI protocol, from the caller's side: /v1/embeddings, /v1/chat/completions, /v1/rerank. Replies are data and are checked before
 * use; errors never repeat an upstream's words.
 */
import { recordingForm } from '../../src/adapters/recording-form'
import type { ModelEnv } from './env'
import { codeOf, inference } from './faults'
import { type Asked, isFields, requirePictures } from './requests'
import { deltasOf, relay } from './sse'

const MAX_BYTES = 16 * 1024 * 1024 // in a reply's body: a larger one is dropped unread
const EMBEDDING_MS = 120_000 // a hundred long texts on one slow core
const WRITING_SECONDS = 600 // a local model may think for minutes

type Writing = Asked & { kind: 'text' }

export async function embeddings(env: ModelEnv, model: string, texts: readonly string[]): Promise<number[][]> {
  if (!texts.length) return []
  const format = env.EMBEDDINGS_FORMAT === 'base64' ? 'base64' : 'float'
  const reply = await ask(env, env.EMBEDDINGS_URL, 'embeddings', { model, input: texts, encoding_format: format }, EMBEDDING_MS)
  const body = await jsonOf(reply)
  const rows = isFields(body) && Array.isArray(body.data) ? body.data : []
  const out: number[][] = []
  for (const [place, row] of rows.entries()) {
    if (!isFields(row)) throw inference(3043)
    out[typeof row.index === 'number' ? row.index : place] = vectorOf(row.embedding)
  }
  if (out.length !== texts.length || out.includes(undefined as never)) throw inference(3043)
  return out
}

export async function ranking(env: ModelEnv, model: string, asked: Asked & { kind: 'rerank' }): Promise<{ id: number; score: number }[]> {
  const body = { model, query: asked.query, documents: asked.texts, top_n: asked.texts.length }
  const reply = await jsonOf(await ask(env, env.RERANKER_URL ?? '', 'rerank', body, EMBEDDING_MS))
  const results = isFields(reply) && Array.isArray(reply.results) ? reply.results : []
  return results.map((result) => {
    if (!isFields(result) || typeof result.index !== 'number' || typeof result.relevance_score !== 'number') throw inference(3043)
    return { id: result.index, score: result.relevance_score }
  })
}

export async function complete(env: ModelEnv, model: string, asked: Writing): Promise<unknown> {
  const reply = await jsonOf(await ask(env, env.TEXT_URL ?? '', 'chat/completions', wish(model, asked), writingMs(env)))
  const choice: unknown = isFields(reply) && Array.isArray(reply.choices) ? reply.choices[0] : undefined
  const message = isFields(choice) ? choice.message : undefined
  const calls = isFields(message) && Array.isArray(message.tool_calls) ? message.tool_calls : []
  if (!isFields(message) || (typeof message.content !== 'string' && calls.length === 0)) throw inference(3043)
  const usage = isFields(reply) && isFields(reply.usage) ? { usage: reply.usage } : {}
  const ended = isFields(choice) && typeof choice.finish_reason === 'string' ? { finish_reason: choice.finish_reason } : {}
  if (calls.length > 0 || typeof message.content !== 'string') return { choices: [choice], ...usage }
  return { response: asked.schema === undefined ? message.content : parsed(message.content), ...ended, ...usage }
}

export async function streamed(env: ModelEnv, model: string, asked: Writing): Promise<ReadableStream<Uint8Array>> {
  const reply = await ask(env, env.TEXT_URL ?? '', 'chat/completions', wish(model, asked), writingMs(env))
  if (!reply.body) throw inference(3043)
  return relay(deltasOf(reply.body))
}

/** Forwards a recording unchanged: the response has the form that the product understands. */
export async function transcribed(env: ModelEnv, model: string, recording: { readonly [key: string]: unknown }): Promise<unknown> {
  if (!env.TRANSCRIPTION_URL) throw inference(5007, `${model} or task`)
  return jsonOf(await ask(env, env.TRANSCRIPTION_URL, 'audio/transcriptions', recordingForm(model, recording), WRITING_SECONDS * 1000))
}

/** Forwards a chat with a picture unchanged. */
export async function seen(
  env: ModelEnv,
  model: string,
  inputs: { readonly messages: readonly { readonly [key: string]: unknown }[]; readonly [key: string]: unknown },
): Promise<unknown> {
  requirePictures(inputs)
  if (!env.VISION_URL) throw inference(5007, `${model} or task`)
  return jsonOf(await ask(env, env.VISION_URL, 'chat/completions', { model, ...inputs }, writingMs(env)))
}

/** How long to wait for a reply: after that its caller no longer waits, and a call over RPC cannot be aborted from there. */
function writingMs({ MODEL_SECONDS }: ModelEnv): number {
  return Number(MODEL_SECONDS || WRITING_SECONDS) * 1000
}

function wish(model: string, asked: Writing): unknown {
  return {
    model,
    messages: asked.messages,
    max_tokens: asked.tokens,
    ...(asked.temperature === undefined ? {} : { temperature: asked.temperature }),
    ...(asked.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...(asked.schema === undefined ? {} : { response_format: format(asked.schema) }),
    ...(asked.tools === undefined ? {} : { tools: asked.tools, tool_choice: asked.toolChoice ?? 'auto' }),
  }
}

function format(schema: unknown): unknown {
  return schema === null ? { type: 'json_object' } : { type: 'json_schema', json_schema: { name: 'reply', schema } }
}

/** In JSON mode Workers AI returns the object itself; a reply that does not parse stays text. */
function parsed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return content
  }
}

async function ask(env: ModelEnv, base: string, path: string, body: unknown, ms: number): Promise<Response> {
  const isForm = body instanceof FormData // whose content type names its boundary
  const type: { readonly [name: string]: string } = isForm ? {} : { 'content-type': 'application/json' }
  const headers = { ...type, ...(env.MODEL_KEY ? { authorization: `Bearer ${env.MODEL_KEY}` } : {}) }
  const request = { method: 'POST', headers, body: isForm ? body : JSON.stringify(body), signal: AbortSignal.timeout(ms) }
  const reply = await fetch(`${root(base)}/v1/${path}`, request).catch((cause: unknown) => {
    throw inference(cause instanceof Error && cause.name === 'TimeoutError' ? 3007 : 3043)
  })
  if (reply.ok) return reply
  await reply.body?.cancel()
  throw inference(codeOf(reply.status))
}

async function jsonOf(reply: Response): Promise<unknown> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const part of reply.body ?? []) {
    bytes += part.byteLength
    if (bytes > MAX_BYTES) throw inference(3043) // leaving the loop drops the rest
    text += decoder.decode(part, { stream: true })
  }
  return JSON.parse(text + decoder.decode()) as unknown
}

/** Base URLs come with and without `/v1`; both are accepted. */
function root(base: string): string {
  return base.replace(/\/+$/, '').replace(/\/v1$/, '')
}

function vectorOf(embedding: unknown): number[] {
  if (typeof embedding === 'string') return [...new Float32Array(Uint8Array.from(atob(embedding), (c) => c.charCodeAt(0)).buffer)]
  if (Array.isArray(embedding) && embedding.every((value) => typeof value === 'number')) return embedding
  throw inference(3043)
}
