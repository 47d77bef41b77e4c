/** Data databases: where a new corpus goes, and that one made before there was a pool stays where it is. */
import type { D1Database } from '@cloudflare/workers-types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/adapters/catalogue/catalogue'
import { dataPool } from '../../../src/adapters/data-pool'
import { databasesOf } from '../../../src/adapters/databases'
import { indexesOf } from '../../../src/adapters/indexes'
import { listings } from '../../../src/adapters/read-model/listings'
import { readModel } from '../../../src/adapters/read-model/publish'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import { dedicatedOf, jurisdictionOf, newUid, partitionsOf, partitionUids } from '../../../src/corpus-uid'
import { createApp } from '../../../src/http/app'
import { vectorizeLimits } from '../../../src/platform-limits'
import type { CorpusRecord } from '../../../src/ports/catalogue'
import { type Bound, databases } from './d1'
import { ADMIN, fakeWorld } from './world'

let bound: Bound
beforeAll(async () => {
  bound = await databases(['DB', 'DATA_0', 'DATA_1', 'DATA_10'])
})
afterAll(() => bound.dispose())

/** The same database, as if it held so many bytes more. */
function filled(db: D1Database | undefined, bytes: number | Error): D1Database {
  const prepare = () => ({
    all: async () => (bytes instanceof Error ? Promise.reject(bytes) : { results: [], meta: { size_after: bytes } }),
  })
  return Object.assign(Object.create(db ?? null), { prepare })
}

const GB = 1e9
const record = (name: string, database?: string): CorpusRecord => ({
  uid: name,
  name,
  strategies: [],
  settings: defaultSettings,
  budget: {},
  public: false,
  created: 0,
  ...(database ? { database } : {}),
})

