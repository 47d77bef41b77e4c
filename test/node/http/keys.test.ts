/** Keys against a real D1: what they open, for how long, who may make them, and what becomes of those that open nothing. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { D1Database } from '@cloudflare/workers-types'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deploymentAudit } from '../../../src/adapters/catalogue/audit'
import { catalogue } from '../../../src/adapters/catalogue/catalogue'
import { deletions } from '../../../src/adapters/catalogue/deletions'
import { keys } from '../../../src/adapters/catalogue/keys'
import { createApp } from '../../../src/http/app'
import { networkOf } from '../../../src/http/attempts'
import { operations } from '../../../src/http/routes'
import type { CorpusRecord } from '../../../src/ports/catalogue'
import type { Deletions } from '../../../src/ports/deletion'
import { type Database, database } from './d1'
import { ADMIN, type FakeWorld, fakeWorld } from './world'

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
const HOUR = 3_600_000

let bound: Database
beforeAll(async () => {
  bound = await database()
})
afterAll(() => bound.dispose())
beforeEach(async () => {
  await bound.db.batch(['access_key', 'key_grant', 'corpus', 'audit'].map((table) => bound.db.prepare(`DELETE FROM ${table}`)))
})

interface Sent {
  readonly key?: string | null
  readonly body?: unknown
  readonly from?: string
}

/** The objects here are not real and have nothing to clear away. */
const atOnce = (real: Deletions): Deletions => ({
  ...real,
  async begin(uid, deletion) {
    const begun = await real.begin(uid, deletion)
    await real.finish(uid)
    return begun
  },
})

