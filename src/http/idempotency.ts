/**
 * Idempotency-Key: the same request again gets the same answer for a day, and is not carried out again. What is stored is sealed with
 * a key derived from the caller's own (HKDF, AES-GCM), under an id that is derived the same way: at rest it reveals nothing, and a
 * new key can be shown again only to its owner. Answers that report a failure are not kept: nothing was changed, so the request may
 * be tried again.
 */
import { createMiddleware } from 'hono/factory'
import { base64, bytesOfBase64 } from '../base64'
import type { Answered } from '../ports/idempotency'
import { askerKey } from './asker'
import { JSON_LIMIT, readBytes } from './body'
import type { Ctx, Http } from './context'
import type { Principal } from './principal'
import { Problem } from './problem'

const DAY = 86_400_000 // ms an answer is kept
const FLIGHT = 60_000 // ms after which a request that never ended no longer blocks its repeat
const FORM = /^[\x20-\x7e]{1,255}$/
const KEPT = ['content-type', 'location', 'etag'] // headers of an answer
const encoder = new TextEncoder()

interface Seal {
  readonly id: string
  readonly key: CryptoKey
  readonly body: string
}

/** Runs before the handler of every route that changes something; `limit` is that of the route's body. */
export function repeatable(limit = JSON_LIMIT) {
  return createMiddleware<Http>(async (c, next) => {
    const name = c.req.header('idempotency-key')
    const principal = c.get('principal')
    if (name === undefined || !principal) return next()
    if (!FORM.test(name)) {
      const errors = [{ path: 'Idempotency-Key', message: '1 to 255 printable ASCII characters' }]
      throw new Problem('invalid', 'The Idempotency-Key is not valid.', { errors })
    }
    const { answers, now } = c.get('world')
    const seal = await sealFor(c, principal, name, await readBytes(c, limit))
    const before = await answers.begin(seal.id, seal.body, now(), now() + FLIGHT)
    if (before !== 'begun') return replay(before, seal)
    c.set('repeatId', seal.id)
    await next()
    if (c.res.status >= 400) await answers.release(seal.id)
    else await answers.finish(seal.id, c.res.status, await sealAnswer(seal, await answerOf(c.res)), now() + DAY)
    return undefined
  })
}

async function replay(before: Answered, seal: Seal): Promise<Response> {
  if (before.body !== seal.body) throw new Problem('idempotency_conflict', 'This Idempotency-Key was used for a different request.')
  if (before.status === null || before.response === null) {
    throw new Problem('idempotency_in_flight', 'The first request with this Idempotency-Key is still in progress.', { retryAfter: 1 })
  }
  const { headers, body } = await openAnswer(seal, before.response)
  return new Response(before.status === 204 ? null : body, {
    status: before.status,
    headers: { ...headers, 'idempotent-replayed': 'true' },
  })
}

interface Answer {
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

async function answerOf(response: Response): Promise<Answer> {
  const headers = KEPT.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return { headers: Object.fromEntries(headers), body: await response.clone().text() }
}

/** A corpus created again under an old name is another corpus: its uid is part of the key of the stored answer. */
async function sealFor(c: Ctx, principal: Principal, name: string, bytes: Uint8Array): Promise<Seal> {
  const { pathname, search } = new URL(c.req.url)
  const route = [c.req.method, pathname, c.get('corpus')?.uid ?? '', name, await askerKey(c)].join('\n')
  const from = await crypto.subtle.importKey('raw', encoder.encode(principal.bearer), 'HKDF', false, ['deriveBits'])
  const params = { name: 'HKDF', hash: 'SHA-256', salt: encoder.encode('loam idempotency 1'), info: encoder.encode(route) }
  const bits = new Uint8Array(await crypto.subtle.deriveBits(params, from, 96 * 8))
  const key = await crypto.subtle.importKey('raw', bits.slice(0, 32), 'AES-GCM', false, ['encrypt', 'decrypt'])
  const mac = await crypto.subtle.importKey('raw', bits.slice(64), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const about = encoder.encode(
    `${search}\n${c.req.header('content-type') ?? ''}\n${c.req.header('if-match') ?? ''}\n${c.req.header('if-none-match') ?? ''}\n`,
  )
  const whole = new Uint8Array(about.length + bytes.length)
  whole.set(about)
  whole.set(bytes, about.length)
  return { id: base64(bits.slice(32, 64)), key, body: base64(new Uint8Array(await crypto.subtle.sign('HMAC', mac, whole))) }
}

async function sealAnswer(seal: Seal, answer: Answer): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const cipher = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, seal.key, encoder.encode(JSON.stringify(answer)))
  return `${base64(iv)}.${base64(new Uint8Array(cipher))}`
}

async function openAnswer(seal: Seal, text: string): Promise<Answer> {
  const [iv = '', cipher = ''] = text.split('.')
  const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: bytesIn(iv) }, seal.key, bytesIn(cipher))
  return JSON.parse(new TextDecoder().decode(plain)) as Answer
}

/** What is not such text was not sealed either. */
const bytesIn = (text: string): Uint8Array<ArrayBuffer> => bytesOfBase64(text) ?? new Uint8Array()
