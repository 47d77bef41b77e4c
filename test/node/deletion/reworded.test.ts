/** Where a deployment has a judge: what a document said in other words is told with an answer, shown nowhere else, and gone with its document. */
import { expect, it } from 'vitest'
import { fakeModels } from '../../core/flows/fakes'
import { deployment } from './deployment'

const AT = '/v1/corpora/ferries'
const OLD = 'The ferry costs 45 thalers.'
const NEW = 'Crossing the lake is now sixty thalers a head.'
const REPLY = JSON.stringify({ pairs: [{ a: 1, b: 2, verdict: 'differ' }] })
const judge = fakeModels({ write: [REPLY] })
const world = deployment({ judge })
const call = (method: string, path: string, body?: unknown) => world.send(method, `${AT}${path}`, body)

async function put(document: string, text: string, more: object = {}): Promise<void> {
  expect((await call('PUT', `/documents/${document}`, { text, title: 'Ferry', ...more })).status).toBe(202)
  await world.ring()
}

const kept = (): number => world.uids().reduce((sum, uid) => sum + world.objectRows(uid).prepare('SELECT 1 FROM earlier').all().length, 0)

interface Told {
  readonly superseded?: readonly {
    readonly current: { readonly quote: string }
    readonly earlier?: readonly { readonly quote: string }[]
  }[]
}
const ask = async (at = AT): Promise<Told> =>
  (await world.send('POST', `${at}/query`, { query: 'What does the ferry cost?', min_confidence: 0 })).body

it('[T2131] an answer says what a reworded statement replaced, and so does one of a copy restored from a backup', async () => {
  expect((await call('PUT', '', {})).status).toBe(201)
  await put('prices', OLD)
  await put('prices', NEW)
  expect(kept()).toBe(1)
  expect((await ask()).superseded).toMatchObject([{ current: { quote: NEW }, earlier: [{ quote: OLD }] }])
  const part = await (await world.request('GET', `${AT}/backup`)).text()
  expect((await world.request('POST', '/v1/corpora/copy:restore', part)).status).toBeLessThan(300)
  await world.ring()
  expect(kept()).toBe(2)
  expect((await ask('/v1/corpora/copy')).superseded).toMatchObject([{ earlier: [{ quote: OLD }] }])
  await world.send('DELETE', '/v1/corpora/copy?at_once=true')
  await world.ring()
})

it('[T2133] nothing else shows it: no search, list of changes, document, export, health or job', async () => {
  const job = (await call('GET', '/jobs')).body as { readonly data: readonly { readonly job: string }[] }
  const paths = [
    '/changes',
    '/documents/prices/changes',
    '/documents/prices',
    '/documents/prices/chunks',
    '/health',
    '/jobs',
    '/usage',
    '/audit',
  ]
  const shown = await Promise.all([...paths, ...job.data.map((one) => `/jobs/${one.job}`)].map((path) => call('GET', path)))
  const found = await call('POST', '/search', { query: 'What does the ferry cost?' })
  const exported = await (await world.request('GET', `${AT}/export`)).text()
  expect(shown.map(({ status }) => status).filter((status) => status !== 200)).toEqual([])
  expect(JSON.stringify([shown, found, exported])).not.toContain('45 thalers')
  expect(exported).toContain(NEW)
})

it('[T2130] it goes with the labels and with the document, and is then told no more', async () => {
  await call('PATCH', '/documents/prices', { access: ['group:crew'] })
  expect([kept(), (await ask()).superseded]).toEqual([0, undefined])
  await put('prices', OLD, { access: [] })
  await put('prices', NEW, { access: [] })
  expect([kept(), (await ask()).superseded?.length]).toEqual([1, 1])
  await call('DELETE', '/documents/prices')
  await world.ring()
  expect([kept(), (await ask()).superseded]).toEqual([0, undefined])
})
