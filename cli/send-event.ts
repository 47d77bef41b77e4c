/** `loam hooks send`: an event, signed as the webhook's sender signs it. It needs the secret but no key. */
import { readFileSync } from 'node:fs'
import { type Preset, type SignatureForm, signatureSchema } from '../src/contract/hooks'
import { signedHeaders } from '../src/hooks/sign'
import { Failure, misuse } from './failure'
import { fields, type Output } from './output'

export interface Sending {
  readonly address: string | undefined
  /** `-`: standard input. */
  readonly file: string | undefined
  readonly preset: Preset
  /** Files. */
  readonly signature: string | undefined
  readonly secret: string | undefined
  readonly id: string | undefined
}

interface Received {
  readonly job?: string
  readonly status?: string
  readonly detail?: string
  readonly code?: string
  readonly errors?: readonly { readonly path: string; readonly message: string }[]
}

export async function sendEvent(
  { address, file, preset, signature, secret, id }: Sending,
  out: Output,
  stdin: NodeJS.ReadStream,
): Promise<void> {
  if (!address || !URL.canParse(address)) throw misuse('which address? loam hooks send <address> <event.json>')
  if (!file) throw misuse('which event? loam hooks send <address> <event.json>; - reads it from standard input')
  if (!secret) throw misuse('--secret must name the file with the webhook’s secret')
  if (preset === 'hmac' && !signature) throw misuse('--signature must name the JSON file that says how hmac signs')
  const form = signature ? formIn(signature) : null
  const body = new Uint8Array(file === '-' ? await all(stdin) : readFileSync(file))
  const event = {
    secret: readFileSync(secret, 'utf8').trim(),
    body,
    id: id ?? `evt_${crypto.randomUUID().replaceAll('-', '')}`,
    now: Date.now(),
  }
  const headers = await signedHeaders(preset, form, event)
  if (!headers) throw new Failure('this is not a secret for that preset: 16 to 128 bytes; for a standard webhook, whsec_ and base64')
  const response = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
  const said = (await response.json().catch(() => ({}))) as Received
  if (!response.ok) {
    const faults = (said.errors ?? []).map(({ path, message }) => `\n  ${path}: ${message}`).join('')
    throw new Failure(`${said.detail ?? `answered ${response.status}`} (${said.code ?? response.status})${faults}`)
  }
  out.result(
    { ...said, event: event.id },
    { people: (one) => one.job ?? one.status ?? 'accepted', plain: (one) => fields(one.event, one.job ?? '', one.status ?? '') },
  )
}

function formIn(path: string): SignatureForm {
  const parsed = signatureSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')))
  if (parsed.success) return parsed.data
  throw new Failure(`${path}: ${parsed.error.issues.map((one) => `${one.path.join('.') || 'it'}: ${one.message}`).join('; ')}`)
}

async function all(stdin: NodeJS.ReadStream): Promise<Uint8Array> {
  const parts: Buffer[] = []
  for await (const part of stdin) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}
