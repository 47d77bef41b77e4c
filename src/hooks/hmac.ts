/**
 * Verifies senders with their own signing scheme: an HMAC-SHA-256 over the body, or over a time and the body, in a header they name. What
 * was signed is remembered, and so is the event's id if the sender gives one: neither is accepted twice.
 */

import { base64, bytesOfBase64 } from '../base64'
import type { SignatureForm } from '../contract/hooks'

/** A delivery as received, before anything parses it. */
export interface Delivery {
  readonly header: (name: string) => string | undefined
  readonly body: Uint8Array<ArrayBuffer>
  /** Milliseconds since the epoch. */
  readonly now: number
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' }
const MAX_SIGNATURES = 16 // checked in one header
const ID = /^[\x21-\x7e]{1,256}$/
const encoder = new TextEncoder()

/** The names under which this delivery is remembered. Null: the sender holds no secret of ours, or the delivery is too old. */
export async function verifyHmac(form: SignatureForm, secrets: readonly string[], delivery: Delivery): Promise<readonly string[] | null> {
  const { header, body, now } = delivery
  const stamp = form.timestamp_header ? (header(form.timestamp_header) ?? '') : null
  if (stamp !== null && !isRecent(stamp, now, form.tolerance)) return null
  const id = form.id_header ? (header(form.id_header) ?? '') : null
  if (id !== null && !ID.test(id)) return null
  const signed = signedBytes(form.signed, stamp ?? '', body)
  if (!(await hasMatch(form, secrets, header(form.header) ?? '', signed))) return null
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', signed))
  return [...(id === null ? [] : [`id ${id}`]), `signed ${base64(digest)}`]
}

/** Seconds or milliseconds since the epoch: senders use either. */
function isRecent(stamp: string, now: number, tolerance: number): boolean {
  if (!/^\d{1,13}$/.test(stamp)) return false
  const seconds = stamp.length > 11 ? Number(stamp) / 1000 : Number(stamp)
  return Math.abs(now / 1000 - seconds) <= tolerance
}

/** `v0:{timestamp}:{body}`: the body exactly as its bytes arrived. */
export function signedBytes(template: string, stamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const [before = '', after = ''] = template.split('{body}')
  const [head, tail] = [before, after].map((text) => encoder.encode(text.replaceAll('{timestamp}', stamp)))
  const whole = new Uint8Array((head?.length ?? 0) + body.length + (tail?.length ?? 0))
  whole.set(head ?? [])
  whole.set(body, head?.length ?? 0)
  whole.set(tail ?? [], (head?.length ?? 0) + body.length)
  return whole
}

/** Every secret is tried with every signature until one matches; WebCrypto compares in constant time. */
async function hasMatch(form: SignatureForm, secrets: readonly string[], given: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const macs = given
    .split(',')
    .slice(0, MAX_SIGNATURES)
    .flatMap((one) => macOf(form, one.trim()) ?? [])
  let fits = false
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', encoder.encode(secret), HMAC, false, ['verify'])
    for (const mac of macs) fits = (await crypto.subtle.verify('HMAC', key, mac, signed)) || fits
  }
  return fits
}

function macOf({ prefix, encoding }: SignatureForm, text: string): Uint8Array<ArrayBuffer> | null {
  if (!text.startsWith(prefix)) return null
  const mac = text.slice(prefix.length)
  if (encoding === 'base64') return /^[A-Za-z0-9+/]{43}=$/.test(mac) ? bytesOfBase64(mac) : null
  return /^[0-9a-f]{64}$/i.test(mac) ? Uint8Array.from(mac.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)) : null
}
