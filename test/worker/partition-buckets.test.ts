/** A bucket as a source of a corpus in partitions: the listing is the whole's, each object's document its partition's. */
import { env } from 'cloudflare:workers'
import { strToU8, zipSync } from 'fflate'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { corpusOf, outboundOf } from '../../src/adapters/corpus'
import { partOf } from '../../src/core/joint/part-of'
import { partitionUids } from '../../src/corpus-uid'
import { bindings } from './corpora'
import { call, corpus } from './living'
import { eventually } from './waiting'

const PARTS = 3
const ENDPOINT = 'https://objects.example'
const { DB } = env as unknown as { DB: D1Database }
const objects = new Map<string, Uint8Array<ArrayBuffer>>()
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text))
let reads: string[] = []

const tagOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

async function listing(prefix: string): Promise<string> {
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort()
  const rows = await Promise.all(
    keys.map(async (key) => `<Contents><Key>${key}</Key><ETag>"${await tagOf(objects.get(key) ?? bytesOf(''))}"</ETag></Contents>`),
  )
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${rows.join('')}</ListBucketResult>`
}

/** As an S3 endpoint answers; what it checks of a signature is tested elsewhere (test/node/outbound). */
async function answer(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : String(input))
  if (url.hostname === 'cloudflare-dns.com')
    return Response.json({ Status: 0, Answer: url.href.endsWith('type=A') ? [{ type: 1, data: '93.184.216.34' }] : [] })
  if (url.searchParams.get('list-type') === '2') return new Response(await listing(url.searchParams.get('prefix') ?? ''))
  const key = decodeURIComponent(url.pathname.replace(/^\/papers\//, ''))
  const bytes = objects.get(key)
  if (!bytes) return new Response('<Error><Code>NoSuchKey</Code></Error>', { status: 404 })
  const etag = `"${await tagOf(bytes)}"`
  const asked = new Headers(input instanceof Request ? input.headers : init?.headers).get('if-none-match')
  if (asked === etag) return new Response(null, { status: 304 })
  reads.push(key)
  return new Response(bytes, { headers: { etag } })
}

beforeEach(() => {
  objects.clear()
  reads = []
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  vi.spyOn(globalThis, 'fetch').mockImplementation(answer)
})
afterEach(() => void vi.restoreAllMocks())

interface Item {
  readonly item: string
  readonly document: string
  readonly status: string
  readonly last_result: string
}

it('[P2488] brings a document for each object, in its partition; changed and deleted ones follow; an archive is refused by name, and nothing of it is there', async () => {
  const names = ['reeds', 'pond', 'tower', 'mill', 'quay']
  for (const name of names) objects.set(`notes/${name}.txt`, bytesOf(`A bittern booms at the ${name}.`))
  const page = { 'Weir 0123456789abcdef0123456789abcdef.md': strToU8('# Weir\n\nAn otter swims at the weir.\n') }
  objects.set('notes/old.zip', new Uint8Array(zipSync(page)))
  objects.set('other/left-out.txt', bytesOf('Nobody asked for this.'))
  const base = await corpus({ partitions: PARTS })
  const key = { access_key_id: 'AKIDEXAMPLE', secret_access_key: 'a-secret-of-the-bucket' }
  const made = await call('POST', `${base}/sources`, { url: `${ENDPOINT}/papers/notes/`, kind: 's3', every: '1d', ...key })
  expect([made.status, made.body.kind]).toEqual([201, 's3'])
  const { source } = made.body
  const itemsOf = async (): Promise<Item[]> => (await call('GET', `${base}/sources/${source}/items`)).body.data
  const idsOf = async (): Promise<string[]> =>
    (await call('GET', `${base}/documents`)).body.data.map(({ document }: { document: string }) => document)
  const at = (name: string) => `s3/papers/notes/${name}.txt`
  await eventually('all objects to be looked at', async () => {
    const items = await itemsOf()
    return items.length === 6 && items.every(({ last_result: last }) => last === 'changed' || last === 'archive') ? true : undefined
  })
  await eventually('the documents', async () => ((await idsOf()).length === names.length ? true : undefined))
  expect((await idsOf()).sort()).toEqual(names.map(at).sort())
  expect((await itemsOf()).find(({ item }) => item === 'notes/old.zip')).toMatchObject({ status: 'failing', last_result: 'archive' })
  const name = base.split('/').at(-1)
  const uid = (await DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(name).first<string>('uid')) ?? ''
  for (const [part, own] of partitionUids(uid).entries()) {
    const { data } = await corpusOf(bindings.CORPUS, own).documents(null, 50, 'all')
    expect(data.map(({ document }) => partOf(document, PARTS))).toEqual(data.map(() => part))
  }
  expect(JSON.stringify((await call('POST', `${base}/search`, { query: 'otter weir', strategy: 'keyword' })).body.evidence)).not.toContain(
    'otter',
  )
  const { body: found } = await call('POST', `${base}/search`, { query: 'bittern quay', strategy: 'keyword', top_k: 1 })
  expect(found.evidence[0].document).toBe(at('quay'))
  // One changes, one goes; only what has changed is read.
  reads = []
  objects.set('notes/quay.txt', bytesOf('The quay is empty now.'))
  objects.delete('notes/pond.txt')
  await call('POST', `${base}/sources/${source}:fetch`)
  await eventually('the change', async () => {
    const { body } = await call('GET', `${base}/documents/${encodeURIComponent(at('quay'))}`)
    return body.text?.includes('empty now') || undefined
  })
  await eventually('the pond to go', async () => ((await idsOf()).includes(at('pond')) ? undefined : true))
  expect(reads.filter((one) => one !== 'notes/old.zip')).toEqual(['notes/quay.txt'])
  expect((await call('DELETE', `${base}/sources/${source}?documents=delete`)).status).toBe(202)
  await eventually('the source and its documents to go', async () => {
    const gone = (await call('GET', `${base}/sources/${source}`)).status === 404
    return gone && (await idsOf()).length === 0 ? true : undefined
  })
}, 120_000)

it('[P2488] a message about an R2 bucket reaches the object that has the listing', async () => {
  const base = await corpus({ partitions: PARTS })
  const name = base.split('/').at(-1)
  const uid = (await DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(name).first<string>('uid')) ?? ''
  const outbound = outboundOf(bindings.CORPUS, uid)
  const id = 'src_papers' // no bucket is bound here, so the route makes no such source
  const options = { include: [], exclude: [], maxItems: 100, content: 'linked', ref: null, region: null } as const
  const times = { every: 86_400_000, onGone: 'delete', goneAfter: 1, created: Date.now() } as const
  expect(await outbound.addSource({ id, kind: 'r2', url: 'r2://papers', document: id, options, metadata: {}, access: [], ...times })).toBe(
    'added',
  )
  const news = { key: 'weir.txt', document: 'r2/papers/weir.txt', mark: null, title: 'weir.txt', published: null, isGone: false }
  await outbound.askSource(id, { kind: 'objects', objects: [news] })
  const { data } = (await call('GET', `${base}/sources/${id}/items`)).body as { data: Item[] }
  expect(data.map(({ item, document }) => [item, document])).toEqual([['weir.txt', 'r2/papers/weir.txt']])
})
