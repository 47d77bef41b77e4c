/** Data databases: where a new corpus goes, and that one made before there was a pool stays where it is. */
import type { D1Database } from '@cloudflare/workers-types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/adapters/catalogue/catalogue'
import { dataPool } from '../../../src/adapters/data-pool'
import { databasesOf } from '../../../src/adapters/databases'
import { listings } from '../../../src/adapters/read-model/listings'
import { readModel } from '../../../src/adapters/read-model/publish'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
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
    const app = createApp(() => ({ ...wired, pool: { choose: async () => null, limit: 8 * GB } }))
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
