/** What leaves a corpus and what it fetches, with the real queue between: only the internet is the test's own. */
import { createExecutionContext, createMessageBatch, getQueueResult, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { resealStore } from '../../src/adapters/catalogue/reseal'
import { outboundOf } from '../../src/adapters/corpus'
import { resealPage, resealProgress } from '../../src/flows/reseal'
import { vault } from '../../src/hooks/seal'
import type { ResealState, ResealStore } from '../../src/ports/reseal'
import worker from '../../src/worker'
import { call, corpus, succeeded } from './living'
import { eventually } from './waiting'

const FIRST = 'https://first.example/in'
const SECOND = 'https://second.example/in'

interface Asked {
  readonly url: string
  readonly headers: Headers
  readonly body: string
}
let asked: Asked[] = []
let answer: (asked: Asked) => Response = () => new Response(null, { status: 204 })
const { CORPUS, DB } = env as unknown as { DB: D1Database; CORPUS: DurableObjectNamespace }

beforeEach(() => {
  asked = []
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const url = String(input)
    if (url.startsWith('https://cloudflare-dns.com/')) {
      const inside = new URL(url).searchParams.get('name') === 'inside.example'
      const data = inside ? '10.0.0.1' : '93.184.216.34'
      return Response.json({ Status: 0, Answer: url.endsWith('type=A') ? [{ type: 1, data }] : [] })
    }
    const one = { url, headers: new Headers(init?.headers), body: init?.body ? await new Response(init.body).text() : '' }
    asked.push(one)
    return answer(one)
  })
})
afterEach(() => void vi.restoreAllMocks())

/** Waits until the internet has been asked for something like this. Looked up: a promise of another request's would not wake this one. */
const until = (what: string, fits: (one: Asked) => boolean): Promise<Asked> => eventually(`a call of ${what}`, () => asked.find(fits))

const headersOf = ({ headers }: Asked) => Object.fromEntries(headers)

it('[V43] in workerd, over the real queue: an event of the document that the reference library verifies comes within seconds', async () => {
  const base = await corpus({ strategies: [] })
  answer = () => new Response(null, { status: 204 })
  const { body: endpoint } = await call('POST', `${base}/endpoints`, { url: FIRST })
  const put = await call('PUT', `${base}/documents/a`, { text: 'A heron waits.' })
  await succeeded(base, put.body.job)
  const settled = await until('the endpoint, settled', ({ url, body }) => url === FIRST && body.includes('corpus.settled'))
  const ready = await until('the endpoint, ready', ({ url, body }) => url === FIRST && body.includes('document.ready'))
  const said = [ready, settled].map((one) => new Webhook(endpoint.secret).verify(one.body, headersOf(one)) as { data: object })
  expect(said.map(({ data }) => data)).toMatchObject([
    { corpus: base.split('/').at(-1), document: 'a', status: 'ready', content_version: 1, job: put.body.job },
    { version: 1 },
  ])
  // The receiver gets it before the object learns so.
  await eventually('both deliveries to be entered', async () => {
    const { body } = await call('GET', `${base}/endpoints/${endpoint.endpoint}/deliveries?status=delivered`)
    return body.data.length === 2 || undefined
  })
  expect((await call('GET', `${base}/endpoints/${endpoint.endpoint}/deliveries?status=pending`)).body.data).toEqual([])
  const refused = await call('POST', `${base}/endpoints`, { url: 'https://inside.example/' })
  expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'url'])
})

