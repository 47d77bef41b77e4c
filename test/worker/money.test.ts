/** What a corpus costs, over HTTP: the context, the header, the refusal. */
import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ended, eventually } from './waiting'

const app = (exports as unknown as { default: Fetcher }).default
let made = 0

async function call(method: string, path: string, body?: unknown, key = 'local-development-key') {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await app.fetch(`https://loam.test${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}

async function corpus(config: object): Promise<string> {
  const name = `money-${Date.now().toString(36)}-${made++}`
  expect((await call('PUT', `/v1/corpora/${name}`, config)).status).toBe(201)
  return `/v1/corpora/${name}`
}

async function outcome(base: string, job: string): Promise<string> {
  const view = await ended<{ status: string }>(job, async () => (await call('GET', `${base}/jobs/${job}?wait=20`)).body)
  return view.status
}

/** When nothing is set aside any more. */
async function settledUsage(base: string) {
  return eventually('the end of what is set aside', async () => {
    const { body } = await call('GET', `${base}/usage`)
    return body.held.tokens === 0 ? body : undefined
  })
}

const page = (n: number) => ({ id: `page ${n}`, text: `The heron of page ${n} waits by the mill. It eats fish in year ${n}. `.repeat(20) })

describe('money over HTTP', () => {
  it('[V60] the context: totals, stages, documents by cursor, and the day of the prices', async () => {
    const base = await corpus({ strategies: ['cluerag'] })
    const { body } = await call('POST', `${base}/documents:batch`, { upserts: [0, 1, 2].map(page) })
    expect(await outcome(base, body.job)).toBe('succeeded')
    const first = await call('GET', `${base}/usage?limit=2`)
    expect(first.body).toMatchObject({ prices: { date: '2026-08-28', usd_per_neuron: 0.000011 }, budget: {}, shared: { calls: 0 } })
    const second = await call('GET', `${base}/usage?limit=2&cursor=${first.body.next_cursor}`)
    const documents = [...first.body.data, ...second.body.data]
    expect([documents.map((one) => one.document), second.body.next_cursor]).toEqual([['page 0', 'page 1', 'page 2'], null])
    expect(documents.reduce((sum, one) => sum + one.embedded, 0)).toBe(first.body.total.embedded)
    const { usage } = (await call('GET', base)).body
    expect(first.body.total).toMatchObject(usage)
    expect(usage.embedded).toBeGreaterThan(0)
  })

  it('[V62] what a question took and cost stands in its body and in Server-Timing, and in the context', async () => {
    const base = await corpus({ strategies: [] })
    await outcome(base, (await call('PUT', `${base}/documents/a`, { text: page(1).text })).body.job)
    const before = (await call('GET', `${base}/usage`)).body
    const { headers, body } = await call('POST', `${base}/search`, { query: 'Where is the heron?', strategy: 'hybrid' })
    const timing = headers.get('server-timing') ?? ''
    expect(timing).toMatch(/^embed;dur=\d+.*, retrieve;dur=\d+.*, total;dur=\d+/)
    expect(timing).toContain(`usage;desc="in=0 out=0 embedded=${body.usage.embedded} calls=1"`)
    expect(body.usage.embedded).toBeGreaterThan(0)
    const after = (await call('GET', `${base}/usage`)).body
    expect(after.shared.embedded - before.shared.embedded).toBe(body.usage.embedded)
  })

  it('[V65] 402 where the estimate exceeds what is left; a question over budget is answered all the same', async () => {
    const base = await corpus({ strategies: [], budget: { tokens: 2000 } })
    await outcome(base, (await call('PUT', `${base}/documents/a`, { text: page(1).text })).body.job)
    const refused = await call('PUT', `${base}/documents/b`, { text: page(2).text.repeat(8) })
    expect([refused.status, refused.body.code, refused.body.left < 2000]).toEqual([402, 'over_budget', true])
    expect((await call('GET', `${base}/documents/b`)).status).toBe(404)
    await call('PUT', base, { budget: { tokens: 1 } })
    const { status, body } = await call('POST', `${base}/query`, { query: 'Where is the heron of page 1?' })
    expect([status, body.generator, body.degraded, body.evidence.length > 0]).toEqual([200, 'extractive', ['budget'], true])
    expect(body.usage).toEqual({ in: 0, out: 0, embedded: 0, calls: 0 })
  })

  it('[V170] sixty questions at once spend no more than is left, and no reservation stays', async () => {
    const base = await corpus({ strategies: [] })
    await outcome(base, (await call('PUT', `${base}/documents/a`, { text: page(1).text })).body.job)
    const { total } = (await call('GET', `${base}/usage`)).body
    const budget = total.embedded + 150
    await call('PUT', base, { budget: { tokens: budget } })
    const asked = Array.from({ length: 60 }, (_, n) => `Where does the heron of page ${n} wait, and what does it eat by the mill?`)
    const answers = await Promise.all(asked.map((query) => call('POST', `${base}/query`, { query })))
    expect(new Set(answers.map((one) => one.status))).toEqual(new Set([200]))
    const flagged = answers.filter((one) => one.body.degraded.includes('budget')).length
    expect([flagged > 0, flagged < 60]).toEqual([true, true])
    const usage = await settledUsage(base)
    expect(usage.total.embedded).toBeLessThanOrEqual(budget)
    expect(usage.total.embedded).toBeGreaterThan(total.embedded)
  })

  it('[H171] sixty requests at once use no more than a key may in a day, of several corpora together', async () => {
    const bases = [await corpus({ strategies: [] }), await corpus({ strategies: [] })]
    for (const base of bases) await outcome(base, (await call('PUT', `${base}/documents/a`, { text: page(1).text })).body.job)
    const names = bases.map((base) => base.split('/').at(-1))
    const limits = { tokens_a_day: 500, requests_a_day: 70 }
    const { key, id } = (await call('POST', '/v1/keys', { name: 'limited', scopes: ['read'], corpora: names, limits })).body
    const ask = (n: number) =>
      call('POST', `${bases[n % 2]}/query`, { query: `Where does the heron of page ${n} wait, and what does it eat?` }, key)
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => ask(n)))
    expect(answers.filter(({ status }) => status !== 200 && status !== 429)).toEqual([])
    expect(answers.filter(({ body }) => body.degraded?.length === 0).length).toBeGreaterThan(3)
    const day = await eventually('the end of what is set aside', async () => {
      const found = (await call('GET', '/v1/usage', undefined, key)).body.key
      return found.held.tokens === 0 ? found : undefined
    })
    expect([day.id, day.tokens > 50, day.tokens <= 500, day.requests > 60]).toEqual([id, true, true, true])
    const last = await eventually('the requests to be used up', async () => {
      const one = await ask(0)
      return one.body.limit === 'requests_a_day' ? one : undefined
    })
    expect([last.status, Number(last.headers.get('retry-after')) > 0]).toEqual([429, true])
  })
})
