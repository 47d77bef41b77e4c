/**
 * Who sent it? Verifies Standard Webhooks (`id.timestamp.body`, HMAC-SHA-256, several signatures in one header) and GitHub's
 * `X-Hub-Signature-256`, over the bytes as they arrived: nothing here parses a body. WebCrypto compares in constant time.
 */

import { base64, bytesOfBase64 } from '../base64'
import type { Preset } from '../contract/hooks'
import type { HookRecord } from '../ports/hooks'
import { type Delivery, verifyHmac } from './hmac'

const TOLERANCE = 300 // seconds a timestamp may be off either way
const MAX_SIGNATURES = 16 // checked in one header: more than any rotation needs
const MIN_SECRET = 16 // bytes
const MAX_SECRET = 128 // bytes
const NEW_SECRET = 32 // bytes; the specification asks for 24 to 64
const ID = /^[\x21-\x7e]{1,256}$/
const encoder = new TextEncoder()
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/** The names under which this delivery is remembered; it is a repeat if any of them is known. Null: the sender holds no secret of ours. */
export async function verifyEvent(
  { preset, signature }: Pick<HookRecord, 'preset' | 'signature'>,
  secrets: readonly string[],
  delivery: Delivery,
): Promise<readonly string[] | null> {
  if (preset === 'hmac') return signature ? verifyHmac(signature, secrets, delivery) : null
  return preset === 'github' ? github(secrets, delivery) : standard(preset, secrets, delivery)
}

async function standard(preset: Preset, secrets: readonly string[], { header, body, now }: Delivery): Promise<readonly string[] | null> {
  const [id = '', stamp = '', signatures = ''] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')]
  if (!ID.test(id) || !/^\d{1,12}$/.test(stamp) || Math.abs(now / 1000 - Number(stamp)) > TOLERANCE) return null
  const signed = signedContent(id, stamp, body)
  const given = signatures.split(' ').slice(0, MAX_SIGNATURES)
  const macs = given.filter((one) => one.startsWith('v1,')).flatMap((one) => bytesOfBase64(one.slice(3)) ?? [])
  return (await hasMatch(preset, secrets, macs, signed)) ? [`id ${id}`] : null
}

/**
 * GitHub signs neither the delivery's id nor a time: the body itself is remembered too, so that a new id does not make it a new delivery.
 */
async function github(secrets: readonly string[], { header, body }: Delivery): Promise<readonly string[] | null> {
  const hex = /^sha256=([0-9a-f]{64})$/.exec(header('x-hub-signature-256') ?? '')?.[1]
  const id = header('x-github-delivery') ?? ''
  if (hex === undefined || !ID.test(id)) return null
  const mac = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  if (!(await hasMatch('github', secrets, [mac], body))) return null
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body))
  return [`id ${id}`, `body ${base64(digest)}`]
}

/** Every secret is tried with every signature until one matches. */
async function hasMatch(
  preset: Preset,
  secrets: readonly string[],
  macs: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  let fits = false
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', keyOf(preset, secret) ?? new Uint8Array(1), HMAC, false, ['verify'])
    for (const mac of macs) fits = (await crypto.subtle.verify('HMAC', key, mac, signed)) || fits
  }
  return fits
}

/** The header's value for a delivery, with one signature per secret. */
export async function signatureOf(
  secrets: readonly string[],
  id: string,
  seconds: number,
  body: Uint8Array,
  preset: Preset = 'standard',
): Promise<string> {
  const signed = signedContent(id, String(seconds), body)
  const all = secrets.map(async (secret) => {
    const key = await crypto.subtle.importKey('raw', keyOf(preset, secret) ?? new Uint8Array(1), HMAC, false, ['sign'])
    return `v1,${base64(new Uint8Array(await crypto.subtle.sign('HMAC', key, signed)))}`
  })
  return (await Promise.all(all)).join(' ')
}

function signedContent(id: string, stamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${id}.${stamp}.`)
  const whole = new Uint8Array(head.length + body.length)
  whole.set(head)
  whole.set(body, head.length)
  return whole
}

/**
 * `whsec_` plus base64, as the specification says; GitHub's secrets, and generic ones in another form, are used as plain text. Null:
 * unusable.
 */
export function keyOf(preset: Preset, secret: string): Uint8Array<ArrayBuffer> | null {
  const isStandard = preset === 'standard' || (preset === 'generic' && secret.startsWith('whsec_'))
  const bytes = isStandard ? bytesOfBase64(secret.replace(/^whsec_/, '')) : new Uint8Array(encoder.encode(secret))
  return bytes && bytes.length >= MIN_SECRET && bytes.length <= MAX_SECRET ? bytes : null
}

export function newSecret(): string {
  return `whsec_${base64(crypto.getRandomValues(new Uint8Array(NEW_SECRET)))}`
}