/** The app over the real catalogue; a second one is another isolate. */
function house(world: FakeWorld = fakeWorld()) {
  const written: Promise<unknown>[] = []
  Object.assign(world.wired, {
    catalogue: catalogue(bound.db),
    deletions: atOnce(deletions(bound.db)),
    keys: keys(bound.db),
    audit: deploymentAudit(bound.db),
    later: (work: Promise<unknown>) => written.push(work),
  })
  const isolate = () => {
    const app = createApp(() => world.wired)
    return async (method: string, at: string, { key = ADMIN, body, from }: Sent = {}) => {
      const headers = {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(from === undefined ? {} : { 'cf-connecting-ip': from }),
        accept: 'application/json, text/event-stream',
      }
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      const response = await app.fetch(new Request(`https://loam.test${at}`, init), {}, context)
      const text = await response.text()
      return {
        status: response.status,
        body: /^[{[]/.test(text) ? JSON.parse(text.split('\n')[0] ?? '') : null,
        retry: response.headers.get('retry-after'),
      }
    }
  }
  const send = isolate()
  const corpus = (name: string, more = {}) => send('PUT', `/v1/corpora/${name}`, { body: { strategies: ['gorag'], ...more } })
  const mint = async (body: object, key = ADMIN) => (await send('POST', '/v1/keys', { body: { name: 'k', ...body }, key })).body
  return { world, send, isolate, corpus, mint, written }
}

describe('a key', () => {
  it('[H180] opens the corpus it was made for, and none made later under that name: on no route, in no list, through no door', async () => {
    const { send, corpus, mint } = house()
    for (const name of ['m1', 'm2']) await corpus(name)
    const { key, id } = await mint({ scopes: ['admin'], corpora: ['m1', 'm2'] })
    const seen = async () => (await send('GET', '/v1/corpora', { key })).body.data.map((one: { corpus: string }) => one.corpus)
    const models = async () => (await send('GET', '/v1/models', { key })).body.data.map((one: { id: string }) => one.id)
    expect([await seen(), (await models()).includes('m1'), (await send('GET', '/v1/corpora/m1', { key })).status]).toEqual([
      ['m1', 'm2'],
      true,
      200,
    ])

    await send('DELETE', '/v1/corpora/m1')
    await corpus('m1')
    const at = '/v1/corpora/m1'
    const tries = [
      send('GET', at, { key }),
      send('PUT', at, { key, body: {} }),
      send('DELETE', at, { key }),
      send('GET', `${at}/documents`, { key }),
      send('PUT', `${at}/documents/a`, { key, body: { text: 'x' } }),
      send('POST', `${at}/search`, { key, body: { query: 'x' } }),
      send('POST', `${at}/hooks`, { key, body: { preset: 'standard' } }),
      send('GET', `${at}/export`, { key }),
      send('GET', '/v1/models/m1', { key }),
      send('POST', '/v1/chat/completions', { key, body: { model: 'm1', messages: [{ role: 'user', content: 'x' }] } }),
      send('POST', '/v1/responses', { key, body: { model: 'm1', input: 'x' } }),
      send('POST', '/v1/embeddings', { key, body: { model: 'm1', input: 'x' } }),
    ]
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual(tries.map(() => 404))
    expect([await seen(), (await models()).includes('m1')]).toEqual([['m2'], false])
    const listed = (await send('GET', '/v1/keys')).body.data.find((one: { id: string }) => one.id === id)
    expect(listed.corpora).toEqual(['m2'])
    expect((await mint({ corpora: ['m1'] }, key)).code).toBe('invalid') // and gives it to nobody
    await send('PUT', at, { body: { public: true } })
    expect((await send('GET', at, { key })).status).toBe(200) // as everybody
    expect((await send('PUT', `${at}/documents/a`, { key, body: { text: 'x' } })).status).toBe(403)
  })

  it('[H180] of an earlier release opens the corpora that had its names when the database was migrated', async () => {
    const folder = path.join(import.meta.dirname, '../../../migrations')
    const files = readdirSync(folder).filter((one) => one.endsWith('.sql'))
    const first = files.findIndex((name) => name.includes('key_grants'))
    const miniflare = new Miniflare({ cf: false, modules: true, script: 'export default {}', d1Databases: { DB: 'old' } })
    try {
      const db = (await miniflare.getD1Database('DB')) as unknown as D1Database
      const run = async (name: string) =>
        db.batch(
          readFileSync(path.join(folder, name), 'utf8')
            .split('--> statement-breakpoint')
            .map((one) => db.prepare(one)),
        )
      for (const name of files.slice(0, first)) await run(name)
      const corpora = [
        ['u1', 'old', 5],
        ['u2', 'old', null],
        ['u3', 'other', null],
      ]
      const insert = `INSERT INTO corpus (uid, name, strategies, settings, budget, public, created, deleted) VALUES (?, ?, '[]', '{}', '{}', 0, 0, ?)`
      for (const values of corpora)
        await db
          .prepare(insert)
          .bind(...values)
          .run()
      const key = `INSERT INTO access_key (id, name, hash, scopes, corpora, created) VALUES (?, 'k', 'h', '["read"]', ?, 0)`
      for (const [id, names] of [
        ['a', '["old","gone"]'],
        ['b', '["*"]'],
        ['c', '["gone"]'],
      ])
        await db.prepare(key).bind(id, names).run()
      for (const name of files.slice(first)) await run(name)
      const found = await keys(db).keys(null, '', 10)
      expect(found.map(({ id, corpora }) => [id, corpora])).toEqual([
        ['a', [{ name: 'old', uid: 'u2', isThere: true }]],
        ['b', null],
        ['c', []],
      ])
    } finally {
      await miniflare.dispose()
    }
  })

  it('[H181] is made for existing corpora, and may read unless more is asked for', async () => {
    const { send, corpus, mint } = house()
    await corpus('m1')
    expect((await mint({ corpora: ['m1'] })).scopes).toEqual(['read'])
    const refused = await send('POST', '/v1/keys', { body: { name: 'k', corpora: ['m1', 'later'] } })
    expect([refused.status, refused.body.errors]).toEqual([422, [{ path: 'corpora', message: 'there is no corpus later' }]])
    const { key } = await mint({ scopes: ['admin'], corpora: ['m1'] })
    expect((await send('PUT', '/v1/corpora/m1', { key, body: {} })).status).toBe(200)
    expect((await send('PUT', '/v1/corpora/later', { key, body: {} })).status).toBe(404)
  })

  it('[P250] is told what it may do, and nothing of its secret or of others', async () => {
    const { send, corpus, mint } = house()
    for (const name of ['m1', 'm2']) await corpus(name)
    const { key, id } = await mint({ corpora: ['m1'], principals: ['group:finance'], access_choose: true, limits: { requests_a_day: 9 } })
    const rights = { scopes: ['read'], corpora: ['m1'], principals: ['group:finance'], access_choose: true, limits: { requests_a_day: 9 } }
    expect((await send('GET', '/v1/keys/self', { key })).body).toEqual({ id, ...rights, expires_at: null })
    expect((await send('GET', '/v1/keys/self')).body).toMatchObject({ id: 'admin', scopes: ['admin'], corpora: ['*'] })
    expect((await send('GET', '/v1/keys/self', { key: null })).status).toBe(401)
  })

  it('[H13] is refused once it has expired, also where it is remembered and while the catalogue is down', async () => {
    const { world, send, corpus, mint } = house()
    await corpus('m1')
    const past = await send('POST', '/v1/keys', {
      body: { name: 'k', corpora: ['*'], expires_at: new Date(world.clock.now).toISOString() },
    })
    expect([past.status, past.body.errors[0].path]).toEqual([422, 'expires_at'])
    const { key, expires_at } = await mint({ corpora: ['m1'], expires_at: new Date(world.clock.now + HOUR).toISOString() })
    expect([Date.parse(expires_at), (await send('GET', '/v1/corpora/m1', { key })).status]).toEqual([world.clock.now + HOUR, 200])
    Object.assign(world.wired, {
      keys: { ...world.wired.keys, key: () => Promise.reject(new Error('D1_ERROR: Network connection lost.')) },
    })
    world.clock.now += HOUR - 1
    expect((await send('GET', '/v1/corpora/m1', { key })).status).toBe(200)
    world.clock.now += 1
    const late = await send('GET', '/v1/corpora/m1', { key })
    expect([late.status, late.body.detail]).toEqual([401, 'This key has expired.'])
  })

  it('[H13] is given a new secret under its old id; the old one is valid until the overlap has passed, and both at once everywhere', async () => {
    const { world, send, isolate, corpus, mint } = house()
    await corpus('m1')
    const elsewhere = isolate()
    const first = await mint({ corpora: ['m1'] })
    const works = async (key: string) =>
      [await send('GET', '/v1/corpora/m1', { key }), await elsewhere('GET', '/v1/corpora/m1', { key })].map((one) => one.status)
    expect(await works(first.key)).toEqual([200, 200])
    const second = (await send('POST', `/v1/keys/${first.id}:rotate`, { key: first.key, body: { overlap: 600 } })).body
    expect([second.id, second.corpora, second.key === first.key]).toEqual([first.id, ['m1'], false])
    expect([await works(second.key), await works(first.key)]).toEqual([
      [200, 200],
      [200, 200],
    ])
    world.clock.now += 300_000
    const third = (await send('POST', `/v1/keys/${first.id}:rotate`, { body: { overlap: 86_400 } })).body
    world.clock.now += 300_000 // a later rotation does not make the first secret's overlap longer
    expect([await works(third.key), await works(second.key), await works(first.key)]).toEqual([
      [200, 200],
      [200, 200],
      [401, 401],
    ])
    await send('POST', `/v1/keys/${first.id}:rotate`, { key: third.key, body: { overlap: 0 } })
    world.clock.now += 30_000 // what another isolate remembers
    expect([await works(third.key), await works(second.key)]).toEqual([
      [401, 401],
      [401, 401],
    ])
    expect((await send('POST', `/v1/keys/${first.id}:rotate`, { key: (await mint({ corpora: ['m1'] })).key })).status).toBe(403)
    expect((await send('POST', '/v1/keys/0000000000000000:rotate')).status).toBe(404)
  })

  it('[H181] gives nothing it does not have: an admin key of some corpora makes, lists, rotates and revokes keys of these alone', async () => {
    const { world, send, corpus, mint } = house()
    for (const name of ['m1', 'm2']) await corpus(name)
    const ends = new Date(world.clock.now + HOUR).toISOString()
    const { id: own, key } = await mint({ scopes: ['admin'], corpora: ['m1'], expires_at: ends })
    const whole = await mint({ corpora: ['*'] })
    const both = await mint({ corpora: ['m1', 'm2'] })
    const lasting = await mint({ scopes: ['write'], corpora: ['m1'] })
    const made = await mint({ scopes: ['read', 'write', 'admin'], corpora: ['m1'] }, key)
    expect([made.scopes, made.corpora, made.expires_at]).toEqual([['read', 'write', 'admin'], ['m1'], ends])
    const refused = async (body: object) => {
      const { status, body: answer } = await send('POST', '/v1/keys', { body: { name: 'k', ...body }, key })
      return [status, answer.errors?.map((one: { path: string }) => one.path)]
    }
    expect(await refused({ corpora: ['*'] })).toEqual([422, ['corpora']])
    expect(await refused({ corpora: ['m1', 'm2'] })).toEqual(await refused({ corpora: ['m1', 'nobody'] }))
    expect(await refused({ corpora: ['m1'], expires_at: new Date(world.clock.now + 2 * HOUR).toISOString() })).toEqual([
      422,
      ['expires_at'],
    ])
    const listed = (await send('GET', '/v1/keys', { key })).body.data.map((one: { id: string }) => one.id)
    expect(listed.sort()).toEqual([own, lasting.id, made.id].sort())
    const acts = (id: string) => Promise.all([send('POST', `/v1/keys/${id}:rotate`, { key }), send('DELETE', `/v1/keys/${id}`, { key })])
    for (const { id } of [whole, both]) expect((await acts(id)).map((one) => one.body.code)).toEqual(['key_not_found', 'key_not_found'])
    expect((await send('POST', `/v1/keys/${lasting.id}:rotate`, { key })).status).toBe(422) // it would have it for longer than itself
    expect((await acts(made.id)).map((one) => one.status).at(-1)).toBe(204)
    const reader = await mint({ corpora: ['m1'] })
    for (const [method, at] of [
      ['POST', '/v1/keys'],
      ['GET', '/v1/keys'],
      ['DELETE', `/v1/keys/${made.id}`],
    ] as const) {
      expect((await send(method, at, { key: reader.key, ...(method === 'POST' ? { body: {} } : {}) })).status).toBe(403)
    }
  })

  it('[H185] shows when it was last used, written to a quarter of an hour and never waited for', async () => {
    const { world, send, isolate, corpus, mint, written } = house()
    await corpus('m1')
    const { id, key } = await mint({ corpora: ['m1'] })
    const used = async () => (await send('GET', '/v1/keys')).body.data.find((one: { id: string }) => one.id === id).last_used_at
    expect(await used()).toBe(null)
    const began = world.clock.now
    const elsewhere = isolate()
    for (let n = 0; n < 5; n++) await send('GET', '/v1/corpora/m1', { key })
    await elsewhere('GET', '/v1/corpora/m1', { key })
    expect(written.length).toBeLessThanOrEqual(2) // one an isolate
    await Promise.all(written)
    expect(await used()).toBe(new Date(began).toISOString())
    world.clock.now += 16 * 60_000
    Object.assign(world.wired, { keys: { ...world.wired.keys, noteUse: () => Promise.reject(new Error('D1_ERROR')) } })
    expect((await send('GET', '/v1/corpora/m1', { key })).status).toBe(200)
  })
})

describe('the audit log of the deployment', () => {
  it('[V181] lists who made, rotated and revoked which key and made and deleted which corpus, to admin keys of all corpora', async () => {
    const { send, corpus, mint } = house()
    await corpus('m1')
    const { id, key } = await mint({ scopes: ['admin'], corpora: ['m1'] })
    const made = await mint({ corpora: ['m1'] }, key)
    await send('POST', `/v1/keys/${id}:rotate`, { key })
    await send('DELETE', `/v1/keys/${made.id}`, { key })
    await send('DELETE', '/v1/corpora/m1')
    expect((await send('GET', '/v1/audit', { key })).status).toBe(403)
    const first = (await send('GET', '/v1/audit?limit=4')).body
    const rest = (await send('GET', `/v1/audit?cursor=${first.next_cursor}`)).body
    const all = [...first.data, ...rest.data]
    const told = all.map(({ key: by, action, subject, outcome }) => [by, action, subject, outcome].join(' ')).sort()
    expect(told).toEqual(
      [
        'admin corpus.create m1 asked',
        `admin key.create ${id} done`,
        `${id} key.create ${made.id} done`,
        `${id} key.rotate ${id} done`,
        `${id} key.revoke ${made.id} done`,
        'admin corpus.delete m1 asked',
      ].sort(),
    )
    expect([first.data.length, rest.next_cursor, JSON.stringify(all).includes('loam_')]).toEqual([4, null, false])
  })
})

describe('the audit log of a corpus', () => {
  it('[V180] every route that changes something passes on who acts and through which door, and no route that reads does', async () => {
    const { world, send } = house()
    const called: [string, unknown][] = []
    const noting = (object: object) =>
      new Proxy(object, {
        get: (target, name) => {
          const method: unknown = Reflect.get(target, name)
          if (typeof method !== 'function' || typeof name !== 'string') return method
          return (...given: unknown[]) => {
            const by = given.find((one) => typeof one === 'object' && one !== null && 'door' in one)
            called.push([name, by])
            return method.apply(target, given)
          }
        },
      })
    const { corpus, outbound, seeing, conversations } = world.wired
    Object.assign(world.wired, {
      corpus: (uid: string) => noting(corpus(uid)),
      outbound: (uid: string) => noting(outbound(uid)),
      seeing: (uid: string) => noting(seeing(uid)),
      conversations: (uid: string) => noting(conversations(uid)),
    })
    await send('PUT', '/v1/corpora/here', { body: { strategies: ['erarag', 'gorag', 'archrag'], audit: { reads: true } } })
    const { hook, secret } = (
      await send('POST', '/v1/corpora/here/hooks', { body: { preset: 'generic', mapping: { id: '/id', text: '/text' } } })
    ).body
    const { source } = (await send('POST', '/v1/corpora/here/sources', { body: { url: 'https://example.org/', every: '1d' } })).body
    // What is fetched goes before what is deleted.
    const ordered = [...operations].sort((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'))
    for (const { path, method, body } of ordered.filter(
      (one) => one.path.includes('{corpus}') && !['putCorpus', 'deleteCorpus'].includes(one.id),
    )) {
      const at = path
        .replace('{corpus}', 'here')
        .replace('{hook}', hook)
        .replace('{source}', source)
        .replace('{job}', 'j_1')
        .replace('{decision}', '1')
        .replaceAll(/\{\w+\}/g, 'x')
      await send(method.toUpperCase(), at, body ? { body: body.example ?? {} } : {})
    }
    await send('DELETE', '/v1/corpora/here')
    const calls = new Set(called.map(([name]) => name))
    const reads =
      'view backupPage restoreState recoveryEstimate recover filters job jobs receipts probes health migration documents document documentFile chunks changes retrieve verify reserve charge usage keptAnswer labels classify nameOperations decisions pinned links dataOf endpoints deliveries sources source sourceItems audit seen around reconcile questions poorQuestions rateQuestion alerts conversations conversation restsOn earlierTurns keepTurn renameConversation entity'
    const writes = [...calls].filter((name) => !reads.split(' ').includes(name)).sort()
    expect(writes).toEqual(
      'accept addEndpoint addSource askSource cancel changeFilter configure correctChunk decide dropLabel forgetConversations forgetQuestion maintain migrate noteAudit partEntities putAlerts putFilter putLabel putProbes redeliver removeEndpoint removeSource repartition retry setAccess setLanguage testAlert undecide unlearn'.split(
        ' ',
      ),
    )
    const told = [...writes, 'charge'] // what is spent is counted for the key
    for (const [name, by] of called) expect([name, by]).toEqual([name, told.includes(name) ? { key: 'admin', door: 'http' } : undefined])
    called.length = 0
    await send('PUT', '/v1/corpora/here', { body: { strategies: ['gorag'] } })
    const rpc = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'add_document', arguments: { corpus: 'here', id: 'a', text: 'x' } },
    }
    await send('POST', '/mcp', { body: rpc })
    expect(called.find(([name]) => name === 'accept')).toEqual(['accept', { key: 'admin', door: 'mcp' }])
    expect(secret).toBeTypeOf('string')
  })
})

describe('keys that open nothing', () => {
  it('[H186] are limited by address, of IPv6 by /64: beyond twenty a minute no key from there is checked, except those that opened something from there', async () => {
    const { world, send, corpus, mint } = house()
    await corpus('m1')
    const { key } = await mint({ corpora: ['m1'] })
    const fresh = await mint({ corpora: ['m1'] })
    const asked: string[] = []
    const { key: look } = world.wired.keys
    const looked = (id: string) => {
      asked.push(id)
      return look(id)
    }
    Object.assign(world.wired, { keys: { ...world.wired.keys, key: looked } })
    const from = '2001:db8:1:2::1'
    const good = (bearer: string, address = from) => send('GET', '/v1/corpora/m1', { key: bearer, from: address })
    expect((await good(key)).status).toBe(200)
    const wrong = (n: number) => `loam_${String(n).padStart(16, '0')}_${'A'.repeat(43)}`
    const statuses = []
    for (let n = 0; n < 22; n++) statuses.push((await good(wrong(n), `2001:db8:1:2::${n}`)).status)
    expect(statuses).toEqual([...Array(20).fill(401), 429, 429])
    const [held, limited, elsewhere, beside] = [
      await good(key),
      await good(ADMIN),
      await good(wrong(1), '2001:db8:1:3::1'),
      await good(fresh.key, '192.0.2.1'),
    ]
    expect([held.status, limited.status, elsewhere.status, beside.status]).toEqual([200, 429, 401, 200]) // the right admin key too: a guess is not told
    expect(Number(limited.retry)).toBeGreaterThan(0)
    expect(asked.filter((id) => id === '0000000000000021')).toEqual([]) // the catalogue is not asked
    world.clock.now += 60_000
    expect([(await good(wrong(1))).status, (await good(ADMIN)).status]).toEqual([401, 200])
  })

  it('[H186] are limited by the platform’s limiter too, which counts for all isolates of a location', async () => {
    const { world, isolate } = house()
    const counts = new Map<string, number>()
    const limitFailed = async (address: string) => {
      counts.set(address, (counts.get(address) ?? 0) + 1)
      return (counts.get(address) ?? 0) <= 3
    }
    Object.assign(world.wired, { limitFailed })
    const tries = []
    for (let n = 0; n < 5; n++) tries.push((await isolate()('GET', '/v1/corpora', { key: 'wrong', from: '198.51.100.7' })).status)
    expect(tries).toEqual([401, 401, 401, 429, 429])
    expect([...counts.keys()]).toEqual(['198.51.100.7'])
  })

  it('[H186] an address counts as its network', () => {
    const networks = ['2001:db8:1:2:3:4:5:6', '2001:DB8:1:2::', '::ffff:192.0.2.1', '192.0.2.1', 'fe80::1%eth0', 'unknown'].map(networkOf)
    expect(networks).toEqual(['2001:db8:1:2::/64', '2001:db8:1:2::/64', '192.0.2.1', '192.0.2.1', 'fe80:0:0:0::/64', 'unknown'])
  })
})

describe('a corpus that is hidden', () => {
  it('[V90] costs the catalogue as many rows as one that does not exist', async () => {
    const { world, corpus } = house()
    for (const name of ['hidden', 'mine']) await corpus(name)
    await corpus('open', { public: true })
    const asked: [string, unknown[]][] = []
    const prepare = (text: string) => {
      const statement = bound.db.prepare(text)
      const bind = (...values: unknown[]) => {
        asked.push([text, values])
        return statement.bind(...values)
      }
      return Object.assign(Object.create(statement), { bind })
    }
    const traced = catalogue({ prepare, batch: bound.db.batch.bind(bound.db) } as unknown as D1Database)
    const mine = (await world.wired.catalogue.corpus('mine')) as CorpusRecord
    const cost = async (name: string, uid: string) => {
      asked.length = 0
      const found = await traced.corpus(name, uid)
      const each = asked.map(
        async ([text, values]) =>
          (
            await bound.db
              .prepare(text)
              .bind(...values)
              .all()
          ).meta.rows_read,
      )
      return [found?.name, await Promise.all(each)]
    }
    expect(await cost('hidden', '')).toEqual([undefined, [1]]) // the caller's own uid
    expect(await cost('hidden', '')).toEqual(await cost('nobody', ''))
    expect(await cost('hidden', mine.uid)).toEqual(await cost('nobody', mine.uid))
    expect([(await cost('open', ''))[0], (await cost('mine', mine.uid))[0]]).toEqual(['open', 'mine'])
  })
})
