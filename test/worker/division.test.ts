/** A corpus that was made without partitions is divided while it serves. */
import { runInDurableObject } from 'cloudflare:test'
import { expect, it, vi } from 'vitest'
import { metaKeys, readMeta, writeMeta } from '../../durable-objects/corpus/tables/meta'
import { counted } from '../../durable-objects/sql'
import { corpusOf } from '../../src/adapters/corpus'
import { CORPUS_CALLS } from '../../src/adapters/corpus-calls'
import { reached } from '../../src/adapters/reached'
import { corpusUidOf, isInPartitions, partitionsOf, partitionUids, uidsOfSet } from '../../src/corpus-uid'
import { MOVED } from '../../src/partition-layout'
import type { CorpusObject } from '../../src/ports/object'
import { bindings, doc, find, indexed, texts } from './corpora'
import { call, succeeded } from './living'
import { documentsOf, filled, forgotten, found, moved, rowsOf } from './moved-corpus'
import { eventually } from './waiting'

const PARTS = 3

const switched = (uid: string) => eventually('the switch', () => (partitionsOf(uid) === PARTS ? true : undefined))
const own = <T>(uid: string, look: (storage: DurableObjectStorage) => T | Promise<T>) =>
  runInDurableObject(bindings.CORPUS.getByName(uid) as DurableObjectStub, (_object, { storage }) => look(storage))

it('[P2470] [P2404] [P2474] a corpus is divided in place, with all it has, and nothing of its documents is left in its own object', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const { base, uid } = await filled({ strategies: ['erarag', 'cluerag'], budget: { tokens: 1_000_000 }, audit: { questions: 'full' } })
  const put = await call('PUT', `${base}/documents/mill`, { text: texts[0][1], title: 'The mill', metadata: { of: 'mill' } })
  await succeeded(base, put.body.job)
  await call('DELETE', `${base}/documents/glass?wait=20`)
  await call('PUT', `${base}/filters/mills`, { document: ['mill', 'heron'] })
  const { body: endpoint } = await call('POST', `${base}/endpoints`, { url: 'https://first.example/in', events: ['corpus.drift'] })
  const probes = { probes: [{ query: 'the old mill', expect: ['mill'] }] }
  expect((await call('PUT', `${base}/probes`, probes)).status).toBe(200)
  const { body: named } = await call('GET', `${base}/entities?q=mill`)
  const renamed = await call('POST', `${base}/entities/${named.data[0].id}:rename`, { name: 'The Windmill' })
  expect(renamed.status).toBe(200)
  const { conversation } = (await call('POST', `${base}/query`, { query: 'the old mill', strategy: 'keyword', store: true })).body
  await indexed()
  const before = await documentsOf(base)
  const [answers, shown, usage] = [
    await found(base, 'the old mill'),
    (await call('GET', base)).body,
    (await call('GET', `${base}/usage`)).body,
  ]
  const { body: estimate } = await call('GET', `${base}/repartition?partitions=${PARTS}`)
  expect(estimate).toMatchObject({ from: 1, to: PARTS, job: null, estimate: { documents: 7 } })
  for (const table of ['node', 'document']) await eventually(`rows of ${table}`, async () => (await rowsOf(uid, table)) || undefined)
  const asked = await call('POST', `${base}:repartition`, { partitions: PARTS })
  expect([asked.status, asked.body.code, asked.body.errors[0].path]).toEqual([409, 'conflict', 'strategies'])
  const { body } = await call('POST', `${base}:repartition`, { partitions: PARTS, strategies: ['erarag'] })
  await switched(uid)
  // What a Worker remembers of it may be ten seconds old.
  const now = await eventually('the strategies', async () => {
    const seen = (await call('GET', base)).body
    return seen.strategies.length === 1 ? seen : undefined
  })
  expect(now).toMatchObject({ partitions: PARTS, strategies: ['erarag'], counts: { documents: 7 } })
  expect(now.version).toBeGreaterThan(shown.version)
  expect(await found(base, 'the old mill')).toEqual(answers)
  expect(await documentsOf(base)).toEqual(before)
  const after = (await call('GET', `${base}/usage`)).body
  expect([after.total.embedded, after.budget]).toEqual([usage.total.embedded, usage.budget])
  expect((await call('GET', `${base}/filters/mills`)).status).toBe(200)
  expect((await call('GET', `${base}/jobs/${put.body.job}`)).body.status).toBe('succeeded')
  expect((await call('GET', `${base}/endpoints/${endpoint.endpoint}`)).status).toBe(200)
  expect((await call('GET', `${base}/probes`)).body.probes.length).toBe(1)
  expect(JSON.stringify((await call('GET', `${base}/entities?q=windmill`)).body.data)).toContain('The Windmill')
  expect((await call('GET', `${base}/decisions`)).body.data.length).toBe(1)
  const logged = (await call('GET', `${base}/query-log`)).body.data.map((one: { question: string }) => one.question)
  expect(logged).toContain('the old mill')
  expect((await call('GET', `${base}/conversations/${conversation.id}`)).body.data[0]).toMatchObject({
    question: 'the old mill',
    withheld: null,
  })
  // Who has not heard of it is refused.
  const stale = reached<CorpusObject>(CORPUS_CALLS, () => bindings.CORPUS.getByName(uid))
  for (const late of [
    () => stale.accept({ kind: 'ingest', upserts: [doc('mill', 'Lost.')], deletes: [] }),
    () => stale.document('mill', 'all'),
    () => stale.view('all'),
    () => find(stale, 'the old mill', 'keyword'),
  ])
    await expect(late()).rejects.toThrow(MOVED)
  await forgotten(uid)
  expect((await moved(base, body.job)).status).toBe('succeeded')
  const left = await own(uid, (storage) =>
    storage.sql.exec<{ name: string }>(`SELECT name FROM sqlite_master WHERE name LIKE 'left_%'`).toArray(),
  )
  expect(left).toEqual([])
  for (const table of ['node', 'document']) expect(await rowsOf(uid, table)).toBe(0)
  expect(partitionUids(uid).map(corpusUidOf)).toEqual([uid, uid, uid])
  const later = await call('PUT', `${base}/documents/glass`, { text: 'Glass is back.' })
  await succeeded(base, later.body.job)
  expect((await found(base, 'glass is back'))[0][0]).toBe('glass')
  expect((await call('GET', `${base}/probes`)).body.probes.length).toBe(1)
  // It is a corpus in partitions like any other.
  const again = await call('POST', `${base}:repartition`, { partitions: 2 })
  expect(again.status).toBe(202)
  await eventually('the second switch', () => (partitionsOf(uid) === 2 ? true : undefined))
  expect((await call('GET', base)).body.counts.documents).toBe(8)
  await forgotten(uid)
  expect((await moved(base, again.body.job)).status).toBe('succeeded')
  vi.restoreAllMocks()
}, 180_000)

