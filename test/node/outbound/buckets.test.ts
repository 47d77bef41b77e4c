/** Buckets as sources: R2 by a binding and its messages, S3 by its protocol; both against stand-ins that hold objects in memory. */
import { createHash } from 'node:crypto'
import { strToU8, zipSync } from 'fflate'
import { afterEach, describe, expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { document } from '../../../durable-objects/corpus/ingest/documents'
import { markdownConversion } from '../../../src/adapters/markdown-conversion'
import { describing } from '../../../src/flows/describe-file'
import type { Bucket, BucketRoute, Buckets } from '../../../src/ports/buckets'
import type { Converter } from '../../../src/ports/conversion'
import { openScan } from '../../../src/reading/pdf/scan-pages'
import { flawOf, pictureTypeOf } from '../../../src/reading/pictures'
import { readFile } from '../../../src/reading/read-file'
import { heardAsProse, recordingTypeOf, soundOfVideo } from '../../../src/reading/recordings'
import { isBucketEvent, tellBuckets } from '../../../src/sources/bucket-events'
import { pdf, shown } from '../http/pdf-bytes'
import { conversionStandIn } from '../reading/conversion-stand-in'
import { refusalOf } from './sigv4'
import { type Asked, DAY, master, type Place, place } from './world'

const open: Place[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

const tagOf = (text: string): string => createHash('md5').update(text).digest('hex')
const OPTIONS = { include: [], exclude: [], maxItems: 5000, content: 'linked' } as const

/** Bytes as a text, as the bucket here holds objects. */
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

/** As R2 does: a thousand at a time, by key. */
function memoryBucket(objects: Map<string, string>) {
  const calls: string[] = []
  let broken = false
  const bucket: Bucket = {
    async list(prefix, after) {
      calls.push(`list ${after ?? ''}`)
      if (broken) return { kind: 'failed', last: 'network' }
      const keys = [...objects.keys()].sort().filter((key) => key.startsWith(prefix) && (after === null || key > after))
      const page = keys.slice(0, 1000).map((key) => ({ key, etag: tagOf(objects.get(key) ?? '') }))
      return { objects: page, isLast: keys.length <= 1000 }
    },
    async read(key, known, limit) {
      calls.push(`read ${key}`)
      const text = objects.get(key)
      if (broken) return { kind: 'failed', last: 'network' }
      if (text === undefined) return { kind: 'missing' }
      if (tagOf(text) === known) return { kind: 'unchanged' }
      if (text.length > limit) return { kind: 'too_large' }
      return {
        kind: 'read',
        etag: tagOf(text),
        type: '',
        bytes: text.startsWith('PK') ? Uint8Array.from(Buffer.from(text, 'latin1')) : new TextEncoder().encode(text),
      }
    },
  }
  const breakDown = (is: boolean) => {
    broken = is
  }
  return { bucket, calls, breakDown, reads: () => calls.filter((one) => one.startsWith('read')) }
}

function r2World(objects: Map<string, string>, more: object = {}, convert?: Converter) {
  const memory = memoryBucket(objects)
  const buckets: Buckets = { names: ['papers'], open: (name) => (name === 'papers' ? memory.bucket : null) }
  const routes: BucketRoute[] = []
  const here = place(
    { current: () => new Response(null, { status: 404 }) },
    { buckets, route: async (to) => void routes.push({ ...to, uid: 'mortal' }), ...(convert ? { convert } : {}) },
  )
  open.push(here)
  const source = (url = 'r2://papers/') =>
    here.source(url, { kind: 'r2', every: DAY, onGone: 'delete', goneAfter: 1, options: { ...OPTIONS, ...more } })
  const text = (key: string) => document(here.mortal.context, `r2/papers/${key}`)?.text
  const tell = async (...events: readonly (readonly [action: string, key: string])[]) => {
    const done: string[] = []
    const messages = events.map(([action, key]) => ({
      body: { account: 'a', action, bucket: 'papers', object: { key, size: 1, eTag: 'whatever' }, eventTime: '2026-11-01T00:00:00Z' },
      ack: () => void done.push('ack'),
      retry: () => void done.push('retry'),
    }))
    const deps = {
      routes: {
        of: async (bucket: string) => routes.filter((one) => one.bucket === bucket),
        put: async () => undefined,
        remove: async () => undefined,
      },
      corpus: () => here.object,
    }
    await tellBuckets(deps, messages)
    return done
  }
  const settle = async (ms = 60_000) => {
    await here.pass(ms)
    await here.settle()
  }
  return { ...memory, here, source, text, tell, settle, routes }
}

describe('R2', () => {
  it('[V788] a picture in a bucket is described where the corpus has it so, once for each content; else it is named with the reason', async () => {
    const objects = new Map([['pond.svg', '<svg><circle/></svg>']])
    const stand = conversionStandIn(['A heron waits.'])
    const terms = { isOn: false, isHeard: false, language: null, budget: {}, known: null }
    let covers = false
    const converter = describing(readFile, {
      corpus: {
        describing: async () => terms,
        reserve: async (holds) => holds.map(() => covers),
        charge: async () => undefined,
      },
      seer: null,
      describer: markdownConversion(stand.binding),
      hearing: { transcriber: null, recordingTypeOf, soundOfVideo, heardAsProse },
      looking: { pictureTypeOf, flawOf, openScan },
      later: () => undefined,
    })
    const { here, source, text, settle } = r2World(objects, {}, converter)
    const id = source()
    await settle()
    const failing = async () => (await here.object.sourceItems(id, { status: 'failing', cursor: null, limit: 9 })).data
    expect(await failing()).toMatchObject([{ item: 'pond.svg', last: 'type' }])
    Object.assign(terms, { isOn: true, budget: { tokens: 9 } })
    await settle(2 * DAY)
    expect([await failing(), stand.asked]).toMatchObject([[{ last: 'over_budget' }], []])
    covers = true
    stand.script.push(...Array.from({ length: 99 }, () => ({ fails: '5018: not allowed' })))
    await settle(2 * DAY)
    expect(await failing()).toMatchObject([{ last: 'model_unavailable' }])
    stand.script.length = 0
    await settle(3 * DAY)
    expect([text('pond.svg'), await failing()]).toEqual(['A heron waits.', []])
    const { length } = stand.asked
    await settle(3 * DAY)
    expect(stand.asked.length).toBe(length)
  })

  it('[V774] every object behind the prefix becomes a document; what has not changed is not read, and a deleted object deletes its document', async () => {
    const objects = new Map([
      ['notes/a.md', 'A heron waits.'],
      ['notes/b.txt', 'A crane waits.'],
      ['notes/sub/', ''],
      ['other/c.md', 'A stork waits.'],
    ])
    const { here, source, text, settle, calls, reads } = r2World(objects)
    const id = source('r2://papers/notes/')
    await settle()
    expect(document(here.mortal.context, 'r2/papers/notes/a.md')).toMatchObject({
      text: 'A heron waits.',
      url: null,
      metadata: { bucket: 'papers', path: 'notes/a.md' },
    })
    expect([text('notes/b.txt'), text('other/c.md'), reads().length]).toEqual(['A crane waits.', undefined, 2])
    calls.length = 0
    await settle(2 * DAY)
    expect(reads()).toEqual([])
    objects.delete('notes/b.txt')
    objects.set('notes/a.md', 'A heron flies.')
    await settle(2 * DAY)
    expect([text('notes/a.md'), text('notes/b.txt'), reads()]).toEqual(['A heron flies.', undefined, ['read notes/a.md']])
    expect(await here.object.source(id)).toMatchObject({ status: 'ok', items: { known: 2, gone: 1, failing: 0 } })
  })

  it('[V775] more than a page is listed page by page, and goes on where it broke off; nothing is taken for gone before the end', async () => {
    const objects = new Map(Array.from({ length: 2300 }, (_, n) => [`${String(n).padStart(5, '0')}.md`, `Heron ${n}.`] as const))
    const { here, source, breakDown, calls } = r2World(objects)
    const id = source()
    await here.pass(1500)
    breakDown(true)
    await here.pass(60_000)
    expect(await here.object.source(id)).toMatchObject({ status: 'failing', last: 'network' })
    breakDown(false)
    calls.length = 0
    await here.pass(600_000)
    expect(calls.filter((one) => one.startsWith('list'))[0]).not.toBe('list ')
    expect((await here.object.source(id))?.items).toMatchObject({ known: 2300, gone: 0 })
  })

  it('[V789] an export of Slack in a bucket is as many documents as it holds; they change and go with it, and nothing else does', async () => {
    const slack = (text: string) =>
      latin1(
        zipSync({
          'users.json': strToU8('[{"id":"U1","name":"ann"}]'),
          'channels.json': strToU8('[{"id":"C1","name":"herons"}]'),
          'herons/2026-03-02.json': strToU8(JSON.stringify([{ type: 'message', user: 'U1', ts: '1772442000.000100', text }])),
          'herons/2026-03-03.json': strToU8(
            JSON.stringify([{ type: 'message', user: 'U1', ts: '1772528400.000100', text: 'None today.' }]),
          ),
        }),
      )
    const objects = new Map([
      ['team.zip', slack('Two at the weir.')],
      ['other.zip', latin1(zipSync({ 'a.txt': strToU8('A crane.') }))],
      ['team.zip/own.md', 'An object behind the name of the archive.'],
      ['z.md', 'A stork waits.'],
    ])
    const { here, source, text, settle } = r2World(objects)
    accept(here.mortal.context, {
      kind: 'ingest',
      upserts: [{ id: 'r2/papers/team.zip/put', text: 'Put by hand.', title: '', url: null, metadata: {} }],
      deletes: [],
    })
    const id = source()
    await settle(600_000)
    const [first, second] = ['team.zip/herons/2026-03-02', 'team.zip/herons/2026-03-03']
    expect(text(first)).toContain('Two at the weir.')
    expect(document(here.mortal.context, `r2/papers/${first}`)).toMatchObject({
      metadata: { bucket: 'papers', archive: 'team.zip', channel: 'herons' },
    })
    expect([text(second)?.includes('None today.'), text('z.md')]).toEqual([true, 'A stork waits.'])
    const { data } = await here.object.sourceItems(id, { status: 'failing', cursor: null, limit: 9 })
    expect(data.map(({ item, last }) => [item, last])).toEqual([['other.zip', 'type']])
    objects.set('team.zip', slack('Three at the weir.'))
    await settle(2 * DAY)
    expect(text(first)).toContain('Three at the weir.')
    objects.delete('team.zip')
    await settle(2 * DAY)
    expect([text(first), text(second), text('team.zip/own.md'), text('team.zip/put'), text('z.md')]).toEqual([
      undefined,
      undefined,
      'An object behind the name of the archive.',
      'Put by hand.',
      'A stork waits.',
    ])
  })

  it('[V776] a message has its object looked at: twice, late and in the wrong order come to what is there; a lost one is found by the next listing', async () => {
    const objects = new Map([['a.md', 'A heron waits.']])
    const { here, source, text, settle, tell, calls, reads } = r2World(objects)
    const id = source()
    await settle()
    calls.length = 0
    objects.set('b.md', 'A crane waits.')
    expect(await tell(['PutObject', 'b.md'], ['PutObject', 'b.md'])).toEqual(['ack', 'ack'])
    await settle()
    expect([text('b.md'), calls]).toEqual(['A crane waits.', ['read b.md']])
    await tell(['PutObject', 'b.md']) // again
    await settle()
    expect([text('b.md'), reads().length]).toEqual(['A crane waits.', 2])
    objects.delete('b.md')
    await tell(['DeleteObject', 'b.md'], ['PutObject', 'b.md']) // the older one comes last
    await settle()
    expect(text('b.md')).toBe(undefined)
    objects.set('b.md', 'A crane is back.')
    await tell(['PutObject', 'b.md'], ['DeleteObject', 'b.md']) // the deletion is older
    await settle()
    expect(text('b.md')).toBe('A crane is back.')
    await tell(['DeleteObject', 'never-heard-of.md'])
    await settle()
    expect((await here.object.source(id))?.items).toMatchObject({ known: 2 })
    objects.set('lost.md', 'Nobody told.')
    await settle(DAY + 60_000)
    expect(text('lost.md')).toBe('Nobody told.')
    expect(calls.filter((one) => one === 'read b.md').length).toBe(4) // the listing knows what a message brought
  })

  it('[V776] what is said of another bucket, a path that is left out, beyond the limit, or of a source that is gone does nothing; a source says at each listing what it follows', async () => {
    const objects = new Map([['in/a.md', 'A heron waits.']])
    const { here, source, text, settle, tell, routes } = r2World(objects, { exclude: ['in/old/**'], maxItems: 2 })
    const id = source('r2://papers/in/')
    await settle()
    expect(routes).toEqual([{ bucket: 'papers', prefix: 'in/', source: id, uid: 'mortal' }])
    for (const key of ['out/b.md', 'in/old/b.md', 'in/b.md', 'in/c.md']) objects.set(key, `Of ${key}.`)
    await tell(['PutObject', 'out/b.md'], ['PutObject', 'in/old/b.md'], ['PutObject', 'in/b.md'], ['PutObject', 'in/c.md'])
    await settle()
    expect(['out/b.md', 'in/old/b.md', 'in/b.md', 'in/c.md'].map(text)).toEqual([undefined, undefined, 'Of in/b.md.', undefined])
    await here.object.removeSource(id, 'keep')
    expect(await tell(['PutObject', 'in/b.md'])).toEqual(['ack'])
    expect([isBucketEvent({ kind: 'fetch', uid: 'a', id: 'b' }), isBucketEvent('x'), isBucketEvent(null)]).toEqual([false, false, false])
  })

  it('[H2130] the PDFs of a bucket are kept with their documents, however many there are', async () => {
    const large = (word: string) => {
      const own = new TextDecoder().decode(pdf([shown(`A ${word} waits.`)]))
      return own.replace('\n', `\n${`% ${'lines of comment '.repeat(3)}\n`.repeat(60_000)}`)
    }
    const objects = new Map(['heron', 'owl', 'tern'].map((word) => [`${word}.pdf`, large(word)]))
    const { here, source, text, settle } = r2World(objects)
    source()
    await settle()
    await settle()
    for (const [key, content] of objects) {
      expect([key, text(key)]).toEqual([key, `A ${key.split('.')[0]} waits.`])
      expect(document(here.mortal.context, `r2/papers/${key}`)?.file?.bytes).toBe(content.length)
    }
  })

  it('[V777] what is wrong with an object stands beside it; a bucket that is not bound any more is said of the source, and nothing is deleted', async () => {
    const objects = new Map([
      ['a.md', 'A heron waits.'],
      ['b.pdf', 'no pdf'],
      ['c.zzz', 'x'],
      ['d.txt', `${'long '.repeat(300_000)}`],
    ])
    const { here, source, text, settle } = r2World(objects)
    const id = source()
    await settle()
    const { data } = await here.object.sourceItems(id, { status: 'failing', cursor: null, limit: 9 })
    expect(data.map(({ item, last }) => [item, last])).toEqual([
      ['b.pdf', 'unreadable'],
      ['c.zzz', 'type'],
      ['d.txt', 'too_large'],
    ])
    const unbound = source('r2://elsewhere')
    await settle()
    expect([(await here.object.source(unbound))?.last, text('a.md')]).toEqual(['no_bucket', 'A heron waits.'])
  })
})

const S3_KEY = { id: 'AKIDEXAMPLE', secret: 'very-secret-indeed' }

/** S3 as far as it is asked: ListObjectsV2 and GetObject, with each signature computed anew. */
function s3Stand(objects: Map<string, string>, now: () => number) {
  const refused: string[] = []
  let busy = false
  const answer = (asked: Asked): Response => {
    const { url, headers } = asked
    const { host, pathname, searchParams } = new URL(url)
    const why = host === 's3.eu-central-1.amazonaws.com' ? refusalOf(asked, S3_KEY, now()) : 'PermanentRedirect'
    if (why) {
      refused.push(why)
      return new Response(`<Error><Code>${why}</Code></Error>`, { status: 403 })
    }
    if (busy) return new Response('<Error><Code>SlowDown</Code></Error>', { status: 503, headers: { 'retry-after': '90' } })
    if (pathname === '/papers' && searchParams.get('list-type') === '2') {
      const [prefix, after] = [searchParams.get('prefix') ?? '', searchParams.get('start-after') ?? '']
      const keys = [...objects.keys()].sort().filter((key) => key.startsWith(prefix) && key > after)
      const page = keys.slice(0, 2)
      const contents = page.map(
        (key) => `<Contents><Key>${key.replaceAll('&', '&amp;')}</Key><ETag>&quot;${tagOf(objects.get(key) ?? '')}&quot;</ETag></Contents>`,
      )
      return new Response(
        `<?xml version="1.0"?><ListBucketResult><IsTruncated>${keys.length > 2}</IsTruncated>${contents.join('')}</ListBucketResult>`,
      )
    }
    const text = objects.get(decodeURIComponent(pathname.replace('/papers/', '')))
    if (text === undefined) return new Response('<Error><Code>NoSuchKey</Code></Error>', { status: 404 })
    if (headers.get('if-none-match') === `"${tagOf(text)}"`) return new Response(null, { status: 304 })
    return new Response(text, { headers: { etag: `"${tagOf(text)}"`, 'content-type': 'binary/octet-stream' } })
  }
  const slow = (is: boolean) => {
    busy = is
  }
  return { answer, refused, slow }
}

it('[V778] a bucket that speaks S3 is listed and read with signed requests, page by page; a pause that it asks for is kept', async () => {
  const objects = new Map([
    ['notes/a & b (1).md', 'A heron waits.'],
    ['notes/c.md', 'A crane waits.'],
    ['notes/ü.md', 'A stork waits.'],
    ['notes/z.md', 'A wren waits.'],
    ['notes/1+1 = 2%/~*!()?.md', 'A coot waits.'],
  ])
  let now = (): number => 0
  const { answer, refused, slow } = s3Stand(objects, () => now())
  const here = place({ current: answer })
  now = () => here.world.clock.now
  open.push(here)
  const sealed = async (id: string, secret: string) =>
    (await master?.seal(JSON.stringify({ access_key_id: S3_KEY.id, secret_access_key: secret }), id)) ?? ''
  const secrets = [{ sealed: await sealed('src_1', S3_KEY.secret), until: null }]
  const url = 'https://s3.eu-central-1.amazonaws.com/papers/notes/'
  const id = here.source(url, { kind: 's3', every: DAY, onGone: 'delete', goneAfter: 1, options: OPTIONS, secrets })
  const text = (name: string) => document(here.mortal.context, `s3/papers/notes/${name}`)?.text
  await here.pass(60_000)
  await here.settle()
  expect([text('1+1 = 2%/~*!()?.md'), text('a & b (1).md'), text('c.md'), text('ü.md'), text('z.md'), refused]).toEqual([
    'A coot waits.',
    'A heron waits.',
    'A crane waits.',
    'A stork waits.',
    'A wren waits.',
    [],
  ])
  objects.delete('notes/c.md')
  await here.pass(DAY + 60_000)
  await here.settle()
  expect([text('c.md'), text('z.md')]).toEqual([undefined, 'A wren waits.'])
  slow(true)
  await here.object.askSource(id, { kind: 'call' })
  await here.pass(2000)
  expect(await here.object.source(id)).toMatchObject({ status: 'waiting', last: 'rate_limited', failures: 0 })
  expect(JSON.stringify(here.mortal.context.sql.all('SELECT * FROM source'))).not.toContain('very-secret')
  slow(false)
  const wrong = [{ sealed: await sealed(id, 'another-secret'), until: null }]
  await here.object.askSource(id, { kind: 'credential', secrets: wrong })
  await here.pass(2 * DAY)
  expect([(await here.object.source(id))?.last, new Set(refused), text('z.md')]).toEqual([
    'http_403',
    new Set(['SignatureDoesNotMatch']),
    'A wren waits.',
  ])
})
