/** A corpus with two replicas, in workerd: through the doors, over R2, by their own alarms. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { corpusOf, type Namespace, replicaOf } from '../../src/adapters/corpus'
import type { CorpusObject } from '../../src/ports/object'
import type { RetrieveRequest } from '../../src/ports/retrieval'
import { embed, indexed, remove } from './corpora'
import { call, corpus as makeCorpus, succeeded } from './living'
import { ended, eventually } from './waiting'

const bound = env as unknown as {
  readonly CORPUS: Namespace
  readonly REPLICA: Namespace
  readonly REPLICATION: R2Bucket
  readonly DB: D1Database
}
const CANARY = 'quokkabird'
const texts = [
  ['mill', 'Bread is baked in the old mill on Tuesdays.'],
  ['heron', 'The heron waits at the pond behind the mill.'],
  ['steel', 'Steel is an alloy of iron and carbon.'],
  ['canary', `The ${CANARY} sings in the mill at night.`],
] as const
const QUESTIONS = ['When is bread baked?', 'Where does the heron wait?', 'What is steel an alloy of?', 'the old mill at night']

let base = ''
let uid = ''
let writer: CorpusObject

const uidOf = async (path: string): Promise<string> =>
  (await bound.DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(path.split('/').at(-1)).first<string>('uid')) ?? ''
const replica = (number: number) => replicaOf(bound.REPLICA, { uid, number })
const request = async (text: string, strategy = 'hybrid'): Promise<RetrieveRequest> => ({
  ...{ strategy, text, vector: await embed(text), near: {}, topK: 5, budget: 4000, trace: false, options: {}, asker: 'all' as const },
})
const inReplica = async (number: number, text: string, more: Partial<RetrieveRequest> = {}) =>
  replica(number).retrieve({ uid, number }, { ...(await request(text)), ...more })
const put = async (documents: readonly (readonly [string, string])[], at = base): Promise<void> => {
  const { body } = await call('POST', `${at}/documents:batch`, { upserts: documents.map(([id, text]) => ({ id, text, title: id })) })
  await succeeded(at, body.job)
}
/** Both have the corpus's version. */
const bothCurrent = async (): Promise<void> => {
  const version = (await writer.view('all'))?.version ?? 0
  for (const number of [1, 2])
    await eventually(`replica ${number} at version ${version}`, async () => {
      const found = await inReplica(number, 'mill', { minVersion: version })
      return found.kind === 'evidence' ? found : undefined
    })
}
const withStorage = <T>(number: number, work: (sql: SqlStorage) => T): Promise<T> =>
  runInDurableObject(bound.REPLICA.getByName(`${uid}-${number}`) as DurableObjectStub, (_, { storage }) => work(storage.sql))

beforeAll(async () => {
  base = await makeCorpus({ settings: { replicas: { count: 2, least: 2 } } })
  uid = await uidOf(base)
  writer = corpusOf(bound.CORPUS, uid)
  await put(texts)
  await bothCurrent()
})