describe('a new corpus', () => {
  const chosen = (sizes: { [name: string]: number | Error }, jurisdiction?: string) => {
    const pool = Object.fromEntries(Object.entries(sizes).map(([name, bytes]) => [name, filled(bound.bindings[name], bytes)]))
    return dataPool(databasesOf({ ...pool, DB: bound.bindings.DB, AI: {} })).choose(jurisdiction)
  }

  it('[H100] is given the least filled database, of equally filled ones the one with fewer corpora', async () => {
    expect(await chosen({ DATA_0: 3 * GB, DATA_1: GB, DATA_10: 2 * GB })).toBe('DATA_1')
    const all = catalogue(bound.bindings.DB as D1Database)
    for (const name of ['a', 'b']) await all.create(record(name, 'DATA_0'))
    await all.create(record('c', 'DATA_1'))
    expect(await chosen({ DATA_0: GB, DATA_1: GB + 1000 })).toBe('DATA_1')
    expect((await all.corpus('a'))?.database).toBe('DATA_0')
  })

  it('[H110] of a jurisdiction is given a database made in it, and no other is; without one, one of the general pool', async () => {
    const sizes = { DATA_0: 3 * GB, DATA_EU_0: 5 * GB, DATA_EU_1: 4 * GB }
    expect([await chosen(sizes, 'eu'), await chosen(sizes), await chosen(sizes, 'us')]).toEqual(['DATA_EU_1', 'DATA_0', 'DATA_0'])
  })

  it('[H100] is given no database that is full or does not answer', async () => {
    expect(await chosen({ DATA_0: 8 * GB, DATA_1: 7.9 * GB })).toBe('DATA_1')
    expect(await chosen({ DATA_0: new Error('D1_ERROR: Network connection lost.'), DATA_1: 7 * GB })).toBe('DATA_1')
    expect(await chosen({ DATA_0: 9 * GB, DATA_1: 8 * GB })).toBeNull()
    await expect(chosen({ DATA_0: new Error('D1_ERROR: Network connection lost.') })).rejects.toThrow('lost')
  })

  it('[H100] is refused with 507 and what to do where every database is full, and nothing is kept of it', async () => {
    const { wired, corpora } = fakeWorld()
    const app = createApp(() => ({ ...wired, pool: { choose: async () => null, chooseDedicated: async () => null, limit: 8 * GB } }))
    const request = { method: 'PUT', body: '{}', headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' } }
    const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
    const response = await app.request('/v1/corpora/more', request, {}, context)
    const { code, limit, detail }: { [member: string]: unknown } = await response.json()
    expect([response.status, code, limit, corpora.size]).toEqual([507, 'no_database', 8 * GB, 0])
    expect(detail).toContain('docs/deploy.md')
  })

  it('[H102] is refused with 507 where there are as many corpora as the index has namespaces', async () => {
    const { wired, corpora } = fakeWorld()
    const asked: number[] = []
    const hasCorpora = async (count: number) => asked.push(count) > 0
    const app = createApp(() => ({ ...wired, catalogue: { ...wired.catalogue, hasCorpora } }))
    const request = { method: 'PUT', body: '{}', headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' } }
    const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
    const response = await app.request('/v1/corpora/more', request, {}, context)
    const { code, limit }: { [member: string]: unknown } = await response.json()
    const { maxNamespaces } = vectorizeLimits
    expect([response.status, code, limit, asked, corpora.size]).toEqual([507, 'too_many_corpora', maxNamespaces, [maxNamespaces], 0])
  })

  it('[H100] is in the control database where there is no pool', async () => {
    expect(await dataPool(databasesOf({ DB: bound.bindings.DB })).choose()).toBe('DB')
  })
})

describe('dedicated stores', () => {
  const put = (app: ReturnType<typeof createApp>, name: string, body: object) =>
    app.request(
      `/v1/corpora/${name}`,
      { method: 'PUT', body: JSON.stringify(body), headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' } },
      {},
      { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} },
    )

  it('[H1980] go to one corpus each: a database and the index of its number, both bound, in no other use, the jurisdiction’s own', async () => {
    const db = bound.bindings.DB as D1Database
    const env = {
      DB: db,
      DATA_0: db,
      DEDICATED_0: db,
      DEDICATED_1: db,
      DEDICATED_2: db,
      DEDICATED_EU_4: db,
      INDEX_0: {},
      INDEX_2: {},
      INDEX_EU_4: {},
    }
    const { choose, chooseDedicated } = dataPool(databasesOf(env), env)
    const all = catalogue(db)
    expect(await chooseDedicated()).toEqual({ database: 'DEDICATED_0', number: 0 })
    expect(await all.create(record('first', 'DEDICATED_0'))).toBe(true)
    expect(await chooseDedicated()).toEqual({ database: 'DEDICATED_2', number: 2 }) // the second has no index
    expect(await all.create(record('second', 'DEDICATED_2'))).toBe(true)
    expect(await chooseDedicated()).toBeNull()
    expect([await chooseDedicated('eu'), await chooseDedicated('us')]).toEqual([{ database: 'DEDICATED_EU_4', number: 4 }, null])
    expect(databasesOf(env).pool()).toEqual(['DATA_0'])
    expect(await choose()).toBe('DATA_0')
  })

  it('[H1980] of two corpora that are made at the same moment one gets them; they are free again once nothing is left of a deleted one', async () => {
    const db = bound.bindings.DB as D1Database
    const env = { DB: db, DEDICATED_7: db, INDEX_7: {} }
    const { chooseDedicated } = dataPool(databasesOf(env), env)
    const all = catalogue(db)
    expect([await all.create(record('one', 'DEDICATED_7')), await all.create(record('other', 'DEDICATED_7'))]).toEqual([true, false])
    const set = (values: string) => db.prepare(`UPDATE corpus SET ${values} WHERE name = 'one'`).run()
    await set('deleted = 5, recoverable_until = 9')
    expect(await chooseDedicated()).toBeNull()
    await set('recoverable_until = NULL, pending = 9')
    expect(await chooseDedicated()).toBeNull()
    await set('pending = NULL')
    expect(await chooseDedicated()).toEqual({ database: 'DEDICATED_7', number: 7 })
    expect(await all.create(record('next', 'DEDICATED_7'))).toBe(true)
  })

  it('[H1980] are said by the uid, of a partition too, beside where the corpus is', () => {
    const uid = newUid({ jurisdiction: 'eu', dedicated: 4, partitions: 12 })
    expect([uid.length, jurisdictionOf(uid), dedicatedOf(uid), partitionsOf(uid)]).toEqual([32, 'eu', 4, 12])
    expect(partitionUids(uid).map(dedicatedOf)).toEqual(Array.from({ length: 12 }, () => 4))
    expect([newUid(), newUid({ jurisdiction: 'eu' }), newUid({ partitions: 3 })].map(dedicatedOf)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    for (let i = 0; i < 1000; i++) expect(dedicatedOf(newUid())).toBeUndefined()
  })

  it('[H1981] hold the vectors of their corpus alone: each index is asked for its own, and never for another’s', async () => {
    const asked: string[] = []
    const index = (name: string) =>
      new Proxy(
        {},
        { get: (_, method) => async () => (asked.push(`${name} ${String(method)}`), method === 'query' ? { matches: [] } : []) },
      )
    const env = { VECTORIZE: index('shared'), INDEX_3: index('own'), INDEX_3_PREVIOUS: index('own before'), INDEX_EU_3: index('own in eu') }
    const [now, before] = [indexesOf(env, env.VECTORIZE), indexesOf(env, index('before'), '_PREVIOUS')]
    const entry = { id: 'n', vector: [1, 0], kind: 'chunk', layer: 0 }
    const uids = [newUid(), newUid({ dedicated: 3 }), newUid({ dedicated: 3, jurisdiction: 'eu' })]
    for (const uid of uids) {
      await now.upsert(uid, [entry])
      await now.query(uid, [1, 0], { kind: 'chunk', k: 3 })
      await now.fetch(uid, ['n'])
      await now.remove(uid, ['n'])
      await now.size(uid)
    }
    const calls = ['upsert', 'query', 'getByIds', 'deleteByIds', 'describe']
    expect(asked).toEqual(['shared', 'own', 'own in eu'].flatMap((name) => calls.map((call) => `${name} ${call}`)))
    asked.length = 0
    for (const uid of uids.slice(0, 2)) await before.query(uid, [1, 0], { kind: 'chunk', k: 3 })
    expect(asked).toEqual(['before query', 'own before query'])
    await expect(now.query(newUid({ dedicated: 9 }), [1], { kind: 'chunk', k: 1 })).rejects.toThrow('INDEX_9 is not bound')
  })

  it('[H1980] are asked for when a corpus is made, shown, and never changed; where there are none to spare it is refused, and nothing kept', async () => {
    const { wired, corpora } = fakeWorld()
    let own: { readonly database: string; readonly number: number } | null = null
    const app = createApp(() => ({ ...wired, pool: { ...wired.pool, chooseDedicated: async () => own } }))
    const refused = await put(app, 'vault', { dedicated: true })
    const { code, detail, errors }: { [member: string]: unknown } = await refused.json()
    expect([refused.status, code, corpora.size]).toEqual([507, 'no_database', 0])
    expect([detail, errors]).toEqual([
      expect.stringContaining('docs/deploy.md, "Dedicated stores"'),
      [{ path: 'dedicated', message: 'no dedicated database and index are free' }],
    ])
    own = { database: 'DEDICATED_3', number: 3 }
    const made = await put(app, 'vault', { dedicated: true })
    expect([made.status, (await made.json()).dedicated]).toEqual([201, true])
    const kept = [...corpora.values()].find(({ name }) => name === 'vault')
    expect([kept?.database, kept && dedicatedOf(kept.uid)]).toEqual(['DEDICATED_3', 3])
    expect([(await put(app, 'vault', { dedicated: true })).status, (await put(app, 'vault', {})).status]).toEqual([200, 200])
    const moved = await put(app, 'vault', { dedicated: false })
    expect([moved.status, (await moved.json()).errors]).toEqual([
      422,
      [{ path: 'dedicated', message: 'was fixed when the corpus was created: true' }],
    ])
    expect((await (await put(app, 'open', {})).json()).dedicated).toBe(false)
  })
})

describe('a corpus', () => {
  it('[H100] is written to and read from its own database alone, and one that names none from the control database', async () => {
    const all = databasesOf(bound.bindings)
    const [model, lists] = [readModel(all), listings(all)]
    const node = { id: 'e_1', kind: 'entity' as const, layer: 0, text: 'Oslo', tokens: 1, data: {} }
    for (const corpus of [{ uid: 'old' }, { uid: 'new', database: 'DATA_1' }]) {
      await model.publish(corpus, { version: 4, upto: 4 }, [{ op: 'put-node', node }])
      const listed = await lists.nodes(corpus, { kind: 'entity' }, { after: '', limit: 10 })
      expect([await lists.version(corpus), listed.map(({ id }) => id)]).toEqual([4, ['e_1']])
    }
    const uids = async (name: string) =>
      (await bound.bindings[name]?.prepare('SELECT uid FROM node').all<{ uid: string }>())?.results.map(({ uid }) => uid)
    expect([await uids('DB'), await uids('DATA_0'), await uids('DATA_1')]).toEqual([['old'], [], ['new']])
    await expect(lists.version({ uid: 'lost', database: 'DATA_7' })).rejects.toThrow('DATA_7 is not bound')
  })
})
