/** Labels and classification over HTTP, in the corpus's own object. */
import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'

const app = (exports as unknown as { default: Fetcher }).default

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions
async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
  const response = await app.fetch(`https://loam.test${path}`, {
    method,
    headers: { authorization: 'Bearer local-development-key', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

let made = 0
async function labelled(): Promise<string> {
  const base = `/v1/corpora/labels-${Date.now().toString(36)}-${made++}`
  expect((await call('PUT', base, { strategies: ['gorag'] })).status).toBe(201)
  const sets: [string, string[]][] = [
    ['card arrival', ['When will my new card arrive?', 'My card has not been delivered yet']],
    ['lost card', ['I lost my card', 'My card was stolen, please block it']],
    ['exchange rate', ['What exchange rate do you use?', 'How do you compute the rate for euros?']],
  ]
  for (const [label, examples] of sets) {
    const put = await call('PUT', `${base}/labels/${encodeURIComponent(label)}`, { examples })
    expect([put.status, put.body.label]).toEqual([200, label])
  }
  return base
}

describe('labels over HTTP', () => {
  it('[S6] a label is usable when its PUT returns, and the tree shows why it was chosen', async () => {
    const base = await labelled()
    const { body } = await call('POST', `${base}/classify`, { text: 'I think my card was stolen, block it' })
    expect(body.label).toBe('lost card')
    expect(body.confidence).toBeGreaterThan(1 / 3)
    expect(body.candidates[0]).toMatchObject({ label: 'lost card' })
    expect(body.tree.nodes.length).toBeGreaterThan(1)
    expect(body.learned).toBeUndefined()
  })

  it('[S6] labels are listed, replaced whole and deleted; a corpus without GORAG refuses them', async () => {
    const base = await labelled()
    expect((await call('GET', `${base}/labels`)).body.data.map((one: { label: string }) => one.label)).toEqual([
      'card arrival',
      'exchange rate',
      'lost card',
    ])
    expect((await call('DELETE', `${base}/labels/lost%20card`)).status).toBe(200)
    expect((await call('DELETE', `${base}/labels/lost%20card`)).status).toBe(404)
    expect((await call('POST', `${base}/classify`, { text: 'I lost my card' })).body.label).not.toBe('lost card')
    const other = `/v1/corpora/plain-${Date.now().toString(36)}`
    await call('PUT', other, {})
    const refused = await call('POST', `${other}/classify`, { text: 'x' })
    expect([refused.status, refused.body.code]).toEqual([422, 'strategy_not_enabled'])
  })

  it('[C20] configured anew, the corpus shows the keywords of the new settings, and labels still leave nothing', async () => {
    const base = await labelled()
    const keywords = async () => (await call('GET', base)).body.counts.keywords
    const before = await keywords()
    await call('PUT', base, { settings: { gorag: { phrase: 3 } } })
    const three = await keywords()
    await call('PUT', base, { settings: { gorag: { phrase: 1 } } })
    expect([three > before, (await keywords()) < before]).toEqual([true, true])
    for (const label of ['card arrival', 'lost card', 'exchange rate']) await call('DELETE', `${base}/labels/${encodeURIComponent(label)}`)
    expect(await keywords()).toBe(0)
  })

  it('[S6] what was learned from a time on is undone at once', async () => {
    const base = await labelled()
    expect((await call('PUT', base, { settings: { gorag: { learning: { confidence: 0.01 } } } })).status).toBe(200)
    const { learned } = (await call('POST', `${base}/classify`, { text: 'a thief took my card on the train', learn: true })).body
    expect(typeof learned.id).toBe('string')
    expect((await call('DELETE', `${base}/learned?since=2100-01-01T00:00:00Z`)).body.status).toBe('unchanged')
    expect((await call('DELETE', `${base}/learned?since=2020-01-01T00:00:00Z`)).body.status).toBe('deleted')
    expect((await call('DELETE', `${base}/learned/${learned.id}`)).status).toBe(404)
    for (const wrong of ['', '?since=', '?since=yesterday']) expect((await call('DELETE', `${base}/learned${wrong}`)).status).toBe(422)
  })

  it('[S6] what was learned has an id, is learned once, and can be undone', async () => {
    const base = await labelled()
    const text = 'my card was stolen, please block it at once'
    const first = (await call('POST', `${base}/classify`, { text, learn: true })).body
    const again = (await call('POST', `${base}/classify`, { text, learn: true })).body
    expect(first.confidence).toBeGreaterThanOrEqual(0.8)
    expect([typeof first.learned.id, again.learned.id]).toEqual(['string', first.learned.id])
    expect((await call('DELETE', `${base}/learned/${first.learned.id}`)).status).toBe(200)
    expect((await call('DELETE', `${base}/learned/${first.learned.id}`)).status).toBe(404)
  })
})
