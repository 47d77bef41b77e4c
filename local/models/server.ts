/**
 * OpenAI's protocol for the models on this machine: chat completions (streamed or not, with `response_format`), embeddings, and the list of
 * models. It listens only on the loopback address, keeps nothing, and reveals nothing of what it was sent.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { type Embedder, TooLong, type Writer, type Written } from './engine'

const MAX_BYTES = 16 * 1024 * 1024 // in a request
const DEFAULT_TOKENS = 256 // in a reply, if the request names no limit

const turn = z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })
const chatRequest = z.object({
  model: z.string(),
  messages: z.array(turn).min(1),
  max_tokens: z.int().min(1).optional(),
  temperature: z.number().min(0).default(0),
  stream: z.boolean().default(false),
  stream_options: z.object({ include_usage: z.boolean().optional() }).optional(),
  response_format: z
    .union([
      z.object({ type: z.literal('json_schema'), json_schema: z.object({ schema: z.unknown() }) }),
      z.object({ type: z.enum(['json_object', 'text']) }),
    ])
    .optional(),
})
type ChatRequest = z.output<typeof chatRequest>
const embeddingRequest = z.object({
  model: z.string(),
  input: z.union([z.string(), z.array(z.string())]),
  encoding_format: z.enum(['float', 'base64']).default('float'),
})

export interface Served {
  /** What every request must carry, so that no web page in a browser can use the models. */
  readonly key: string
  readonly writers: readonly Writer[]
  readonly embedders: readonly Embedder[]
}

/** The response instead. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

export function modelServer(served: Served, now: () => number = Date.now): Server {
  return createServer((request, response) => {
    const abort = new AbortController()
    response.on('close', () => abort.abort()) // nobody is waiting for the reply any more
    answered(served, request, response, { signal: abort.signal, now }).catch((error: unknown) => refuse(response, error))
  })
}

interface Around {
  readonly signal: AbortSignal
  now(): number
}

async function answered(served: Served, request: IncomingMessage, response: ServerResponse, around: Around): Promise<void> {
  const path = (request.url ?? '').split('?')[0]
  if (request.headers.authorization !== `Bearer ${served.key}`) throw new Refusal(401, 'unauthorized', 'The key of this run is missing.')
  if (request.method === 'GET' && path === '/v1/models') return send(response, 200, { object: 'list', data: listed(served) })
  if (request.method !== 'POST') throw new Refusal(404, 'not_found', 'There is no such route.')
  if (path === '/v1/chat/completions') return chat(served, parsed(chatRequest, await body(request)), response, around)
  if (path === '/v1/embeddings') return embeddings(served, parsed(embeddingRequest, await body(request)), response, around)
  throw new Refusal(404, 'not_found', 'There is no such route.')
}

function listed({ writers, embedders }: Served): readonly unknown[] {
  const entry = ({ id, window }: Writer | Embedder) => ({ id, object: 'model', owned_by: 'local', context_window: window })
  return [...writers.map(entry), ...embedders.map((one) => ({ ...entry(one), dimensions: one.dimensions }))]
}

async function chat({ writers }: Served, asked: ChatRequest, response: ServerResponse, { signal, now }: Around): Promise<void> {
  const writer = named(writers, asked.model)
  const created = Math.floor(now() / 1000)
  const head = { id: `chatcmpl-${created}`, created, model: writer.id }
  const event = (value: unknown): boolean => response.write(`data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`)
  const chunk = (delta: unknown, finish: string | null = null) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const heard = (text: string): void => {
    if (!asked.stream) return
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    event(chunk({ content: text }))
  }
  const { max_tokens: tokens = DEFAULT_TOKENS, messages, temperature } = asked
  const written = await writer.write({ messages, tokens, temperature, signal, heard, ...schemaOf(asked) })
  if (!asked.stream) {
    const choice = { index: 0, message: { role: 'assistant', content: written.text }, finish_reason: written.ended }
    return send(response, 200, { ...head, object: 'chat.completion', choices: [choice], usage: usageOf(written) })
  }
  if (!response.headersSent) heard('')
  event(chunk({}, written.ended))
  if (asked.stream_options?.include_usage) event({ ...chunk({}), choices: [], usage: usageOf(written) })
  event('[DONE]')
  response.end()
}

function schemaOf({ response_format: format }: ChatRequest): { readonly schema?: unknown } {
  if (!format || format.type === 'text') return {}
  return { schema: format.type === 'json_schema' ? format.json_schema.schema : null }
}

function usageOf({ read, written }: Written): unknown {
  return { prompt_tokens: read, completion_tokens: written, total_tokens: read + written }
}

async function embeddings(
  { embedders }: Served,
  asked: z.output<typeof embeddingRequest>,
  response: ServerResponse,
  { signal }: Around,
): Promise<void> {
  const embedder = named(embedders, asked.model)
  const { vectors, read } = await embedder.embed([asked.input].flat(), signal)
  const shown = (vector: readonly number[]) =>
    asked.encoding_format === 'float' ? vector : Buffer.from(Float32Array.from(vector).buffer).toString('base64')
  const data = vectors.map((vector, index) => ({ object: 'embedding', index, embedding: shown(vector) }))
  send(response, 200, { object: 'list', model: embedder.id, data, usage: { prompt_tokens: read, total_tokens: read } })
}

function named<T extends { readonly id: string }>(all: readonly T[], id: string): T {
  const found = all.find((one) => one.id === id)
  if (!found) throw new Refusal(404, 'model_not_found', `Unknown model. Available: ${all.map((one) => one.id).join(', ') || 'none'}.`)
  return found
}

async function body(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MAX_BYTES) throw new Refusal(413, 'too_large', 'The request is too large.')
    parts.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'))
  } catch {
    throw new Refusal(400, 'invalid_json', 'The body is not JSON.')
  }
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, error } = schema.safeParse(value)
  if (error) throw new Refusal(400, 'invalid_request', error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
  return data as T
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** A reply that has begun is cut off: its reader must not mistake a part for the whole. */
function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy()
  const { status, code } = error instanceof Refusal ? error : error instanceof TooLong ? TOO_LONG : FAILED
  const message = error instanceof Refusal || error instanceof TooLong ? error.message : 'The model failed.'
  send(response, status, { error: { message, code, type: 'invalid_request_error' } })
}

const TOO_LONG = { status: 413, code: 'context_length_exceeded' } // callers recognise it by its status alone
const FAILED = { status: 500, code: 'failed' }
