/** What is signed by preset is what is found genuine, by us and by others' tools. */
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { type Preset, signatureSchema } from '../../../src/contract/hooks'
import { signedHeaders } from '../../../src/hooks/sign'
import { newSecret, verifyEvent } from '../../../src/hooks/signature'

const body = new TextEncoder().encode('{"id":"a","text":"A heron waits. \u00fc"}')
const PLAIN = 'a-secret-of-their-own'
const FORMS = [
  { header: 'x-signature' },
  { header: 'X-Signature-256', prefix: 'sha256=', id_header: 'x-request-id' },
  { header: 'x-hmac', encoding: 'base64', id_header: 'x-id' },
  { header: 'x-slack-signature', prefix: 'v0=', timestamp_header: 'x-time', signed: 'v0:{timestamp}:{body}' },
].map((form) => signatureSchema.parse(form))

it('[N785] is genuine by every preset and form, and not once a byte, the time or the secret is another', async () => {
  const now = Date.now()
  const whsec = newSecret()
  const cases: readonly (readonly [Preset, (typeof FORMS)[number] | null, string])[] = [
    ['standard', null, whsec],
    ['generic', null, whsec],
    ['generic', null, PLAIN],
    ['github', null, PLAIN],
    ...FORMS.map((form) => ['hmac', form, PLAIN] as const),
  ]
  for (const [preset, form, secret] of cases) {
    const headers = await signedHeaders(preset, form, { secret, body, id: 'evt_1', now })
    if (!headers) throw new Error('not signed')
    const verify = (more: { body?: typeof body; secret?: string; now?: number } = {}) =>
      verifyEvent({ preset, signature: form }, [more.secret ?? secret], {
        header: (name) => headers[name.toLowerCase()],
        body: more.body ?? body,
        now: more.now ?? now,
      })
    expect([preset, form, await verify()]).toEqual([preset, form, expect.arrayContaining([expect.any(String)])])
    expect(await verify({ body: new TextEncoder().encode('{"id":"b"}') })).toBe(null)
    expect(await verify({ secret: preset === 'standard' ? newSecret() : 'another-secret-of-theirs' })).toBe(null)
    const isTimed = preset === 'standard' || preset === 'generic' || form?.timestamp_header
    if (isTimed) expect(await verify({ now: now + 400_000 })).toBe(null)
  }
  const standard = await signedHeaders('standard', null, { secret: whsec, body, id: 'evt_1', now })
  expect(new Webhook(whsec).verify(Buffer.from(body), standard ?? {})).toMatchObject({ id: 'a' })
  expect(await signedHeaders('standard', null, { secret: 'short', body, id: 'x', now })).toBe(null)
})

it('[N785] the line of openssl in the documentation signs alike', async () => {
  const [form = null] = FORMS
  const headers = await signedHeaders('hmac', form, { secret: PLAIN, body, id: 'x', now: 0 })
  const mac = createHmac('sha256', PLAIN).update(body).digest('hex')
  expect(headers).toEqual({ 'x-signature': mac })
  const said = execFileSync('openssl', ['dgst', '-sha256', '-hmac', PLAIN], { input: body }).toString()
  expect(said.trim().replace(/^.* /, '')).toBe(mac)
})
