/** Another number of partitions, while the corpus serves. */
import { runInDurableObject } from 'cloudflare:test'
import { expect, it, vi } from 'vitest'
import { corpusOf } from '../../src/adapters/corpus'
import { partOf } from '../../src/core/joint/part-of'
import { partitionsOf, partitionUids, uidsOfSet } from '../../src/corpus-uid'
import { partitionedCorpus } from '../../src/flows/partitions/corpus'
import { MOVED } from '../../src/partition-layout'
import { bindings, doc, find, texts } from './corpora'
import { call, succeeded } from './living'
import { documentsOf, filled, forgotten, found, moved, rowsOf } from './moved-corpus'
import { eventually } from './waiting'

const OLD = 2
const NEW = 3

const jobOf = async (base: string, job: string) => (await call('GET', `${base}/jobs/${job}`)).body
const switched = (uid: string) => eventually('the switch', () => (partitionsOf(uid) === NEW ? true : undefined))

it('[P2400] [P2401] [P2404] [P2406] [P2409] a corpus is moved into another number of partitions, with all it has, and nothing is left of the old ones', async () => {
  const { base, uid } = await filled({ partitions: OLD })
  const put = await call('PUT', `${base}/documents/mill`, { text: texts[0][1], title: 'The mill', metadata: { of: 'mill' } })
  await succeeded(base, put.body.job)
  await call('DELETE', `${base}/documents/glass?wait=20`)
  await call('PUT', `${base}/filters/mills`, { document: ['mill', 'heron'] })
  const before = await documentsOf(base)
  const [answers, shown, usage] = [
    await found(base, 'the old mill'),
    (await call('GET', base)).body,
    (await call('GET', `${base}/usage`)).body,
  ]
  const old = partitionUids(uid)
  for (const part of old) expect(await rowsOf(part)).toBeGreaterThan(0)
  const { data: heads } = (await call('GET', `${base}/receipts?limit=200&partition=1`)).body
  const asked = await call('POST', `${base}:repartition`, { partitions: NEW })
  expect(asked.status).toBe(202)
  await switched(uid)
  expect((await call('GET', base)).body).toMatchObject({ partitions: NEW, counts: { documents: 7 } })
  expect((await call('GET', base)).body.version).toBeGreaterThan(shown.version)
  expect(await found(base, 'the old mill')).toEqual(answers)
  expect(await documentsOf(base)).toEqual(before)
  expect(before.find((one) => (one as { document: string }).document === 'mill')).toMatchObject({ content_version: 2, title: 'The mill' })
  const held = await Promise.all(
    partitionUids(uid).map(async (part) =>
      (await corpusOf(bindings.CORPUS, part).documents(null, 50, 'all')).data.map((one) => one.document),
    ),
  )
  expect(held.flatMap((ids, part) => ids.filter((id) => partOf(id, NEW) !== part))).toEqual([])
  expect((await call('GET', `${base}/usage`)).body.total.embedded).toBe(usage.total.embedded)
  expect((await call('GET', `${base}/filters/mills`)).status).toBe(200)
  expect((await jobOf(base, put.body.job)).status).toBe('succeeded')
  await forgotten(uid)
  expect((await moved(base, asked.body.job)).status).toBe('succeeded')
  for (const part of old) {
    expect(await corpusOf(bindings.CORPUS, part).view()).toBeNull()
    expect(await rowsOf(part)).toBe(0)
  }
  const { data: entries } = (await call('GET', `${base}/audit?limit=200`)).body
  const last = heads.at(-1)
  expect(
    entries.find((one: { action: string; outcome: string }) => one.action === 'corpus.repartition' && one.outcome === 'done').subject,
  ).toContain(`${last.version} ${last.hash}`)
  expect(
    entries.filter((one: { action: string }) => one.action === 'document.delete').map((one: { document: string }) => one.document),
  ).toEqual(['glass'])
  const later = await call('PUT', `${base}/documents/glass`, { text: 'Glass is back.' })
  await succeeded(base, later.body.job)
  expect((await found(base, 'glass is back'))[0][0]).toBe('glass')
}, 120_000)

