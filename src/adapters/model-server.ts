/**
 * An OpenAI-compatible server next to Workers AI, in the shape of its binding: a model whose id does not begin with `@` is requested there,
 * every other as before. Replies in OpenAI's form are among those understood (workers-ai-replies.ts), so a body is passed on unchanged,
 * including streams. A fault becomes the corresponding Workers AI code; the server's own words are not read. Redirects are not followed:
 * the key is only for this address.
 */

import type { AiBinding } from '../ports/models'
import { headerPairs } from '../tracing/header-pairs'
import { recordingForm } from './recording-form'

export interface ModelServerVars {
  /** The part before `/chat/completions`. Empty: there is no server. */
  readonly MODEL_SERVER_URL?: string
  readonly MODEL_SERVER_KEY?: string
  /** `name=value,…`: further headers. A secret. */
  readonly MODEL_SERVER_HEADERS?: string
  readonly OUTBOUND_TARGETS?: string
  /** Replaces the runtime's. */
  readonly fetch?: (request: Request) => Promise<Response>
}

interface ModelServer {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  fetch(request: Request): Promise<Response>
}

type Inputs = { readonly [name: string]: unknown }

// Models that always think refuse a temperature, and use another name for the reply's limit.
const ALWAYS_THINKS = /(?:^|\/)(?:gpt-5|o\d)/
/** `gpt-5-mini:flex`: the same model at the price of a batch, when there is room for it. Another tag (`qwen3:4b`) is part of a name. */
const FLEX = /:flex$/
const SHORTENS = /text-embedding-3/ // vectors with as many numbers as requested

export function isOnServer(model: string): boolean {
  return !model.startsWith('@')
}

/** Null: none is named. */
export function modelServer(vars: ModelServerVars): ModelServer | null {
  const { MODEL_SERVER_URL = '', MODEL_SERVER_KEY, MODEL_SERVER_HEADERS = '', OUTBOUND_TARGETS } = vars
  const named = MODEL_SERVER_URL.trim().replace(/\/+$/, '')
  if (named === '') return null
  const protocol = URL.parse(named)?.protocol
  if (protocol !== 'https:' && !(protocol === 'http:' && OUTBOUND_TARGETS === 'anywhere'))
    throw new Error('MODEL_SERVER_URL must be an https address, the one before /chat/completions')
  const bearer: { readonly [name: string]: string } = MODEL_SERVER_KEY ? { authorization: `Bearer ${MODEL_SERVER_KEY}` } : {}
  const headers = { 'content-type': 'application/json', ...bearer, ...headerPairs('MODEL_SERVER_HEADERS', MODEL_SERVER_HEADERS) }
  return { url: named, headers, fetch: vars.fetch ?? ((request) => fetch(request)) }
}

export function withModelServer(ai: AiBinding, server: ModelServer, dimensions: (model: string) => number | undefined): AiBinding {
  return {
    run(model, inputs, ...options) {
      if (!isOnServer(model)) return ai.run(model, inputs, ...options)
      const { signal } = (options[0] ?? {}) as { readonly signal?: AbortSignal }
      const given = inputs as Inputs
      return ask(
        server,
        given.audio === undefined
          ? requestFor(model, given, dimensions(model))
          : { path: 'audio/transcriptions', body: recordingForm(model, given) },
        signal,
      )
    },
  }
}

interface Wish {
  readonly path: string
  readonly body: Inputs | FormData
}

function requestFor(model: string, inputs: Inputs, dimensions: number | undefined): Wish {
  if (inputs.text !== undefined) {
    const shortened = SHORTENS.test(model) && dimensions !== undefined ? { dimensions } : {}
    return { path: 'embeddings', body: { model, input: inputs.text, encoding_format: 'float', ...shortened } }
  }
  if (inputs.contexts !== undefined) {
    const documents = (inputs.contexts as readonly { readonly text: string }[]).map(({ text }) => text)
    return { path: 'rerank', body: { model, query: inputs.query, documents, top_n: documents.length } }
  }
  const { response_format: format, max_tokens, temperature, ...others } = inputs
  const room = ALWAYS_THINKS.test(model) ? { max_completion_tokens: max_tokens } : { max_tokens, temperature }
  const streamed = inputs.stream === true ? { stream_options: { include_usage: true } } : {}
  const tier = FLEX.test(model) ? { service_tier: 'flex' } : {}
  return {
    path: 'chat/completions',
    body: {
      model: model.replace(FLEX, ''),
      ...tier,
      ...others,
      ...room,
      ...streamed,
      ...(format ? { response_format: named(format) } : {}),
    },
  }
}

/** Schemas need a name there. */
function named(format: unknown): unknown {
  const { type, json_schema: schema } = format as Inputs
  return type === 'json_schema' ? { type, json_schema: { name: 'reply', schema } } : format
}

async function ask({ url, headers, fetch }: ModelServer, { path, body }: Wish, signal: AbortSignal | undefined): Promise<unknown> {
  const isForm = body instanceof FormData // whose content type names its boundary, and is set automatically
  const { 'content-type': _, ...bare } = headers
  const said = isForm ? { headers: bare, body } : { headers, body: JSON.stringify(body) }
  const sent = { method: 'POST', ...said, redirect: 'manual', ...(signal ? { signal } : {}) } as const
  const reply = await fetch(new Request(`${url}/${path}`, sent))
  if (reply.ok && reply.body) return reply.body
  void reply.body?.cancel().catch(() => undefined)
  throw new Error(codeFor(reply.status, !isForm && body.response_format !== undefined))
}

/** As Workers AI would report it (workers-ai-faults.ts). A request not understood with a schema may work without one. */
function codeFor(status: number, hasSchema: boolean): string {
  if (status === 401 || status === 402 || status === 403) return '5018: the server does not let this model be used'
  if (status === 404) return '5007: no such model'
  if (status === 408 || status === 504) return '3007: timeout'
  if (status === 413) return '3006: too large'
  // Groq uses 498 when a tier has no capacity.
  if (status === 429 || status === 498 || status === 503 || status === 529) return '3040: capacity'
  if (status >= 400 && status < 500) return hasSchema ? '5025: no such form of a reply' : '5004: invalid input'
  return '3043: server error'
}
