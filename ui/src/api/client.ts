/** Calls to the API of this origin. A fault becomes a `Fault`, whatever went wrong; what succeeds is believed to be what the contract says. */
import { key, signOut } from '../session'

export class Fault extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly more: { readonly errors?: readonly { path: string; message: string }[]; readonly requestId?: string },
  ) {
    super(message)
  }
}

interface Sent {
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is, with its media type. */
  readonly raw?: { readonly content: BodyInit; readonly type: string }
  readonly signal?: AbortSignal | undefined
  /** Only if what is there is still so (412 else). */
  readonly ifMatch?: string
  /** A key to try, instead of the one signed in with. */
  readonly bearer?: string
}

export async function call<T>(method: string, path: string, sent: Sent = {}): Promise<T> {
  const response = await ask(method, path, sent)
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T)
}

export async function ask(method: string, path: string, { body, raw, signal, ifMatch, bearer: tried }: Sent = {}): Promise<Response> {
  const headers = new Headers({ 'loam-page': '1' }) // what the audit log calls a request of this page
  const bearer = tried ?? key.value
  if (bearer) headers.set('authorization', `Bearer ${bearer}`)
  if (ifMatch) headers.set('if-match', `"${ifMatch}"`)
  if (raw) headers.set('content-type', raw.type)
  else if (body !== undefined) headers.set('content-type', 'application/json')
  const content = raw ? raw.content : body === undefined ? null : JSON.stringify(body)
  const response = await fetch(path, { method, headers, body: content, ...(signal ? { signal } : {}) }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new Fault(0, 'unreachable', 'The server cannot be reached. Is it running?', {})
  })
  if (response.ok) return response
  const fault = await faultOf(response)
  if (fault.status === 401 && bearer && tried === undefined) signOut('Your key is no longer accepted.')
  throw fault
}

async function faultOf(response: Response): Promise<Fault> {
  const told: { code?: string; detail?: string; errors?: { path: string; message: string }[]; request_id?: string } = await response
    .json()
    .catch(() => ({}))
  const { code = 'unknown', detail = `The server answered ${response.status}.`, errors, request_id } = told
  return new Fault(response.status, code, detail, { ...(errors ? { errors } : {}), ...(request_id ? { requestId: request_id } : {}) })
}

/** The path of something in a corpus; every piece is encoded. */
export function at(corpus: string, ...pieces: readonly string[]): string {
  return `/v1/corpora/${[corpus, ...pieces].map(encodeURIComponent).join('/')}`
}

/** Pages of a list until it ends or there are enough. */
export async function listed<T>(path: string, most: number, signal?: AbortSignal): Promise<{ data: T[]; more: boolean }> {
  const data: T[] = []
  let cursor: string | null = null
  do {
    const asked = new URLSearchParams({ limit: '200', ...(cursor ? { cursor } : {}) })
    const page: { data: T[]; next_cursor: string | null } = await call('GET', `${path}${path.includes('?') ? '&' : '?'}${asked}`, {
      signal,
    })
    data.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== null && data.length < most)
  return { data, more: cursor !== null }
}