it('[P2405] [P2409] [P2410] what belongs to the whole stays, no event is sent for what is moved, and a caller that knows the old partitions can do nothing', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(null, { status: 404 }))
  const { base, uid } = await filled({ partitions: OLD, budget: { tokens: 1_000_000 } })
  const { body: endpoint } = await call('POST', `${base}/endpoints`, { url: 'https://first.example/in', events: ['document.ready'] })
  const { body: source } = await call('POST', `${base}/sources`, { url: 'https://site.example/page', document: 'page', every: '1d' })
  const { body: named } = await call('GET', `${base}/entities?q=mill`)
  const [entity] = named.data
  const renamed = await call('POST', `${base}/entities/${entity.id}:rename`, { name: 'The Windmill' })
  expect([renamed.status, renamed.body]).toEqual([200, expect.objectContaining({ decision: 1 })])
  const usage = (await call('GET', `${base}/usage`)).body
  const delivered = async () => (await call('GET', `${base}/endpoints/${endpoint.endpoint}/deliveries?limit=200`)).body.data.length
  const sent = await delivered()
  const old = partitionUids(uid)
  const stale = partitionedCorpus({
    uid,
    whole: corpusOf(bindings.CORPUS, uid),
    parts: old.map((part) => corpusOf(bindings.CORPUS, part)),
  })
  const { job } = (await call('POST', `${base}:repartition`, { partitions: NEW })).body
  await switched(uid)
  for (const late of [
    () => stale.accept({ kind: 'ingest', upserts: [doc('mill', 'Lost.')], deletes: [] }),
    () => stale.document('mill', 'all'),
    () => stale.setAccess('mill', { active: false }, 'all'),
    () => find(stale, 'the old mill', 'keyword'),
  ])
    await expect(late()).rejects.toThrow(MOVED)
  expect(await delivered()).toBe(sent)
  expect((await call('GET', `${base}/sources`)).body.data.map((one: { source: string }) => one.source)).toEqual([source.source])
  expect(JSON.stringify((await call('GET', `${base}/entities?q=windmill`)).body.data)).toContain('The Windmill')
  const after = (await call('GET', `${base}/usage`)).body
  expect([after.total.embedded, after.stages, after.budget]).toEqual([usage.total.embedded, usage.stages, usage.budget])
  const put = await call('PUT', `${base}/documents/mill`, { text: 'The mill burns.' })
  expect(put.status).toBe(202)
  await succeeded(base, put.body.job)
  expect((await found(base, 'the mill burns'))[0][0]).toBe('mill')
  await eventually('the event', async () => ((await delivered()) > sent ? true : undefined))
  expect((await call('GET', `${base}/usage`)).body.total.embedded).toBeGreaterThan(usage.total.embedded)
  expect([(await jobOf(base, job)).status, (await call('POST', `${base}/jobs/${job}:cancel`)).body.status]).toEqual(['running', 'running'])
  await forgotten(uid)
  expect((await moved(base, job)).status).toBe('succeeded')
  await call('DELETE', `${base}/endpoints/${endpoint.endpoint}`) // nobody is called once the test is over
  vi.restoreAllMocks()
}, 120_000)

it('[P2408] deleted meanwhile, nothing is left of either set of partitions', async () => {
  const { base, uid } = await filled({ partitions: OLD })
  const old = partitionUids(uid)
  const coming = uidsOfSet(uid, { set: 1, count: NEW })
  await call('POST', `${base}:repartition`, { partitions: NEW })
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
  const gone = await call('DELETE', base)
  expect((await moved(base, gone.body.job)).status).toBe('succeeded')
  for (const part of [uid, ...old, ...coming]) {
    expect(await corpusOf(bindings.CORPUS, part).view()).toBeNull()
    expect(await rowsOf(part)).toBe(0)
  }
}, 120_000)

it('[P2407] [P2411] what cannot be changed is refused by name, and what has begun can be cancelled', async () => {
  const { base, uid } = await filled({ partitions: OLD })
  const asked = async (at: string, partitions: number) => {
    const { status, body } = await call('POST', `${at}:repartition`, { partitions })
    return [status, body.code]
  }
  expect([await asked(base, OLD), await asked(base, 1), await asked(base, 65)]).toEqual([
    [409, 'conflict'],
    [422, 'invalid'],
    [422, 'invalid'],
  ])
  const put = await call('PUT', base, { partitions: 5 })
  expect([put.status, put.body.errors[0].message]).toEqual([422, expect.stringContaining(':repartition')])
  const { job } = (await call('POST', `${base}:repartition`, { partitions: NEW })).body
  expect(await asked(base, 5)).toEqual([409, 'conflict'])
  expect((await call('GET', `${base}/backup`)).status).toBe(503)
  const { data } = (await call('GET', `${base}/jobs`)).body
  expect(data[0]).toMatchObject({ job, kind: 'repartition', status: 'running' })
  await call('POST', `${base}/jobs/${job}:cancel`)
  expect((await moved(base, job)).status).toBe('cancelled')
  expect([partitionsOf(uid), (await call('GET', base)).body.counts.documents]).toEqual([OLD, texts.length])
})

it('[P2437] the tree above those of the partitions is made from the new ones, and what old ones reported is gone', async () => {
  const { base, uid } = await filled({ partitions: OLD, strategies: ['erarag'], settings: { erarag: { min: 2, max: 3 } } })
  const upserts = Array.from({ length: 60 }, (_, n) => ({ id: `note-${n}`, text: `Weir ${n} was opened on day ${n} by keeper ${n % 7}.` }))
  await succeeded(base, (await call('POST', `${base}/documents:batch`, { upserts })).body.job)
  const old = partitionUids(uid)
  const reported = () =>
    runInDurableObject(bindings.CORPUS.getByName(uid) as DurableObjectStub, (_object, { storage }) =>
      storage.sql.exec<{ partition: string; id: string }>('SELECT partition, id FROM top').toArray(),
    )
  await eventually('the reports', async () => (await reported()).length > 3 || undefined)
  const { body } = await call('POST', `${base}:repartition`, { partitions: NEW })
  await switched(uid)
  const tops = await reported()
  expect(tops.filter(({ partition }) => old.includes(partition))).toEqual([])
  expect(new Set(tops.map(({ partition }) => partition))).toEqual(new Set(partitionUids(uid)))
  const { data } = (await call('GET', `${base}/segments?layer=6&limit=100`)).body
  const members = data.flatMap((one: { data: { members: string[] } }) => one.data.members)
  expect(members.sort()).toEqual(tops.map(({ id }) => id).sort())
  await forgotten(uid)
  expect((await moved(base, body.job)).status).toBe('succeeded')
  expect(await reported()).toEqual(tops)
})
