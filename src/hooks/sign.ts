/** Signs an event as its sender does, by preset: `verifyEvent` accepts the result. */

import { base64 } from '../base64'
import type { Preset, SignatureForm } from '../contract/hooks'
import { signedBytes } from './hmac'
import { keyOf, signatureOf } from './signature'

export interface Outgoing {
  readonly secret: string
  readonly body: Uint8Array<ArrayBuffer>
  /** Names the event: sent again under the same id, it is accepted only once. */
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** For presets other than `hmac` the form is fixed. Null: the secret does not fit this preset. */
export async function signedHeaders(
  preset: Preset,
  form: SignatureForm | null,
  { secret, body, id, now }: Outgoing,
): Promise<{ readonly [header: string]: string } | null> {
  if (!keyOf(preset, secret)) return null
  const seconds = Math.floor(now / 1000)
  if (preset === 'hmac') return form && ownHeaders(form, { secret, body, id, now })
  if (preset === 'github') {
    const mac = hex(await macOf(secret, body))
    return { 'x-hub-signature-256': `sha256=${mac}`, 'x-github-delivery': id, 'x-github-event': 'loam' }
  }
  const signature = await signatureOf([secret], id, seconds, body, preset)
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signature }
}

async function ownHeaders(
  { header, prefix, encoding, signed, timestamp_header, id_header }: SignatureForm,
  { secret, body, id, now }: Outgoing,
) {
  const stamp = String(Math.floor(now / 1000))
  const mac = await macOf(secret, signedBytes(signed, stamp, body))
  return {
    [header]: `${prefix}${encoding === 'base64' ? base64(mac) : hex(mac)}`,
    ...(timestamp_header ? { [timestamp_header]: stamp } : {}),
    ...(id_header ? { [id_header]: id } : {}),
  }
}

async function macOf(secret: string, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes))
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