it('[V50] in workerd, over the real queue: a page is taken in, fetched again, and found', async () => {
  const base = await corpus({ strategies: [] })
  let text = 'A bittern booms in the reeds.'
  answer = ({ url, headers }) => {
    if (url.endsWith('/robots.txt')) return new Response(null, { status: 404 })
    if (headers.get('if-none-match') === text) return new Response(null, { status: 304 })
    return new Response(`<title>Reeds</title><p>${text}</p>`, { headers: { 'content-type': 'text/html', etag: text } })
  }
  const { body: made } = await call('POST', `${base}/sources`, { url: 'https://site.example/reeds', every: '1h' })
  const looked = (result: string) =>
    eventually(`the page to be ${result}`, async () => {
      const { body } = await call('GET', `${base}/sources/${made.source}`)
      return body.last_result === result ? body : undefined
    })
  expect(await looked('changed')).toMatchObject({ status: 'ok', failures: 0 })
  const { body: jobs } = await call('GET', `${base}/jobs`)
  await succeeded(base, jobs.data[0].job)
  const found = await call('POST', `${base}/search`, { query: 'bittern', strategy: 'keyword' })
  expect(found.body.evidence[0]).toMatchObject({ document: 'https://site.example/reeds', text: 'A bittern booms in the reeds.' })
  await call('POST', `${base}/sources/${made.source}:fetch`)
  await looked('unchanged')
  expect((await call('GET', `${base}/jobs`)).body.data).toHaveLength(1)
  text = 'A bittern sleeps.'
  await call('POST', `${base}/sources/${made.source}:fetch`)
  await looked('changed')
  const { body: after } = await call('GET', `${base}/jobs`)
  await succeeded(base, after.data[0].job)
  expect((await call('GET', `${base}/documents/${encodeURIComponent('https://site.example/reeds')}`)).body).toMatchObject({
    text,
    title: 'Reeds',
  })
})

it('[V43] a mark of the budget that is passed is reported once, whether documents or questions spend it', async () => {
  const base = await corpus({ strategies: [], budget: { tokens: 1000 } })
  answer = () => new Response(null, { status: 204 })
  const url = 'https://third.example/in'
  await call('POST', `${base}/endpoints`, { url, events: ['budget.threshold'] })
  // A call is made where its bound fits, some four times what it costs: so each is small beside a fifth of the budget.
  const upserts = Array.from({ length: 11 }, (_, n) => {
    return { id: `d${n}`, text: `Heron ${n} waits at the pier until the boats are back and the nets are dry. `.repeat(3) }
  })
  await succeeded(base, (await call('POST', `${base}/documents:batch`, { upserts, deletes: [] })).body.job)
  const shares = () =>
    asked.filter((one) => one.url === url).map(({ body }) => (JSON.parse(body) as { data: { share: number } }).data.share)
  await eventually('both marks to be told', async () => {
    if (shares().length >= 2) return true
    await call('POST', `${base}/search`, { query: 'Where does the heron wait until the boats are back?', strategy: 'vector' })
    return undefined
  })
  expect(shares().sort()).toEqual([0.5, 0.8])
})

it('[V46] the consumer acknowledges what is done, delays what is not due, and leaves messages it does not know in the queue', async () => {
  const base = await corpus({ strategies: [] })
  answer = () => new Response(null, { status: 503, headers: { 'retry-after': '3600' } }) // it is not due again however slow this machine
  const { body: endpoint } = await call('POST', `${base}/endpoints`, { url: SECOND, events: ['document.ready'] })
  await succeeded(base, (await call('PUT', `${base}/documents/a`, { text: 'A heron waits.' })).body.job)
  await until('the endpoint', ({ url }) => url === SECOND)
  const uid = (await DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(base.split('/').at(-1)).first<string>('uid')) ?? ''
  const stub = CORPUS.getByName(uid)
  const rows = () =>
    runInDurableObject(stub, (_object, state) => state.storage.sql.exec('SELECT id, state, attempts FROM delivery').toArray())
  const [{ id } = { id: '' }] = await rows()
  const message = (n: number, body: unknown) => ({ id: `m${n}`, timestamp: new Date(), attempts: 1, body })
  const mine = { kind: 'delivery', uid, id: String(id) }
  const bodies = [mine, mine, { kind: 'delivery', uid, id: 'dl_gone' }, { kind: 'delivery', uid: 'no-such-corpus', id: 'x' }, 'nonsense']
  const batch = createMessageBatch(
    'loam-outbound',
    bodies.map((body, n) => message(n, body)),
  )
  await worker.queue(batch as never, env as never)
  const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext())
  expect(explicitAcks.sort()).toEqual(['m2', 'm3'])
  expect(retryMessages.map((one: { msgId: string }) => one.msgId).sort()).toEqual(['m0', 'm1', 'm4'])
  expect((await rows()).map(({ attempts }) => attempts)).toEqual([1]) // the real queue's own attempt, and no other
  // The receiver is back: sent again when asked for, under the same id.
  answer = () => new Response(null, { status: 200 })
  const before = asked.length
  expect((await call('POST', `${base}/deliveries/${id}:redeliver`)).status).toBe(202)
  const again = await until('the endpoint, again', (one) => asked.indexOf(one) >= before && one.url === SECOND)
  expect(again.headers.get('webhook-id')).toBe(asked.find(({ url }) => url === SECOND)?.headers.get('webhook-id'))
  new Webhook(endpoint.secret).verify(again.body, headersOf(again))
  await eventually('the delivery to be entered', async () => (await rows())[0]?.state === 'delivered' || undefined)
})

