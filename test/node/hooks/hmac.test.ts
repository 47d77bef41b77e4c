/** Senders that sign with a plain HMAC, each in its own way: as Slack, Linear, Shopify and others do. */
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SignatureForm, signatureSchema } from '../../../src/contract/hooks'
import { type Delivery, verifyHmac } from '../../../src/hooks/hmac'
import { createApp } from '../../../src/http/app'
import { ADMIN, fakeWorld } from '../http/world'

const NOW = 1_795_000_000_000
const SECRET = 'a secret of the sender'
const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
const formOf = (form: object): SignatureForm => signatureSchema.parse({ header: 'X-Signature', ...form })
const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text))
const mac = (text: string, encoding: 'hex' | 'base64' = 'hex') => createHmac('sha256', SECRET).update(text).digest(encoding)

function delivery(body: string, headers: Record<string, string>, now = NOW): Delivery {
  return { header: (name) => headers[name], body: bytes(body), now }
}

describe('a plain HMAC', () => {
  it('[V689] is verified over the bytes as they came, in the header, encoding and with the prefix the sender uses, and over its time where it signs one', async () => {
    const at = String(NOW / 1000)
    const cases: readonly [object, Record<string, string>][] = [
      [{}, { 'x-signature': mac('{}') }],
      [{ prefix: 'sha256=' }, { 'x-signature': `sha256=${mac('{}')}` }],
      [{ encoding: 'base64' }, { 'x-signature': mac('{}', 'base64') }],
      [{ prefix: 'v1=' }, { 'x-signature': `v1=${'0'.repeat(64)}, v1=${mac('{}')}` }],
      [
        { prefix: 'v0=', timestamp_header: 'X-Time', signed: 'v0:{timestamp}:{body}' },
        { 'x-time': at, 'x-signature': `v0=${mac(`v0:${at}:{}`)}` },
      ],
      [
        { timestamp_header: 'X-Time', signed: '{body}.{timestamp}' },
        { 'x-time': String(NOW), 'x-signature': mac(`{}.${NOW}`) },
      ],
    ]
    for (const [form, headers] of cases) {
      expect([form, (await verifyHmac(formOf(form), ['another secret 123', SECRET], delivery('{}', headers))) !== null]).toEqual([
        form,
        true,
      ])
      expect([form, await verifyHmac(formOf(form), ['another secret 123'], delivery('{}', headers))]).toEqual([form, null])
      expect([form, await verifyHmac(formOf(form), [SECRET], delivery('{ }', headers))]).toEqual([form, null])
      expect([form, await verifyHmac(formOf(form), [SECRET], delivery('{}', {}))]).toEqual([form, null])
    }
  })

  it('[V689] no other signature is accepted, whatever it holds', async () => {
    const form = formOf({ prefix: 'sha256=' })
    await fc.assert(
      fc.asyncProperty(
        fc.string({ maxLength: 200 }),
        async (text) => (await verifyHmac(form, [SECRET], delivery('{}', { 'x-signature': text }))) === null,
      ),
      { numRuns: 200 },
    )
  })

  it('[V690] one that is too old or from the future is refused; what was signed, and the sender’s id, name it', async () => {
    const form = formOf({ timestamp_header: 'x-time', signed: '{timestamp}.{body}', tolerance: 60, id_header: 'x-id' })
    const at = (seconds: number) => delivery('{}', { 'x-id': 'e1', 'x-time': String(seconds), 'x-signature': mac(`${seconds}.{}`) })
    const now = NOW / 1000
    expect(await verifyHmac(form, [SECRET], at(now - 61))).toBeNull()
    expect(await verifyHmac(form, [SECRET], at(now + 61))).toBeNull()
    const [first, second] = [await verifyHmac(form, [SECRET], at(now - 60)), await verifyHmac(form, [SECRET], at(now))]
    expect([first?.[0], second?.[0], first?.[1] === second?.[1]]).toEqual(['id e1', 'id e1', false])
    expect(await verifyHmac(form, [SECRET], delivery('{}', { 'x-time': String(now), 'x-signature': mac(`${now}.{}`) }))).toBeNull()
  })

  it('[V690] such a webhook is made, takes an event in once whatever its unsigned id says, and its form is checked', async () => {
    const world = fakeWorld()
    world.clock.now = NOW
    const app = createApp(() => world.wired)
    const send = async (method: string, path: string, body: string, headers: Record<string, string>) => {
      const response = await app.fetch(new Request(`https://loam.test${path}`, { method, headers, body }), {}, context)
      return { status: response.status, body: await response.json() }
    }
    const admin = { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' }
    await send('PUT', '/v1/corpora/here', '{}', admin)
    const make = (hook: object) => send('POST', '/v1/corpora/here/hooks', JSON.stringify(hook), admin)
    const made = await make({ preset: 'hmac', secret: SECRET, signature: { header: 'X-Hook-Signature', id_header: 'X-Event' } })
    expect([made.status, made.body.signature]).toMatchObject([
      201,
      { header: 'x-hook-signature', encoding: 'hex', signed: '{body}', tolerance: 300 },
    ])
    const body = JSON.stringify({ id: 'a', text: 'A heron waits.' })
    const tell = (id: string) => send('POST', `/v1/hooks/${made.body.hook}`, body, { 'x-hook-signature': mac(body), 'x-event': id })
    expect((await tell('1')).status).toBe(202)
    expect((await send('POST', `/v1/hooks/${made.body.hook}`, body, { 'x-hook-signature': mac('x'), 'x-event': '3' })).status).toBe(401)
    const bad: readonly [object, string][] = [
      [{ preset: 'hmac' }, 'signature'],
      [{ preset: 'generic', signature: { header: 'x' } }, 'signature'],
      [{ preset: 'hmac', signature: { header: 'a b' } }, 'signature.header'],
      [{ preset: 'hmac', signature: { header: 'x', signed: 'none' } }, 'signature.signed'],
      [{ preset: 'hmac', signature: { header: 'x', timestamp_header: 't' } }, 'signature.signed'],
      [{ preset: 'hmac', signature: { header: 'x', signed: '{timestamp}{body}' } }, 'signature.timestamp_header'],
      [{ preset: 'hmac', signature: { header: 'x', algorithm: 'md5' } }, 'signature.algorithm'],
      [{ preset: 'hmac', secret: 'short', signature: { header: 'x' } }, 'secret'],
    ]
    for (const [hook, path] of bad) {
      const refused = await make(hook)
      expect([hook, refused.status, refused.body.errors?.[0]?.path]).toEqual([hook, 422, path])
    }
  })
})
