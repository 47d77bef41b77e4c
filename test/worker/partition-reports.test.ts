/** What the object of a corpus in partitions does for all of them: the log of questions, endpoints, alerts, figures. */
import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { reportsOf, seeingOf } from '../../src/adapters/corpus'
import { partOf } from '../../src/core/joint/part-of'
import { partitionUids } from '../../src/corpus-uid'
import { bindings } from './corpora'
import { call, corpus, succeeded } from './living'
import { eventually } from './waiting'

const PARTS = 3
const HOOK = 'https://reports.example/in' // of this file alone: corpora of others are still being told of theirs
const texts = [
  ['mill', 'Bread is baked in the old mill on Tuesdays.'],
  ['heron', 'The heron waits at the pond behind the mill.'],
  ['steel', 'Steel is an alloy of iron and carbon.'],
  ['salt', 'Salt lies in mines under the old town.'],
  ['sail', 'Sails hold the wind; the wind turns the mill.'],
] as const
const upserts = texts.map(([id, text]) => ({ id, text }))
const { DB } = env as unknown as { DB: D1Database }

interface Event {
  readonly type: string
  readonly data: { readonly [name: string]: unknown }
}
const pages = new Map<string, string>()
let sent: { readonly headers: Headers; readonly body: string }[] = []

beforeEach(() => {
  sent = []
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const url = String(input)
    if (url.startsWith('https://cloudflare-dns.com/'))
      return Response.json({ Status: 0, Answer: url.endsWith('type=A') ? [{ type: 1, data: '93.184.216.34' }] : [] })
    if (url.startsWith('https://site.example/'))
      return url.endsWith('/robots.txt')
        ? new Response(null, { status: 404 })
        : new Response(pages.get(url) ?? null, { status: pages.has(url) ? 200 : 404, headers: { 'content-type': 'text/html' } })
    if (url === HOOK) sent.push({ headers: new Headers(init?.headers), body: init?.body ? await new Response(init.body).text() : '' })
    return new Response(null, { status: 204 })
  })
})
afterEach(() => void vi.restoreAllMocks())

const uidOf = async (base: string) => {
  const name = base.split('/').at(-1)
  return (await DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(name).first<string>('uid')) ?? ''
}
const events = (type: string) => sent.map(({ body }) => JSON.parse(body) as Event).filter((one) => one.type === type)

it('[P2222] logs questions with feedback; what was said of a document is gone from the log when its deletion is done', async () => {
  const base = await corpus({ partitions: PARTS, audit: { questions: 'full' } })
  await succeeded(base, (await call('POST', `${base}/documents:batch`, { upserts })).body.job)
  const { body: answer } = await call('POST', `${base}/query`, { query: 'Where does the heron wait?', strategy: 'keyword' })
  const logged = async () => (await call('GET', `${base}/query-log`)).body.data
  await eventually('the question to be logged', async () => (await logged()).length === 1 || undefined)
  const rated = await call('POST', `${base}/feedback`, { question: answer.question_id, rating: 'bad', comment: 'It left.' })
  expect(rated.status).toBe(200)
  const [before] = await logged()
  expect(before).toMatchObject({ question: 'Where does the heron wait?', rating: 'bad', comment: 'It left.', version: answer.version })
  expect(before.documents).toContain('heron')
  expect((await call('GET', `${base}/query-report`)).body.data).toMatchObject([{ question: 'Where does the heron wait?', bad: 1 }])
  await succeeded(base, (await call('DELETE', `${base}/documents/heron`)).body.job)
  const [after] = await logged()
  expect(after).toMatchObject({ id: before.id, question: null, answer: null, comment: null })
  // An answer that was being given meanwhile is logged without its texts, even if the document is back.
  await succeeded(base, (await call('PUT', `${base}/documents/heron`, { text: 'The heron is back.' })).body.job)
  const seeing = seeingOf(bindings.CORPUS, await uidOf(base))
  const late = { kind: 'query', outcome: 'answered', question: 'Where?', answer: 'At the pond.', confidence: 1, version: 3, ms: 5 } as const
  const by = { key: 'k1', door: 'http' } as const
  await seeing.noteQuestion({ ...late, id: 'q_late', documents: ['heron'], degraded: [], isBroad: false }, by)
  await seeing.noteQuestion({ ...late, id: 'q_other', documents: ['mill'], degraded: [], isBroad: false }, by)
  const [other, one] = await logged()
  expect([other.id, other.question, one.id, one.question, one.answer]).toEqual(['q_other', 'Where?', 'q_late', null, null])
  expect((await call('DELETE', `${base}/query-log`)).status).toBe(204)
  expect(await logged()).toEqual([])
})