it('[P2472] [P2478] cancelled, it is as it was; what partitions cannot have cannot be switched on meanwhile', async () => {
  const { base, uid } = await filled({ strategies: ['erarag'] })
  const before = await documentsOf(base)
  const { job } = (await call('POST', `${base}:repartition`, { partitions: PARTS })).body
  await eventually('the layout', () => (isInPartitions(uid) ? true : undefined))
  await own(uid, async (storage) => {
    const sql = counted(storage.sql)
    const state = readMeta(sql, metaKeys.repartition)
    if (state) writeMeta(sql, metaKeys.repartition, { ...state, notBefore: Date.now() + 600_000 }) // it waits for the cancellation
  })
  const refused = await call('PUT', base, { strategies: ['erarag', 'cluerag'] })
  expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'strategies'])
  expect((await call('POST', `${base}:repartition`, { partitions: 2 })).status).toBe(409)
  expect((await call('GET', `${base}/backup`)).status).toBe(503)
  await call('POST', `${base}/jobs/${job}:cancel`)
  expect((await moved(base, job)).status).toBe('cancelled')
  expect([partitionsOf(uid), (await call('GET', base)).body.counts.documents]).toEqual([1, texts.length])
  expect(await documentsOf(base)).toEqual(before)
  for (const part of uidsOfSet(uid, { set: 1, count: PARTS })) expect(await corpusOf(bindings.CORPUS, part).view()).toBeNull()
  const put = await call('PUT', `${base}/documents/mill`, { text: 'The mill burns.' })
  await succeeded(base, put.body.job)
  expect((await found(base, 'the mill burns'))[0][0]).toBe('mill')
}, 120_000)

it('[P2479] deleted meanwhile, nothing is left of it or of its partitions', async () => {
  for (const isLate of [false, true]) {
    const { base, uid } = await filled({ strategies: [] })
    const coming = uidsOfSet(uid, { set: 1, count: PARTS })
    await call('POST', `${base}:repartition`, { partitions: PARTS })
    if (isLate) await switched(uid)
    else
      await eventually('the new partitions', async () => {
        const made = await Promise.all(
          coming.map((part) =>
            corpusOf(bindings.CORPUS, part)
              .view('all')
              .catch(() => null),
          ),
        )
        return made.every((one) => one !== null) || undefined
      })
    const gone = await call('DELETE', `${base}?at_once=true`)
    expect((await moved(base, gone.body.job)).status).toBe('succeeded')
    for (const part of [uid, ...coming]) {
      expect([isLate, await reached<CorpusObject>(CORPUS_CALLS, () => bindings.CORPUS.getByName(part)).view()]).toEqual([isLate, null])
      expect(await rowsOf(part)).toBe(0)
    }
  }
}, 180_000)
