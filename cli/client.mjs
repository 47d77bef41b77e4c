/**
 * The client that programs use (src/client), as the command line calls it: it repeats for longer, and what breaks is told in a line, as a
 * `Failure`.
 */
import { builtClient } from './built-client.mjs'
import { Failure } from './failure.mjs'

const { Loam, LoamError, persistent, walked } = await builtClient()

/** @param {{url: string, key?: string, as?: string, fetch?: (request: Request) => Promise<Response>, pause?: (seconds: number) => Promise<void>}} options */
export function clientOf({ url, key, as, fetch, pause }) {
  const base = url.replace(/\/+$/, '')
  const loam = new Loam({
    url: base,
    ...(key ? { key } : {}),
    repeats: persistent,
    ...(as === undefined ? {} : { headers: { 'loam-as': as } }),
    ...(fetch ? { fetch } : {}),
    ...(pause ? { sleep: (ms) => pause(ms / 1000) } : {}),
  })

  /** @param {{body?: unknown, query?: Record<string, unknown>, type?: string, ifMatch?: string, signal?: AbortSignal}} [more] `body` is JSON unless `type` says else */
  const send = (method, path, { ifMatch, ...more } = {}) =>
    loam.request(method, path, { ...more, ...(ifMatch ? { headers: { 'if-match': `"${ifMatch}"` } } : {}) }).catch((error) => {
      throw error instanceof LoamError ? failureOf(error, { base, path }) : error
    })

  return {
    base,
    send,
    call: async (method, path, more) => (await send(method, path, more)).json(),
  }
}

function failureOf(error, { base, path }) {
  const { code: known, status, more } = error
  if (status === undefined) return new Failure(`no answer from ${base} (${reasonOf(more.cause)})`, { code: known })
  const [code, text] = known === 'unknown' ? [`http_${status}`, `${status} at ${path.split('?')[0]}`] : [known, error.message]
  const faults = (more.errors ?? []).slice(0, 5).map(({ path: at, message }) => `\n  ${at}: ${message}`)
  const hint = HINTS[code] ?? (status === 401 ? HINTS.unauthorized : '')
  return new Failure(`${text} (${code})${faults.join('')}${hint}`, { code, status })
}

const reasonOf = (cause) => cause?.cause?.code ?? cause?.cause?.message ?? cause?.message

const HINTS = {
  unauthorized: '\nName a key: --key, LOAM_KEY or `loam init`.',
}

export const corpusPath = (name, rest = '') => `/v1/corpora/${encodeURIComponent(name)}${rest}`

/** All of a list, page by page. */
export function listed(client, path, query = {}) {
  return walked(({ cursor }) => client.call('GET', path, { query: { ...query, cursor, limit: 100 } }))
}