it('[P2224] sends its endpoints the events of all partitions, each once, and says once that all have settled', async () => {
  const base = await corpus({ partitions: PARTS })
  const { body: endpoint } = await call('POST', `${base}/endpoints`, { url: HOOK })
  const { job } = (await call('POST', `${base}/documents:batch`, { upserts })).body
  await succeeded(base, job)
  const version = (await call('GET', base)).body.version
  await eventually('the corpus to have settled', () => events('corpus.settled').at(-1)?.data.version === version || undefined)
  await eventually('every document', () => events('document.ready').length >= texts.length || undefined)
  await eventually('all deliveries to be entered', async () => {
    const { body } = await call('GET', `${base}/endpoints/${endpoint.endpoint}/deliveries?status=pending`)
    return body.data.length === 0 || undefined
  })
  const ready = events('document.ready')
  expect(ready.map(({ data }) => data.document).sort()).toEqual(texts.map(([id]) => id as string).sort())
  expect(new Set(ready.map(({ data }) => data.job))).toEqual(new Set([job]))
  const versions = events('corpus.settled').map(({ data }) => data.version)
  expect(new Set(versions).size).toBe(versions.length)
  for (const { headers, body } of sent) new Webhook(endpoint.secret).verify(body, Object.fromEntries(headers))
  expect(ready[0]?.data.corpus).toBe(base.split('/').at(-1))
})

it('[P2225] raises an alert once however many partitions raise it, and clears it when none does', async () => {
  const base = await corpus({ partitions: PARTS })
  await call('POST', `${base}/endpoints`, { url: HOOK, events: ['alert.raised', 'alert.cleared', 'alert.test'] })
  const conditions = ['job_failed', 'budget_80', 'index_lag']
  await call('PUT', `${base}/alerts`, { conditions })
  const uid = await uidOf(base)
  const parts = partitionUids(uid)
  const rules = await Promise.all(parts.map(async (part) => (await seeingOf(bindings.CORPUS, part).alerts()).rules.conditions))
  expect(rules).toEqual(parts.map(() => ['job_failed', 'index_lag']))
  const whole = reportsOf(bindings.CORPUS, uid)
  const tell = (part: number, n: number, type: 'alert.raised' | 'alert.cleared') =>
    whole.takeReports(parts[part] ?? '', [{ n, kind: 'event', at: Date.now(), type, data: { condition: 'job_failed' } }])
  await tell(0, 1, 'alert.raised')
  await tell(1, 1, 'alert.raised')
  await tell(1, 1, 'alert.cleared') // a report that came before changes nothing
  await tell(0, 2, 'alert.cleared')
  const raised = async () => (await call('GET', `${base}/alerts`)).body.raised.map((one: { condition: string }) => one.condition)
  expect(await raised()).toEqual(['job_failed'])
  await eventually('the alert', () => events('alert.raised').length === 1 || undefined)
  expect(events('alert.cleared')).toEqual([])
  await tell(1, 2, 'alert.cleared')
  expect(await raised()).toEqual([])
  await eventually('its end', () => events('alert.cleared').length === 1 || undefined)
  expect((await call('POST', `${base}/alerts:test`)).body.deliveries).toBe(1)
  await eventually('the test', () => events('alert.test').length === 1 || undefined)
  expect(events('alert.raised').length).toBe(1)
})

it('[P2313] says once that a mark of the budget is passed, by whichever partition', async () => {
  const base = await corpus({ partitions: PARTS })
  await call('POST', `${base}/endpoints`, { url: HOOK, events: ['budget.threshold'] })
  const long = upserts.map(({ id, text }) => ({ id, text: `${text} `.repeat(25) }))
  await succeeded(base, (await call('POST', `${base}/documents:batch`, { upserts: long })).body.job)
  const spent = (await call('GET', `${base}/usage`)).body.total.embedded
  await call('PUT', base, { budget: { tokens: 2 * spent + 20 } })
  await call('PUT', base, { budget: { tokens: 2 * spent + 21 } })
  const marks = () => events('budget.threshold').map(({ data }) => data.share)
  expect(marks()).toEqual([])
  for (const id of ['reed', 'pond', 'tower']) {
    const text = `The bittern booms in the ${id}, and nobody sees it there before the evening comes.`
    await succeeded(base, (await call('PUT', `${base}/documents/${id}`, { text })).body.job)
  }
  const seeing = seeingOf(bindings.CORPUS, await uidOf(base))
  const used = (await call('GET', `${base}/usage`)).body.total.embedded
  await eventually('the reports', async () => (await seeing.figures())?.left.tokens === 2 * spent + 21 - used || undefined)
  await eventually('the mark', () => marks().length > 0 || undefined)
  expect(marks()).toEqual([0.5])
})

