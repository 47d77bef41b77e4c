/** Living corpora with everything real behind them but the models: events are heard once, what is deleted is nowhere. Rules V. */
import { env, exports } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'

const app = (exports as unknown as { default: Fetcher }).default
const origin = 'https://loam.test'

interface Got {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions
  readonly body: any
}

async function call(method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<Got> {
  const headers = { authorization: 'Bearer local-development-key', 'content-type': 'application/json', ...more }
  const response = await app.fetch(`${origin}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const text = await response.text()
  return { status: response.status, text, body: /json$/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : null }
}

let made = 0
async function corpus(config: object = {}): Promise<string> {
  const name = `living-${Date.now().toString(36)}-${made++}`
  expect((await call('PUT', `/v1/corpora/${name}`, config)).status).toBe(201)
  return `/v1/corpora/${name}`
}

async function succeeded(base: string, job: string): Promise<void> {
  for (;;) {
    const { body } = await call('GET', `${base}/jobs/${job}?wait=20`)
    if (!['queued', 'running'].includes(body.status)) return expect(body.status).toBe('succeeded')
  }
}

async function send(hook: { url: string; secret: string }, id: string, event: unknown, tamper = (body: string) => body) {
  const body = JSON.stringify(event)
  const now = new Date()
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(hook.secret).sign(id, now, body),
  }
  const response = await app.fetch(hook.url, { method: 'POST', headers, body: tamper(body) })
  return { status: response.status, body: (await response.json()) as { job?: string; status?: string; code?: string } }
}

describe('webhooks', () => {
  it('[V8] an event is taken in once, however often and however close together it comes', async () => {
    const base = await corpus({ strategies: [] })
    const { body: hook } = await call('POST', `${base}/hooks`, { preset: 'standard' })
    const all = await Promise.all(Array.from({ length: 50 }, () => send(hook, 'msg_1', { id: 'a', text: 'A heron waits.' })))
    const statuses = all.map((one) => one.status).sort()
    expect(statuses).toEqual([...Array(49).fill(200), 202])
    expect(new Set(all.filter((one) => one.status === 200).map((one) => one.body.status))).toEqual(new Set(['duplicate']))
    expect(new Set(all.map((one) => one.body.job)).size).toBe(1)
    await succeeded(base, all.find((one) => one.status === 202)?.body.job ?? '')
    // Later events stand, whatever comes again.
    const removed = await send(hook, 'msg_2', { id: 'a', deleted: true })
    await succeeded(base, removed.body.job ?? '')
    expect((await send(hook, 'msg_1', { id: 'a', text: 'A heron waits.' })).body.status).toBe('duplicate')
    expect((await call('GET', `${base}/documents/a`)).status).toBe(404)
    expect((await call('GET', `${base}/jobs`)).body.data).toHaveLength(2)
  })

  it('[V6] in workerd too: what is tampered with is 401 and changes nothing', async () => {
    const base = await corpus({ strategies: [] })
    const { body: hook } = await call('POST', `${base}/hooks`, { preset: 'generic' })
    for (const tamper of [
      (body: string) => `${body} `,
      (body: string) => body.slice(1),
      (body: string) => body.replace('heron', 'crane'),
    ]) {
      const { status, body } = await send(hook, 'msg_1', { id: 'a', text: 'A heron waits.' }, tamper)
      expect([status, body.code]).toEqual([401, 'signature_invalid'])
    }
    expect((await call('GET', `${base}/documents`)).body.data).toEqual([])
  })

  it('[V7] a webhook ends with its corpus, secrets and all', async () => {
    const base = await corpus({ strategies: [] })
    const { body: hook } = await call('POST', `${base}/hooks`, { preset: 'standard' })
    expect((await call('DELETE', base)).status).toBe(202)
    expect((await send(hook, 'msg_1', { id: 'a', text: 'Too late.' })).body.code).toBe('hook_not_found')
    const { DB } = env as unknown as { DB: D1Database }
    expect(await DB.prepare('SELECT count(*) AS n FROM hook WHERE id = ?').bind(hook.hook).first('n')).toBe(0)
  })
})
