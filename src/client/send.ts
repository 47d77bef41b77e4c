/** Requests: sending them, repeating them if the service asks for it and a repeat does no harm, and their failures as `LoamError`. */
import { retry } from '../core/backoff'
import { errorOf, type FailedCall, LoamError } from './error'
import { brief, type Repeats } from './repeats'

export interface Options {
  /** Where Loam is, e.g. `https://loam.example.workers.dev`. */
  readonly url: string
  readonly key?: string
  /** Principals the requests ask for, in place of the key's own: a key with `access_choose`, or an administrator's, may say so. */
  readonly as?: readonly string[]
  /** How often a request is repeated after 429 or 503, or when no answer came. Default 2. */
  readonly retries?: number
  /** In place of `retries`: when a request is repeated. */
  readonly repeats?: Repeats
  /** Waits before a repeat. Default: by the clock. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Default: the platform's. */
  readonly fetch?: (request: Request) => Promise<Response>
  readonly headers?: { readonly [name: string]: string }
  /** Ends every call. */
  readonly signal?: AbortSignal | undefined
}

export interface Call {
  /** A list is repeated, entry by entry. */
  readonly query?: { readonly [name: string]: string | number | readonly string[] | undefined }
  readonly body?: unknown
  /** Of a body that is no JSON. */
  readonly type?: string
  readonly headers?: { readonly [name: string]: string }
  readonly signal?: AbortSignal | undefined
}

export type Send = (method: string, path: string, call?: Call) => Promise<Response>

const REPEATS = 2

export function createSender(options: Options): Send {
  const { url, repeats = brief(options.retries ?? REPEATS), fetch = (request) => globalThis.fetch(request), sleep = pause } = options
  const base = url.replace(/\/+$/, '')
  let reached = false
  return (method, path, call = {}) => {
    const signal = anySignal(call.signal, options.signal)
    const headers = headersOf(options, call)
    const body = bodyOf(call, headers)
    // A repeat is harmless where the service recognises it.
    if (repeats.names(method) && !headers.has('idempotency-key')) headers.set('idempotency-key', crypto.randomUUID())
    const attempt = async (): Promise<Response> => {
      const request = new Request(base + path + searchOf(call), { method, headers, ...body, signal: signal ?? null })
      const reply = await once(fetch, request, { service: base, path })
      reached ||= reply.status !== undefined
      if (reply instanceof LoamError) throw reply
      return reply
    }
    return retry(attempt, {
      pauseAfter: (error, failures) =>
        signal?.aborted || !(error instanceof LoamError) ? undefined : repeats.pauseAfter(error, { failures, reached }),
      sleep: (ms) => sleep(ms, signal),
    })
  }
}

function headersOf({ key, as, headers }: Options, call: Call): Headers {
  const sent = new Headers({ ...headers, ...call.headers })
  if (key !== undefined) sent.set('authorization', `Bearer ${key}`)
  if (as !== undefined) sent.set('loam-as', as.join(', '))
  return sent
}

const anySignal = (one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined =>
  one && other ? AbortSignal.any([one, other]) : (one ?? other)

function searchOf({ query = {} }: Call): string {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, String(one)])),
  )
  return search.size > 0 ? `?${search}` : ''
}

function bodyOf({ body, type }: Call, headers: Headers): { readonly body?: BodyInit } {
  if (body === undefined) return {}
  headers.set('content-type', type ?? 'application/json')
  return { body: type === undefined ? JSON.stringify(body) : (body as BodyInit) }
}

/** Rejects only with the signal's reason, where that ended it. */
async function once(fetch: (request: Request) => Promise<Response>, request: Request, call: FailedCall): Promise<Response | LoamError> {
  let response: Response
  try {
    response = await fetch(request)
  } catch (cause) {
    if (request.signal?.aborted) throw cause
    return new LoamError('unreachable', 'No answer arrived.', { call, cause })
  }
  return response.ok ? response : errorOf(response, call)
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
