/** Sources of many documents in a corpus in partitions: the listing is the whole's, each document its partition's. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { outboundOf } from '../../src/adapters/corpus'
import { partOf } from '../../src/core/joint/part-of'
import { partitionUids } from '../../src/corpus-uid'
import { bindings } from './corpora'
import { call, corpus } from './living'
import { eventually } from './waiting'

const PARTS = 3
const SITE = 'https://site.example'
const { DB } = env as unknown as { DB: D1Database }
const pages = new Map<string, string>()
let asked: string[] = []

beforeEach(() => {
  pages.clear()
  asked = []
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const url = String(input)
    if (url.startsWith('https://cloudflare-dns.com/'))
      return Response.json({ Status: 0, Answer: url.endsWith('type=A') ? [{ type: 1, data: '93.184.216.34' }] : [] })
    asked.push(url)
    const page = pages.get(url)
    const type = url.endsWith('.xml') ? 'application/xml' : 'text/html'
    return new Response(page ?? null, { status: page === undefined ? 404 : 200, headers: { 'content-type': type } })
  })
})
afterEach(() => void vi.restoreAllMocks())

const names = ['reeds', 'pond', 'tower', 'mill', 'quay']
const at = (name: string) => `${SITE}/${name}`
const page = (name: string, more = '') => `<title>${name}</title><p>A bittern booms at the ${name}.${more}</p>`
function list(listed: readonly string[]): void {
  const urls = listed.map((name) => `<url><loc>${at(name)}</loc></url>`).join('')
  pages.set(`${SITE}/map.xml`, `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`)
}
const uidOf = async (base: string) => {
  const name = base.split('/').at(-1)
  return (await DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(name).first<string>('uid')) ?? ''
}
const sqlIn = (uid: string, query: string) =>
  runInDurableObject(bindings.CORPUS.getByName(uid) as DurableObjectStub, (_object, { storage }) => storage.sql.exec(query).toArray())

interface Item {
  readonly item: string
  readonly document: string
  readonly status: string
}
const itemsOf = async (base: string, source: string, headers = {}): Promise<Item[]> =>
  (await call('GET', `${base}/sources/${source}/items`, undefined, headers)).body.data
const documentsOf = async (base: string): Promise<{ document: string; title: string }[]> =>
  (await call('GET', `${base}/documents`)).body.data
const settled = (what: string, base: string, source: string, look: (items: readonly Item[], documents: readonly string[]) => boolean) =>
  eventually(what, async () => {
    const items = await itemsOf(base, source)
    const documents = (await documentsOf(base)).map(({ document }) => document)
    return look(items, documents) || undefined
  })

it('[P2297] keeps documents in step with what a site lists: each in its partition, checked, changed, and deleted when it is listed no more', async () => {
  const base = await corpus({ partitions: PARTS })
  for (const name of names) pages.set(at(name), page(name))
  list(names)
  const body = { url: `${SITE}/map.xml`, kind: 'sitemap', every: '1d', on_gone: 'delete', gone_after: 1, access: ['group:few'] }
  const { body: made, status } = await call('POST', `${base}/sources`, body)
  expect([status, made.kind]).toEqual([201, 'sitemap'])
  const { source } = made
  await settled(
    'all pages',
    base,
    source,
    (items, documents) => items.every((one) => one.status === 'ok') && documents.length === names.length,
  )
  const items = await itemsOf(base, source)
  expect(items.map(({ item }) => item).sort()).toEqual(names.map(at).sort())
  expect(new Set(items.map(({ document }) => partOf(document, PARTS))).size).toBeGreaterThan(1)
  expect((await call('GET', `${base}/documents/${encodeURIComponent(items[0]?.document ?? '')}`)).body.access).toEqual(['group:few'])
  // Nobody is told of items whose documents they may not read, and the source is listed with those of single pages.
  expect(await call('GET', `${base}/sources/${source}`, undefined, { 'loam-as': 'user:ana@example.org' })).toMatchObject({ status: 404 })
  pages.set(at('extra'), page('extra'))
  const single = (await call('POST', `${base}/sources`, { url: at('extra'), every: '1d' })).body
  const { body: listed } = await call('GET', `${base}/sources`)
  expect(listed.data.map((one: { source: string }) => one.source)).toEqual([source, single.source].sort())
  // A page provided by a source is provided by no other.
  const document = items.find(({ item }) => item === at('mill'))?.document
  expect((await call('POST', `${base}/sources`, { url: at('mill'), document, every: '1d' })).body.code).toBe('conflict')
  // What has not changed makes no version; a changed page is taken, one that is listed no more is deleted.
  const versions = (await call('GET', base)).body.versions
  pages.set(at('mill'), page('mill', ' It is old.'))
  list(names.filter((name) => name !== 'pond'))
  await call('POST', `${base}/sources/${source}:fetch`)
  const gone = items.find(({ item }) => item === at('pond'))?.document ?? ''
  await settled('the pond to go', base, source, (_, documents) => !documents.includes(gone))
  await eventually('the mill to change', async () => {
    const found = await call('GET', `${base}/documents/${encodeURIComponent(document ?? '')}`)
    return found.body.text?.includes('It is old') || undefined
  })
  const after = (await call('GET', base)).body.versions as number[]
  const concerned = new Set([gone, document ?? '', single.document].map((id) => partOf(id, PARTS)))
  expect(after.flatMap((one, part) => (one === versions[part] ? [] : [part])).every((part) => concerned.has(part))).toBe(true)
  expect((await itemsOf(base, source)).find(({ item }) => item === at('pond'))?.status).toBe('gone')
  // Listed again, it is here again.
  list(names)
  await call('POST', `${base}/sources/${source}:fetch`)
  await settled('the pond', base, source, (_, documents) => documents.includes(gone))
  expect((await call('DELETE', `${base}/sources/${source}?documents=delete`)).status).toBe(202)
  await eventually('the source to go', async () => (await call('GET', `${base}/sources/${source}`)).status === 404 || undefined)
  await eventually('its documents', async () => (await documentsOf(base)).length === 1 || undefined)
  const entries = (await call('GET', `${base}/audit?limit=200`)).body.data as { action: string; by: string; partition: number }[]
  expect(entries.filter(({ action }) => action === 'source.create').map(({ partition }) => partition)).toContain(-1)
})

it('[P2298] a partition that fails in the middle takes its documents when they come again, and no other gets any twice', async () => {
  const base = await corpus({ partitions: PARTS })
  const uid = await uidOf(base)
  const [, failing = ''] = partitionUids(uid)
  list([])
  const { source } = (await call('POST', `${base}/sources`, { url: `${SITE}/map.xml`, kind: 'sitemap', every: '1d' })).body
  await eventually(
    'the empty listing',
    async () => (await call('GET', `${base}/sources/${source}`)).body.last_result === 'listed' || undefined,
  )
  // Two documents, of two partitions, in one report; the second fails.
  const fetched = (part: number, text: string) => {
    const name = Array.from({ length: 99 }, (_, i) => `p${i}`).find((one) => partOf(at(one), PARTS) === part) ?? ''
    return {
      key: at(name),
      document: at(name),
      mark: text,
      title: name,
      published: null,
      content: { id: at(name), text, title: name, url: at(name), metadata: {} },
    }
  }
  const entries = [fetched(0, 'The heron waits.'), fetched(1, 'The owl waits.')]
  const listing = { kind: 'listed', entries, next: null, isComplete: true } as const
  const whole = outboundOf(bindings.CORPUS, uid)
  const claimed = async () => {
    await sqlIn(uid, `UPDATE source SET state = 'queued', due = 0, next_list = 0`)
    const order = await whole.claimSource(source)
    if (order.kind !== 'go') throw new Error(order.kind)
    return order.attempt
  }
  const attempt = await claimed()
  await sqlIn(failing, `CREATE TRIGGER failing BEFORE INSERT ON revision BEGIN SELECT RAISE(ABORT, 'disk'); END`)
  await expect(whole.closeSource(source, attempt, listing)).rejects.toThrow()
  expect(await itemsOf(base, source)).toEqual([])
  await eventually('what the other took', async () => (await call('GET', base)).body.versions[0] === 1 || undefined)
  await sqlIn(failing, 'DROP TRIGGER failing')
  const next = await claimed()
  // The report of an attempt that another has overtaken is nobody's.
  await whole.closeSource(source, attempt, { ...listing, entries: [fetched(0, 'A late text.')] })
  await whole.closeSource(source, next, listing)
  await eventually('both documents', async () => (await documentsOf(base)).length === 2 || undefined)
  expect((await itemsOf(base, source)).map(({ status }) => status)).toEqual(['ok', 'ok'])
  const texts = await Promise.all(
    entries.map(async ({ document }) => (await call('GET', `${base}/documents/${encodeURIComponent(document)}`)).body),
  )
  expect(texts.map(({ text }) => text)).toEqual(['The heron waits.', 'The owl waits.'])
  await eventually('to settle', async () => (await call('GET', base)).body.status === 'settled' || undefined)
  // The same again changes nothing.
  const { versions } = (await call('GET', base)).body
  expect(versions).toEqual([1, 1, 0])
  await whole.closeSource(source, await claimed(), listing)
  expect((await call('GET', base)).body.versions).toEqual(versions)
  // What leaves while its partition is down goes when it answers, and a document that comes meanwhile waits for that.
  await sqlIn(failing, `CREATE TRIGGER failing BEFORE INSERT ON job BEGIN SELECT RAISE(ABORT, 'disk'); END`)
  await sqlIn(uid, `UPDATE source SET on_gone = 'delete', gone_after = 1`)
  await whole.closeSource(source, await claimed(), { ...listing, entries: entries.slice(0, 1) })
  expect((await itemsOf(base, source)).map(({ status }) => status).sort()).toEqual(['gone', 'ok'])
  await expect(whole.closeSource(source, await claimed(), { ...listing, entries: [fetched(0, 'A new text.')] })).rejects.toThrow(
    'does not answer',
  )
  await sqlIn(failing, 'DROP TRIGGER failing')
  await whole.closeSource(source, await claimed(), listing)
  await eventually('the owl again', async () => (await documentsOf(base)).length === 2 || undefined)
  await eventually('to settle', async () => (await call('GET', base)).body.status === 'settled' || undefined)
  expect((await documentsOf(base)).length).toBe(2)
})
