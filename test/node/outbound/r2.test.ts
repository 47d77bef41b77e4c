/** R2 itself, as Miniflare runs it: what its binding really says of listings, tags, conditions and what is not there. */
import type { R2Bucket } from '@cloudflare/workers-types'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { document } from '../../../durable-objects/corpus/ingest/documents'
import { bucketsOf, r2 } from '../../../src/adapters/r2'
import { DAY, place } from './world'

const environment = (): object & { readonly BUCKETS: string } =>
  Object.assign({ BUCKETS: 'BUCKET_0=papers BUCKET_1=unbound' }, { BUCKET_0: bucket })
const script = 'export default { fetch: () => new Response() }'
let miniflare: Miniflare
let bucket: R2Bucket

beforeAll(async () => {
  miniflare = new Miniflare({ cf: false, modules: true, script, r2Buckets: { BUCKET_0: 'papers' } })
  bucket = (await miniflare.getR2Bucket('BUCKET_0')) as unknown as R2Bucket
})
afterAll(() => miniflare.dispose())

it('[V774] the binding is found by what it is called, and says what is there, what has not changed and what is too large', async () => {
  await bucket.put('one/a.md', 'A heron waits.', { httpMetadata: { contentType: 'text/markdown' } })
  await bucket.put('one/ü & b.md', 'A crane waits.')
  await bucket.put('two/c.md', 'A stork waits.')
  const buckets = bucketsOf(environment())
  expect([buckets.names, buckets.open('unbound'), buckets.open('elsewhere')]).toEqual([['papers'], null, null])
  const papers = buckets.open('papers')
  const page = await papers?.list('one/', null)
  if (!page || !('objects' in page)) throw new Error('no page')
  expect([page.objects.map(({ key }) => key), page.isLast]).toEqual([['one/a.md', 'one/ü & b.md'], true])
  const tag = page.objects[0]?.etag ?? ''
  const read = await papers?.read('one/a.md', null, 100)
  expect(read).toMatchObject({ kind: 'read', etag: tag, type: 'text/markdown' })
  expect(read?.kind === 'read' && new TextDecoder().decode(read.bytes)).toBe('A heron waits.')
  expect(await papers?.read('one/a.md', tag, 100)).toEqual({ kind: 'unchanged' })
  expect(await papers?.read('one/a.md', 'another', 100)).toMatchObject({ kind: 'read' })
  expect(await papers?.read('one/a.md', null, 5)).toEqual({ kind: 'too_large' })
  expect(await papers?.read('never.md', null, 100)).toEqual({ kind: 'missing' })
})

it('[V775] more than a thousand keys come page by page, from the last key on, each once', async () => {
  const keys = Array.from({ length: 1203 }, (_, n) => `many/${String(n).padStart(5, '0')}.md`)
  for (let at = 0; at < keys.length; at += 100) await Promise.all(keys.slice(at, at + 100).map((key) => bucket.put(key, key)))
  const found: string[] = []
  const sizes: number[] = []
  for (let after: string | null = null; ; ) {
    const page = await r2(bucket).list('many/', after)
    if (!('objects' in page)) throw new Error('no page')
    found.push(...page.objects.map(({ key }) => key))
    sizes.push(page.objects.length)
    if (page.isLast) break
    after = page.objects.at(-1)?.key ?? null
  }
  expect([found, sizes]).toEqual([keys, [1000, 203]])
})

it('[V774] a source follows it: what is put, changed and deleted there is so here', async () => {
  const here = place({ current: () => new Response(null, { status: 404 }) }, { buckets: bucketsOf(environment()) })
  const text = (key: string) => document(here.mortal.context, `r2/papers/live/${key}`)?.text
  const settle = async () => {
    await here.pass(DAY + 60_000)
    await here.settle()
  }
  try {
    await bucket.put('live/a.md', 'A heron waits.')
    await bucket.put('live/b.md', 'A crane waits.')
    const options = { include: [], exclude: [], maxItems: 100, content: 'linked' } as const
    here.source('r2://papers/live/', { kind: 'r2', every: DAY, onGone: 'delete', goneAfter: 1, options })
    await settle()
    expect([text('a.md'), text('b.md')]).toEqual(['A heron waits.', 'A crane waits.'])
    await bucket.put('live/a.md', 'A heron flies.')
    await bucket.delete('live/b.md')
    await settle()
    expect([text('a.md'), text('b.md')]).toEqual(['A heron flies.', undefined])
  } finally {
    here.close()
  }
})
