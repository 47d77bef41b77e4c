/**
 * Calls of the HTTP API. A call that is safe to repeat (GET, or carrying an Idempotency-Key, which every other call here does) is
 * repeated where its connection was closed under it and where the service asks to come back.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from './failure.mjs'

const PAUSES = [0, 1, 2, 4, 8, 15, 30] // seconds before each repeat; the first at once: a keep-alive connection that had just been closed
const UNMET = 1 // repeats where nothing has ever answered: the address is wrong, or nothing runs there
const LONGEST = 60 // seconds waited because the service asks for it

export function clientOf({ url, key, as = undefined, fetch = globalThis.fetch, pause = (s) => sleep(s * 1000) }) {
  const base = url.replace(/\/+$/, '')
  let reached = false

  /** @param {{body?: unknown, query?: Record<string, unknown>, type?: string, ifMatch?: string, signal?: AbortSignal}} [more] `body` is JSON unless `type` says else */
  async function send(method, path, more = {}) {
    const { target, request } = requestOf(base, { key, as }, { method, path, ...more })
    for (let attempt = 0; ; attempt++) {
      const reply = await fetch(target, request).catch((error) => lost(error, request.signal))
      reached ||= reply instanceof Response
      if (reply.ok) return reply
      const later = reached || attempt < UNMET ? await pauseOf(reply, PAUSES[attempt]) : undefined
      if (later === undefined) throw reply instanceof Response ? await failureOf(reply, path) : unreachable(base, reply.why)
      await reply.body?.cancel()
      await pause(later)
    }
  }

  return {
    base,
    send,
    call: async (method, path, more) => (await send(method, path, more)).json(),
  }
}

function requestOf(base, { key, as }, { method, path, body, query = {}, type, ifMatch, signal }) {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined))
  const headers = {
    ...(key ? { authorization: `Bearer ${key}` } : {}),
    ...(as === undefined ? {} : { 'loam-as': as }),
    ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
    ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID() }),
    ...(ifMatch ? { 'if-match': `"${ifMatch}"` } : {}),
  }
  const sent = body === undefined ? {} : { body: type ? body : JSON.stringify(body) }
  return { target: `${base}${path}${search.size ? `?${search}` : ''}`, request: { method, headers, signal, ...sent } }
}

/** Only an interruption is thrown; a connection that broke is repeated. */
function lost(error, signal) {
  if (signal?.aborted) throw error
  return { why: error.cause?.code ?? error.cause?.message ?? error.message }
}

const unreachable = (base, why) => new Failure(`no answer from ${base} (${why})`, { code: 'unreachable' })

/**
 * Statuses after which the same call may pass: asked to come back; still being answered (a first try whose connection was lost);
 * and what Cloudflare's edge says when it did not reach the Worker.
 */
const PASSING = new Set([429, 502, 503, 504, 520, 521, 522, 523, 524, 530])

/** Seconds to wait before a repeat, where a repeat may help and one is left (`least`). */
async function pauseOf(reply, least) {
  if (least === undefined || !(reply instanceof Response)) return least
  const { status, headers } = reply
  const busy =
    status === 409 &&
    (
      await reply
        .clone()
        .json()
        .catch(() => ({}))
    ).code === 'idempotency_in_flight'
  if (!busy && !PASSING.has(status)) return undefined
  return Math.min(LONGEST, Math.max(1, Number(headers.get('retry-after')) || 1))
}

async function failureOf(reply, path) {
  const problem = await reply.json().catch(() => ({}))
  const code = problem.code ?? `http_${reply.status}`
  const faults = (problem.errors ?? []).slice(0, 5).map(({ path: at, message }) => `\n  ${at}: ${message}`)
  const hint = HINTS[code] ?? (reply.status === 401 ? HINTS.unauthorized : '')
  return new Failure(
    `${problem.detail ?? problem.title ?? `${reply.status} at ${path.split('?')[0]}`} (${code})${faults.join('')}${hint}`,
    {
      code,
      status: reply.status,
    },
  )
}

const HINTS = {
  unauthorized: '\nName a key: --key, LOAM_KEY or `loam init`.',
}

export const corpusPath = (name, rest = '') => `/v1/corpora/${encodeURIComponent(name)}${rest}`

/** All of a list, page by page. */
export async function* listed(client, path, query = {}) {
  for (let cursor; ; ) {
    const { data, next_cursor: next } = await client.call('GET', path, { query: { ...query, cursor, limit: 100 } })
    yield* data
    if (!next) return
    cursor = next
  }
}