describe('a corpus with replicas', () => {
  it('[S1584] is answered by both of them with what its own object answers, and each answer says by whom and how old', async () => {
    for (const text of QUESTIONS)
      for (const strategy of ['keyword', 'hybrid']) {
        const own = await writer.retrieve(await request(text, strategy))
        if (own.kind !== 'evidence') throw new Error(own.kind)
        expect(own.evidence.length).toBeGreaterThan(0)
        for (const number of [1, 2]) {
          const found = await inReplica(number, text, { strategy })
          if (found.kind !== 'evidence') throw new Error(found.kind)
          const { served, ...rest } = found
          expect([text, strategy, rest]).toEqual([text, strategy, own])
          expect([served?.by, served?.staleness.versions]).toEqual([`replica ${number}`, 0])
        }
      }
    const seen = new Set<string>()
    await eventually('answers of both', async () => {
      const { status, body } = await call('POST', `${base}/query`, { query: 'When is bread baked?' })
      expect([status, body.answered, body.citations[0]?.document]).toEqual([200, true, 'mill'])
      expect(body.staleness).toEqual({ versions: expect.any(Number), ms: expect.any(Number) })
      seen.add(body.served_by)
      return seen.has('replica 1') && seen.has('replica 2') ? seen : undefined
    })
  })

  it('[S1585] answers at `min_version` or later, at once after the commit, whoever it is', async () => {
    for (let n = 0; n < 3; n++) {
      await put([[`later${n}`, `The lantern ${n} hangs at the harbour.`]])
      const version = (await writer.view('all'))?.version ?? 0
      const { status, body } = await call('POST', `${base}/search`, { query: `lantern ${n}`, strategy: 'keyword', min_version: version })
      expect([status, body.version >= version, body.evidence.map((one: { document: string }) => one.document)]).toEqual([
        200,
        true,
        expect.arrayContaining([`later${n}`]),
      ])
    }
    const found = await inReplica(1, 'mill', { minVersion: 1_000_000 })
    expect(found.kind).toBe('behind')
  })

  it('[S1586] a deletion that is done is in no replica and no object of the log', async () => {
    await bothCurrent()
    expect(await withStorage(1, (sql) => sql.exec(`SELECT id FROM chunk WHERE body LIKE '%${CANARY}%'`).toArray().length)).toBe(1)
    expect((await remove(writer, 'canary')).status).toBe('succeeded')
    for (const number of [1, 2]) {
      const found = await inReplica(number, CANARY, { strategy: 'keyword' })
      if (found.kind === 'evidence') expect(found.evidence.filter((one) => one.text.includes(CANARY))).toEqual([])
      expect(await withStorage(number, (sql) => sql.exec(`SELECT id FROM chunk WHERE body LIKE '%${CANARY}%'`).toArray())).toEqual([])
    }
    for (const { key } of (await bound.REPLICATION.list({ prefix: `log/${uid}/` })).objects)
      expect(await (await bound.REPLICATION.get(key))?.text()).not.toContain(CANARY)
  })

  it('[S1587] one that may have missed something for ten seconds, or whose state is another, answers nothing, and then what it should', async () => {
    await bothCurrent()
    const following = (change: string) => (sql: SqlStorage) =>
      sql.exec(`UPDATE meta SET value = json_set(value, ${change}) WHERE key = 'following'`).rowsWritten
    expect(await withStorage(1, following(`'$.currentAt', ${Date.now() - 10_500}`))).toBeGreaterThan(0)
    expect((await inReplica(1, 'mill')).kind).toBe('unready')
    // What it has is not what the corpus has: the state of the next version says so, and all is made anew.
    const weights = (sql: SqlStorage) => sql.exec<{ sum: number }>('SELECT sum(weight) AS sum FROM edge').one().sum
    await withStorage(2, (sql) => {
      sql.exec('UPDATE edge SET weight = weight + 5')
      sql.exec(`UPDATE graph_state SET sums = replace(sums, substr(sums, 1, 3), '123')`)
    })
    await runInDurableObject(bound.REPLICA.getByName(`${uid}-2`) as DurableObjectStub, (_, state) => state.abort()).catch(() => undefined) // it reads that when it wakes
    await put([
      ['after', 'A quarry lies behind the harbour.'],
      ['steel', 'Steel was iron once.'],
    ])
    const version = (await writer.view('all'))?.version ?? 0
    const found = await eventually('replica 2, made anew', async () => {
      const answer = await inReplica(2, 'heron pond quarry', { strategy: 'keyword', minVersion: version })
      return answer.kind === 'evidence' ? answer : undefined
    })
    expect(found.evidence.map((one) => one.document)).toEqual(expect.arrayContaining(['heron', 'after']))
    const own = await runInDurableObject(bound.CORPUS.getByName(uid) as DurableObjectStub, (_, { storage }) => weights(storage.sql))
    expect(await withStorage(2, weights)).toBe(own)
    const { body } = await call('POST', `${base}/search`, { query: 'quarry', strategy: 'keyword' })
    expect(body.evidence[0]?.document).toBe('after')
  })

  it('[S1588] fewer replicas, and none: those that are over forget, and the corpus answers by itself', async () => {
    const asked = async () => (await call('POST', `${base}/search`, { query: 'mill' })).body
    expect((await call('PUT', base, { settings: { replicas: { count: 1 } } })).status).toBe(200)
    await eventually('replica 2 without a chunk', async () =>
      (await withStorage(2, (sql) => sql.exec('SELECT id FROM chunk').toArray().length)) === 0 ? true : undefined,
    )
    expect((await inReplica(2, 'mill')).kind).toBe('unready')
    expect((await call('PUT', base, { settings: { replicas: { count: 0 } } })).status).toBe(200)
    expect((await asked()).served_by).toBeUndefined()
    await eventually('nothing recorded', async () => {
      const left = await runInDurableObject(bound.CORPUS.getByName(uid) as DurableObjectStub, (_, { storage }) => [
        ...storage.sql.exec('SELECT 1 FROM replica UNION ALL SELECT 1 FROM unreplicated UNION ALL SELECT 1 FROM segment'),
      ])
      return left.length === 0 ? true : undefined
    })
    expect((await bound.REPLICATION.list({ prefix: `log/${uid}/` })).objects).toEqual([])
  })

  it('[S1589] with the corpus go its replicas and its log, before its deletion is done', async () => {
    const own = await makeCorpus({ settings: { replicas: { count: 2, least: 2 } } })
    uid = await uidOf(own)
    writer = corpusOf(bound.CORPUS, uid)
    await put(texts, own)
    await bothCurrent()
    const gone = await call('DELETE', own)
    const { status } = await ended(gone.body.job, async () => {
      await indexed()
      return (await call('GET', `${own}/jobs/${gone.body.job}?wait=1`)).body
    })
    expect(status).toBe('succeeded')
    for (const number of [1, 2]) {
      expect(await withStorage(number, (sql) => sql.exec('SELECT id FROM chunk').toArray())).toEqual([])
      expect((await inReplica(number, 'mill')).kind).toBe('unready')
    }
    expect((await bound.REPLICATION.list({ prefix: `log/${uid}/` })).objects).toEqual([])
  })
})

it('[S1583] `settings.replicas.count` is 0 to 32; a corpus in partitions, and one in a jurisdiction, have none', async () => {
  const refused = async (body: object) => {
    const got = await call('PUT', `/v1/corpora/replicas-none-${Date.now().toString(36)}`, body)
    return [got.status, got.body.errors?.[0]?.path, got.body.errors?.[0]?.message]
  }
  expect(await refused({ settings: { replicas: { count: 33 } } })).toEqual([422, 'settings.replicas.count', expect.stringContaining('32')])
  const settings = { replicas: { count: 1 } }
  expect(await refused({ partitions: 2, settings })).toEqual([422, 'settings.replicas.count', expect.stringContaining('partitions')])
  expect(await refused({ jurisdiction: 'eu', settings })).toEqual([422, 'settings.replicas.count', expect.stringContaining('eu')])
  const made = await makeCorpus({})
  expect((await call('GET', made)).body.settings.replicas).toEqual({ count: 0, least: null, locations: [] })
})