it('[P2226] tells metrics and costs of all partitions together', async () => {
  const base = await corpus({ partitions: PARTS })
  await succeeded(base, (await call('POST', `${base}/documents:batch`, { upserts })).body.job)
  const name = base.split('/').at(-1)
  const { text } = await call('GET', `/metrics?corpus=${name}`)
  const version = (await call('GET', base)).body.version
  expect(text).toContain(`loam_documents{corpus="${name}"} ${texts.length}\n`)
  expect(text).toContain(`loam_corpus_version{corpus="${name}"} ${version}\n`)
  const concerned = new Set(texts.map(([id]) => partOf(id, PARTS)))
  expect(concerned.size).toBeGreaterThan(1)
  const { body: usage } = await call('GET', `${base}/usage`)
  const { body: costs } = await call('GET', `/v1/usage?by=corpus&corpus=${name}`)
  const own = costs.costs.find((one: { corpus: string }) => one.corpus === name)
  expect([own?.embedded, usage.total.embedded > 0]).toEqual([usage.total.embedded, true])
})

it('[P2227] keeps conversations; a document that goes takes its words out of them before its deletion is done', async () => {
  const base = await corpus({ partitions: PARTS })
  const labelled = [...upserts, { id: 'secret', text: 'The owl waits in the tower.', access: ['group:few'] }]
  await succeeded(base, (await call('POST', `${base}/documents:batch`, { upserts: labelled })).body.job)
  const ask = async (query: string, more: object, headers = {}) =>
    (await call('POST', `${base}/query`, { query, strategy: 'keyword', top_k: 1, ...more }, headers)).body
  const { conversation: place } = await ask('Where does the heron wait?', { store: true })
  const second = await ask('Where are sails?', { conversation: place.id })
  expect(second.conversation.id).toBe(place.id)
  const own = await ask('When is bread baked?', { store: true })
  const turns = async (id: string) => (await call('GET', `${base}/conversations/${id}`)).body.data
  expect((await turns(place.id)).map((one: { question: string; withheld: null }) => [one.question, one.withheld])).toEqual([
    ['Where does the heron wait?', null],
    ['Where are sails?', null],
  ])
  await succeeded(base, (await call('DELETE', `${base}/documents/heron`)).body.job)
  expect((await turns(place.id))[0]).toMatchObject({ question: null, answer: null, citations: [], withheld: 'forgotten' })
  expect(JSON.stringify(await turns(place.id))).not.toMatch(/heron/i)
  expect((await turns(own.conversation.id))[0]).toMatchObject({ question: 'When is bread baked?', withheld: null })
  expect((await call('GET', `${base}/conversations`)).body.data.length).toBe(2)
  // Who may read a document is decided by its partition each time.
  const as = { 'loam-as': 'user:ana@example.org,group:few' }
  const { conversation: hers } = await ask('Where does the owl wait?', { store: true }, as)
  const read = async () => (await call('GET', `${base}/conversations/${hers.id}`, undefined, as)).body.data[0]
  expect((await read()).withheld).toBe(null)
  expect((await call('PATCH', `${base}/documents/secret`, { access: ['group:none'] })).status).toBe(200)
  expect(await read()).toMatchObject({ answer: null, citations: [], withheld: 'access' })
})

it('[P2230] keeps documents in step with pages, each in the partition of its document', async () => {
  const base = await corpus({ partitions: PARTS })
  const urls = ['reeds', 'pond', 'tower', 'mill'].map((name) => `https://site.example/${name}`)
  expect(new Set(urls.map((url) => partOf(url, PARTS))).size).toBeGreaterThan(1)
  for (const url of urls) pages.set(url, `<title>Page</title><p>A bittern booms at ${url}.</p>`)
  const made = await Promise.all(urls.map(async (url) => (await call('POST', `${base}/sources`, { url, every: '1d' })).body))
  const looked = (source: string, result: string) =>
    eventually(
      `a page to be ${result}`,
      async () => (await call('GET', `${base}/sources/${source}`)).body.last_result === result || undefined,
    )
  for (const { source } of made) await looked(source, 'changed')
  const { body: listed } = await call('GET', `${base}/sources?limit=3`)
  const { body: rest } = await call('GET', `${base}/sources?cursor=${listed.next_cursor}`)
  const ids = [...listed.data, ...rest.data].map((one: { source: string }) => one.source)
  expect([listed.data.length, ids]).toEqual([3, made.map((one) => one.source).sort()])
  await eventually('the documents', async () => (await call('GET', base)).body.counts.documents === urls.length || undefined)
  await call('POST', `${base}/sources/${made[0].source}:fetch`)
  await looked(made[0].source, 'unchanged')
  expect((await call('POST', `${base}/sources`, { url: urls[0] })).body.code).toBe('conflict')
  expect((await call('DELETE', `${base}/sources/${made[1].source}?documents=delete`)).status).toBe(204)
  await eventually('a document to go', async () => (await call('GET', base)).body.counts.documents === urls.length - 1 || undefined)
  expect((await call('GET', `${base}/sources/${made[1].source}`)).body.code).toBe('source_not_found')
})
