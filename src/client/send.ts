/** Requests: sent, repeated where the service asks to come back and a repeat does no harm, and their failures as `LoamError`. */
import { retry } from '../core/backoff'
import { errorOf, LoamError } from './error'

export interface Options {
  /** Where Loam is, e.g. `https://loam.example.workers.dev`. */
  readonly url: string
  readonly key?: string
  /** Principals the requests ask for, in place of the key's own: a key with `access_choose`, or an administrator's, may say so. */
  readonly as?: readonly string[]
  /** How often a request is repeated after 429 or 503, or when no answer came. Default 2. */
  readonly retries?: number
  /** Default: the platform's. */
  readonly fetch?: (request: Request) => Promise<Response>
  readonly headers?: { readonly [name: string]: string }
}

export interface Call {
  readonly query?: { readonly [name: string]: string | number | undefined }
  readonly body?: unknown
  /** Of a body that is no JSON. */
  readonly type?: string
  readonly headers?: { readonly [name: string]: string }
  readonly signal?: AbortSignal | undefined
}

export type Send = (method: string, path: string, call?: Call) => Promise<Response>

const REPEATS = 2
const LONGEST = 30 // seconds waited before a repeat, whatever the service asks for

export function sender({ url, key, as, retries = REPEATS, fetch = (request) => globalThis.fetch(request), headers }: Options): Send {
  const base = url.replace(/\/+$/, '')
  return async (method, path, call = {}) => {
    const search = new URLSearchParams(Object.entries(call.query ?? {}).flatMap(([k, v]) => (v === undefined ? [] : [[k, String(v)]])))
    const target = `${base}${path}${search.size > 0 ? `?${search}` : ''}`
    const sent = new Headers({ ...headers, ...call.headers })
    if (key !== undefined) sent.set('authorization', `Bearer ${key}`)
    if (as !== undefined) sent.set('loam-as', as.join(', '))
    const body = bodyOf(call, sent)
    // A repeat of a POST is harmless where the service recognises it.
    if (retries > 0 && method === 'POST' && !sent.has('idempotency-key')) sent.set('idempotency-key', crypto.randomUUID())
    return retry(() => once(fetch, new Request(target, { method, headers: sent, ...body, signal: call.signal ?? null })), {
      pauseAfter: (error, failures) =>
        failures <= retries && !call.signal?.aborted && mayPass(error) ? Math.min(LONGEST, error.more.retryAfter ?? 1) * 1000 : undefined,
      sleep: (ms) => pause(ms, call.signal),
    })
  }
}

function bodyOf({ body, type }: Call, headers: Headers): { readonly body?: BodyInit } {
  if (body === undefined) return {}
  headers.set('content-type', type ?? 'application/json')
  return { body: type === undefined ? JSON.stringify(body) : (body as BodyInit) }
}

/** No answer came, or one that asks to come back. */
function mayPass(error: unknown): error is LoamError {
  return error instanceof LoamError && (error.status === undefined || error.status === 429 || error.status === 503)
}

/** Rejects with a `LoamError`; with the signal's reason where that ended it. */
async function once(fetch: (request: Request) => Promise<Response>, request: Request): Promise<Response> {
  let response: Response
  try {
    response = await fetch(request)
  } catch (cause) {
    if (request.signal?.aborted) throw cause
    throw new LoamError('unreachable', 'No answer came.', { cause })
  }
  if (response.ok) return response
  throw await errorOf(response)
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