it('[V210] in workerd: what was sealed under the master key before it is sealed anew under the one that is set, webhooks and endpoints', async () => {
  const base = await corpus({ strategies: [] })
  const [hook, endpoint] = await Promise.all([
    call('POST', `${base}/hooks`, { preset: 'standard' }),
    call('POST', `${base}/endpoints`, { url: 'https://example.com/in' }),
  ])
  const uid = (await DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(base.split('/').at(-1)).first<string>('uid')) ?? ''
  const stub = CORPUS.getByName(uid)
  const older = vault('an older key')
  const sealed = async ({ body }: typeof hook) =>
    JSON.stringify([{ sealed: await older?.seal(body.secret, body.hook ?? body.endpoint), until: null }])
  const [ofHook, ofEndpoint] = [await sealed(hook), await sealed(endpoint)]
  await DB.prepare('UPDATE hook SET secrets = ? WHERE id = ?').bind(ofHook, hook.body.hook).run()
  await runInDurableObject(stub, (_, state) => {
    state.storage.sql.exec('UPDATE endpoint SET secrets = ? WHERE id = ?', ofEndpoint, endpoint.body.endpoint)
  })
  const kept = async () => [
    await DB.prepare('SELECT secrets FROM hook WHERE id = ?').bind(hook.body.hook).first<string>('secrets'),
    await runInDurableObject(stub, (_, state) => String(state.storage.sql.exec('SELECT secrets FROM endpoint').one().secrets)),
  ]
  expect(await kept()).toEqual([ofHook, ofEndpoint])
  const master = vault('tests-only-tests-only-tests-only', 'an older key')
  if (!master) throw new Error('no key')
  // Of this corpus alone: others of this runtime may be killed, or sealed by another test, meanwhile.
  const store = resealStore(DB)
  let state: ResealState | null = null
  const own: ResealStore = {
    ...store,
    state: async () => state,
    advance: async (_before, after) => {
      state = after
      return true
    },
    webhooks: async (after) => (await store.webhooks(after, 10_000)).filter(({ id }) => id === hook.body.hook),
    corpora: async (after) => (await store.corpora(after, 10_000)).filter((one) => one === uid),
  }
  const deps = {
    vault: master,
    store: own,
    outbound: (id: string) => outboundOf(CORPUS as never, id),
    now: () => Date.now() + 120_000,
  }
  await resealPage({ ...deps, now: () => Date.now() })
  await eventually('everything is sealed anew', async () => {
    for (let pages = 0; pages < 100 && (await resealPage(deps)); pages++);
    return (await resealProgress(deps)).status === 'done' || undefined
  })
  const current = vault('tests-only-tests-only-tests-only')
  const opened = (await kept()).map((text) => JSON.parse(text ?? '')[0].sealed)
  expect([await current?.open(opened[0], hook.body.hook), await current?.open(opened[1], endpoint.body.endpoint)]).toEqual([
    hook.body.secret,
    endpoint.body.secret,
  ])
  expect((await call('GET', '/v1/master-key')).body).toMatchObject({ older_keys: 0 })
})
