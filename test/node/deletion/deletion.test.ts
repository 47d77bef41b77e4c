/**
 * Deleting a corpus, interrupted at every call to every store, and left to itself until nothing is left; undeleting it; and where anything of a
 * corpus could be left at all, read from the schemas.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { SQLInputValue } from 'node:sqlite'
import { parse } from 'smol-toml'
import { beforeAll, describe, expect, it } from 'vitest'
import { dice } from '../corpus/working'
import { pdf, shown } from '../http/pdf-bytes'
import { type Deployment, type Doom, deployment } from './deployment'

const AT = '/v1/corpora/manuals'
const MINUTE = 60_000 // ms
const DAY = 86_400_000
const WORD = 'zanzibar' // in everything a caller can say
const ALL = ['erarag', 'cluerag', 'ketrag', 'archrag', 'gorag']

interface Rows {
  readonly [table: string]: readonly string[]
}

interface Db {
  prepare(sql: string): { all(...bindings: unknown[]): { [column: string]: unknown }[] }
}

/** Every table there is, the full text's own included, each row as a line. */
function tablesOf(db: Db): Rows {
  const names = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`).all() as { name: string }[]
  return Object.fromEntries(names.map(({ name }) => [name, db.prepare(`SELECT * FROM "${name}"`).all().map(lineOf)]))
}

const lineOf = (row: object): string =>
  JSON.stringify(row, (_, value) => (value instanceof Uint8Array ? String.fromCharCode(...value.slice(0, 4096)) : value))

interface Described {
  readonly status: string
}

/** Makes a corpus in which every caller's way of leaving something was gone once. Its uid. */
async function filled(world: Deployment, more: object = {}): Promise<string> {
  const call = async (method: string, at: string, body?: unknown): Promise<never> => {
    const { status, body: said } = await world.send(method, `${AT}${at}`, body)
    expect([status < 300, method, at, said]).toEqual([true, method, at, said])
    return said
  }
  await call('PUT', '', {
    strategies: ALL,
    audit: { questions: 'full' },
    settings: { answers: { seconds: 3600 }, earlier: { days: 30 } },
    ...more,
  })
  const texts = Array.from(
    { length: 12 },
    (_, i) => `Anna Berg of ${WORD} saw heron ${i} near Port Ellis. Karl Stone of ${WORD} paints ${i * 7} boats.`,
  )
  const upserts = texts.map((text, i) => ({
    id: `${WORD}/${i}`,
    ...(i === 5 ? { content_base64: Buffer.from(pdf([shown(text)])).toString('base64'), content_type: 'application/pdf' } : { text }),
    title: `${WORD} ${i}`,
    url: `https://${WORD}.example/${i}`,
    metadata: { place: WORD },
    outline: [{ start: 0, heading: WORD }],
    published_at: '2024-05-01',
    ...(i % 2 ? { access: [`group:${WORD}`] } : {}),
    ...(i === 2 ? { graph: { entities: [{ name: 'Port Ellis', type: WORD, description: `A harbour of ${WORD}.` }] } } : {}),
  }))
  await call('POST', '/documents:batch', { upserts })
  await call('POST', '/endpoints', { url: `https://${WORD}.example/hook` })
  await call('POST', '/sources', { url: `https://${WORD}.example/page`, every: '1h', document: `${WORD}/page` })
  const { source } = await call('POST', '/sources', { kind: 'sitemap', url: `https://${WORD}.example/sitemap.xml`, every: '1h' })
  await call('POST', '/sources', { kind: 'r2', url: `r2://papers/${WORD}/`, every: '1d' })
  await call('POST', '/hooks', { preset: 'generic', mapping: { id: `/${WORD}`, text: '/text' } })
  await call('PUT', '/probes', { probes: [{ query: `Who is of ${WORD}?`, expect: [`${WORD}/1`] }] })
  await call('PUT', `/filters/${WORD}`, { metadata: { place: WORD } })
  await call('PUT', `/labels/${WORD}`, { description: `About ${WORD}`, examples: [`A letter from ${WORD}.`] })
  await world.send('POST', '/v1/keys', { name: 'reader', scopes: ['read'], corpora: ['manuals'] })
  await world.ring()
  await call('POST', '/query', { query: `Who is of ${WORD}?` })
  // Two names that a caller says are one; a text for which the model has no vector; a vector that the index does not take.
  const entityOf = async (name: string) => ((await call('GET', `/entities?q=${name}`)) as { data: { id: string }[] }).data[0]?.id ?? 'none'
  await call('POST', `/entities/${await entityOf('anna')}:merge`, { with: await entityOf('karl') })
  world.refused = 'otherwise'
  let bad: string | undefined
  world.index.poison = (op, ids) => {
    if (op !== 'upsert') return undefined
    bad ??= ids.find((id) => !id.endsWith(':mark'))
    return bad && ids.includes(bad) ? 40_012 : undefined
  }
  await call('DELETE', `/documents/${encodeURIComponent(`${WORD}/3`)}`)
  await call('PUT', `/documents/${encodeURIComponent(`${WORD}/4`)}`, { text: `Now ${WORD} is otherwise.` })
  await call('PUT', `/documents/${encodeURIComponent(`${WORD}/6`)}`, {
    text: `Anna Berg of ${WORD} saw heron 60 near Port Ellis. Later ${WORD} sails on.`,
  })
  await world.ring()
  const { data } = (await call('GET', '/jobs')) as { data: { status: string }[] }
  expect(new Set(data.map((one) => one.status))).toEqual(new Set(['succeeded']))
  expect(((await call('GET', '/decisions')) as { data: unknown[] }).data.length).toBeGreaterThan(0)
  const { retries, sinks } = (await call('GET', '/health')) as { retries: { waiting: number }; sinks: { index: { refused: number } } }
  expect([retries.waiting, sinks.index.refused, bad]).toEqual([1, 1, expect.any(String)])
  world.refused = null
  world.index.poison = () => undefined
  const [uid = ''] = world.uids()
  const object = world.object(uid)
  const claimed = await object.claimSource(source)
  const page = { key: `https://${WORD}.example/listed`, document: `${WORD}/listed`, mark: null, title: WORD, published: null }
  expect(claimed.kind).toBe('go')
  if (claimed.kind === 'go')
    await object.closeSource(source, claimed.attempt, { kind: 'listed', entries: [page], next: null, isComplete: true })
  await call('POST', '/query', { query: `Who of ${WORD} saw a heron?`, store: true })
  // As if it had been deleted while it was set back to a moment.
  world.databases.DB?.exec(`INSERT INTO recovery (uid, id, time, asked, step, parts) VALUES ('${uid}', 'r_1', 1, 1, 'done', 0)`)
  world.databases.DB?.exec(`INSERT INTO recovery_part (uid, n, body) VALUES ('${uid}', 0, '{}')`)
  return uid
}

/** What there still is of a uid, anywhere but in its own object: rows by table, vectors. */
function leftOf(world: Deployment, uid: string): { readonly [place: string]: number } {
  const left: { [place: string]: number } = {}
  for (const [name, db] of Object.entries(world.databases)) {
    for (const [table, rows] of Object.entries(tablesOf(db))) {
      const n = rows.filter((row) => row.includes(uid)).length
      if (n > 0) left[`${name}.${table}`] = n
    }
  }
  const vectors = [...world.index.rows.values()].filter((one) => `${one.id} ${one.namespace}`.includes(uid)).length
  if (vectors > 0) left.vectors = vectors
  return left
}

/** Tables of an object that are not as in one never used. */
function usedTables(world: Deployment, uid: string): string[] {
  world.object('never-used')
  const [mine, never] = [tablesOf(world.objectRows(uid)), tablesOf(world.objectRows('never-used'))]
  return Object.keys({ ...mine, ...never }).filter((table) => !same(mine[table], never[table]))
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The name's row and who may ask for its job, and the fence that keeps late writes out; for thirty days. */
const CLEARED = { 'DB.corpus': 1, 'DB.key_grant': 1, 'DATA_0.published': 1 }

/** Where the word is said. */
function sayings(world: Deployment, uid: string): string[] {
  const said = (name: string, db: Db) =>
    Object.entries(tablesOf(db)).flatMap(([table, rows]) =>
      rows.some((row) => row.toLowerCase().includes(WORD)) ? [`${name}.${table}`] : [],
    )
  const stores = Object.entries(world.databases).flatMap(([name, db]) => said(name, db))
  const vectors = [...world.index.rows.values()].some((one) => JSON.stringify(one).includes(WORD)) ? ['vectors'] : []
  const sent = world.sent.some((one) => one.includes(WORD)) ? ['sent'] : []
  return [...stores, ...said('object', world.objectRows(uid)), ...vectors, ...sent]
}

/** Minutes go by; the schedule and the alarms do what they do, and nobody asks. */
async function time(world: Deployment, minutes = 30): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 10) {
    world.clock.ahead += 10 * MINUTE
    for (const act of [world.cron, world.ring]) {
      await act().catch(() => undefined)
      if (world.dead()) world.restart()
    }
  }
}

const statusOf = async (world: Deployment, at = AT) => (await world.send('GET', at)).status

describe('a corpus that is deleted', () => {
  const world = deployment()
  let uid = ''
  beforeAll(async () => {
    uid = await filled(world)
    world.base()
  })

  /** How many calls to stores it took until all had come to rest, and what the caller was answered. */
  async function struck(doom: Doom): Promise<{ readonly calls: number; readonly status: number }> {
    world.again()
    world.doom(doom)
    const { status } = await world.send('DELETE', AT)
    if (world.dead()) world.restart()
    await world.ring().catch(() => undefined)
    if (world.dead()) world.restart()
    const calls = world.calls.length
    await time(world)
    return { calls, status }
  }

  /** Gone without a trace, or (where the catalogue never heard of it) there as before. */
  async function outcome(): Promise<'gone' | 'there' | object> {
    const { status, body } = await world.send('GET', AT)
    if (status === 404) {
      const left = { elsewhere: leftOf(world, uid), object: usedTables(world, uid) }
      return same(left, { elsewhere: CLEARED, object: [] }) ? 'gone' : left
    }
    const { counts, ...seen } = body as Described & { counts: { documents: number } }
    return seen.status === 'settled' && counts.documents === 11 ? 'there' : { status: seen.status, ...counts }
  }

  it.each(['before', 'after', 'refused'] as const)(
    '[J160] stopped at any call to any store (%s), it ends as if it had not been stopped',
    async (how) => {
      const { calls: clean } = await struck({ at: 0, how })
      expect([clean > 10, await outcome()]).toEqual([true, 'gone'])
      const ends: string[] = []
      for (let at = 1; at <= clean; at++) {
        const { status } = await struck({ at, how })
        const end = await outcome()
        expect([at, end]).toEqual([at, expect.stringMatching(status === 202 ? /^gone$/ : /^(gone|there)$/)])
        ends.push(String(end))
      }
      // Until the catalogue has it in writing nothing has been touched; from then on there is no way back.
      expect(ends.slice(3)).toEqual(ends.slice(3).map(() => 'gone'))
      console.log(JSON.stringify({ how, calls: clean, there: ends.filter((end) => end === 'there').length }))
    },
  )

  it('[J160] however often and wherever it dies, it ends with nothing left', async () => {
    const roll = dice(16)
    for (let run = 0; run < 80; run++) {
      world.again()
      let deaths = 0
      const strike = async (act: () => Promise<unknown>): Promise<void> => {
        world.doom({ at: 1 + roll(9), how: (['before', 'after', 'refused'] as const)[roll(3)] ?? 'before' })
        await act().catch(() => undefined)
        if (!world.dead()) return
        deaths++
        world.restart()
      }
      for (let i = 0; i < 12; i++) {
        await strike([() => world.send('DELETE', AT), world.cron, world.ring, world.ring][roll(4)] ?? world.cron)
        world.clock.ahead += 5 * MINUTE
      }
      world.doom({ at: 0, how: 'before' })
      await world.send('DELETE', AT)
      await time(world)
      expect([run, deaths, await outcome()]).toEqual([run, expect.any(Number), 'gone'])
    }
  })

  it('[J161] nothing of it is left in any table or store there is, stored answers and queued messages included', async () => {
    world.again()
    // A table of the object that never held a row, or one of D1 that names a uid and does not hold this one, shows that `filled` has to learn of it.
    const before = tablesOf(world.objectRows(uid))
    expect(Object.keys(before).filter((table) => before[table]?.length === 0)).toEqual(PASSING)
    const planted = leftOf(world, uid)
    for (const [name, db] of Object.entries(world.databases)) {
      for (const table of Object.keys(tablesOf(db))) {
        const columns = db.prepare(`SELECT name FROM pragma_table_info('${table}')`).all() as { name: string }[]
        const [names, mine] = [columns.some((one) => one.name === 'uid'), name === 'DB' ? CONTROL : DATA]
        expect([table, names, mine.has(table)]).toEqual([table, names, name === 'DB' ? CONTROL.has(table) : DATA.has(table)])
        if (names && mine.has(table))
          expect([`${name}.${table}`, planted[`${name}.${table}`]]).toEqual([`${name}.${table}`, expect.any(Number)])
      }
    }
    expect([planted.vectors, sayings(world, uid).length > 10]).toEqual([expect.any(Number), true])
    await struck({ at: 0, how: 'before' })
    expect([await outcome(), sayings(world, uid)]).toEqual(['gone', []])
  })

  it('[J161] every binding in which something could be kept is one of those checked here', () => {
    const toml = parse(readFileSync(path.join(import.meta.dirname, '../../../wrangler.toml'), 'utf8')) as unknown as Toml
    const kinds = Object.keys(toml).filter((key) => !SETTINGS.has(key))
    expect(kinds.sort()).toEqual(Object.keys(STORES).sort())
    expect(toml.durable_objects.bindings.map((one) => one.name)).toEqual(['CORPUS', 'GOVERNOR', 'KEY_USAGE', 'REPLICA', 'METRICS_OBJECT'])
    expect(toml.d1_databases.map((one) => one.binding)).toEqual(Object.keys(world.databases))
  })

  it('[J162] what was under way when it was deleted writes nothing more under its uid', async () => {
    world.again()
    const { body } = await world.send('POST', `${AT}/hooks`, { preset: 'generic' })
    await struck({ at: 0, how: 'before' })
    const object = world.object(uid)
    const input = { id: 'late', text: 'Late.', title: '', url: null, metadata: {} }
    expect(await object.accept({ kind: 'ingest', upserts: [input], deletes: [] })).toEqual({ kind: 'gone' })
    expect((await object.openTasks('late', 5)).tasks).toEqual([])
    expect(await object.commit('late', [])).toEqual({ kind: 'lost' })
    for (const late of [() => object.putProbes([], { k: 10, tolerance: 0 }), () => object.documents(null, 5), () => object.drain()]) {
      await late().catch((error: Error) => expect(error.message).toBe('corpus: deleted'))
    }
    const record = { id: 'wh_late', uid, preset: 'generic' as const, mapping: null, secrets: [], created: 0, access: [] }
    expect([
      await world.hooks().add(record),
      (await world.send('POST', `/v1/hooks/${(body as { hook: string }).hook}`, {})).status,
    ]).toEqual([false, 404])
    expect(await outcome()).toBe('gone')
  })

  it('[J162] a row that reaches a database after the object has emptied itself, and before the catalogue says so, is removed too', async () => {
    world.again()
    const database = (): NonNullable<typeof world.databases.DATA_0> => world.databases.DATA_0 ?? expect.fail('no database')
    const [row = {}] = database().prepare('SELECT * FROM node WHERE uid = ? LIMIT 1').all(uid) as Record<string, SQLInputValue>[]
    delete row.rank // is computed
    const names = Object.keys(row)
    const isEmptied = (): boolean => usedTables(world, uid).length === 0 && (leftOf(world, uid)['DATA_0.node'] ?? 0) === 0
    let planted = 0
    for (let at = 1; at < 40; at++) {
      world.again()
      world.doom({ at, how: 'before' })
      await world.send('DELETE', AT)
      if (!world.dead()) await world.ring().catch(() => undefined)
      if (!world.dead()) break // more calls than there are
      world.restart()
      if (!isEmptied()) continue
      database()
        .prepare(`INSERT INTO node (${names}) VALUES (${names.map(() => '?')})`)
        .run(...Object.values(row))
      planted++
      await time(world)
      expect([at, await outcome()]).toEqual([at, 'gone'])
    }
    expect(planted).toBeGreaterThan(0)
  })

  it('[J162] a corpus that is changed while it is deleted is made anew under another uid, and the old one does not come back', async () => {
    for (let at = 1; at < 12; at++) {
      world.again()
      // The change has read the catalogue; before each of its next calls the other request has done all it does.
      world.doom({ at: 0, how: 'before' })
      world.between(at, async () => {
        await world.send('DELETE', `${AT}?at_once=true`)
        await world.ring()
      })
      const put = await world.send('PUT', AT, { public: true })
      await time(world)
      const now = await world.send('GET', AT)
      expect([at, put.status < 300 || put.status === 409, [200, 404].includes(now.status)]).toEqual([at, true, true])
      expect([at, leftOf(world, uid), usedTables(world, uid)]).toEqual([at, CLEARED, []])
      if (now.status === 200) expect((now.body as Described & { counts: { documents: number } }).counts.documents ?? 0).toBe(0)
    }
  })

  it('[J160] what an earlier release left half deleted (in the catalogue, emptied elsewhere) is deleted when it is deleted again', async () => {
    world.again()
    await struck({ at: 0, how: 'before' })
    world.databases.DB?.exec(`UPDATE corpus SET deleted = NULL, drop_job = NULL, deleted_by = NULL, settings = '{}' WHERE uid = '${uid}'`)
    expect((await world.send('DELETE', AT)).status).toBe(202)
    await time(world)
    expect(await outcome()).toBe('gone')
    expect((await world.send('PUT', AT, {})).status).toBe(201)
  })
})

describe('a corpus that can be undeleted', () => {
  const world = deployment()
  let uid = ''
  const WEEK = 7 * 86_400
  beforeAll(async () => {
    uid = await filled(world, { undelete_seconds: WEEK })
    world.base()
  })
  const search = async () => {
    const { status, body } = await world.send('POST', `${AT}/search`, { query: `heron 5 ${WORD}`, strategy: 'keyword' })
    return status === 200 ? (body as { evidence: unknown[] }).evidence.length > 0 : status
  }

  it('[H160] answers nothing and does nothing meanwhile, and is listed as deleted with the time at which it is deleted for good', async () => {
    world.again()
    const { hook } = (await world.send('POST', `${AT}/hooks`, { preset: 'generic' })).body as { hook: string }
    const deleted = await world.send('DELETE', AT)
    const gone = (deleted.body as { gone_at: string }).gone_at
    expect([deleted.status, Math.abs(Date.parse(gone) - Date.now() - WEEK * 1000) < MINUTE]).toEqual([202, true])
    const routes = [
      '/documents',
      '/jobs',
      '/usage',
      '/health',
      '/probes',
      '/receipts',
      '/entities',
      '/graph',
      '/export',
      '/hooks',
      '/endpoints',
      '/sources',
    ]
    for (const route of routes) expect([route, await statusOf(world, AT + route)]).toEqual([route, 404])
    expect([await search(), (await world.send('POST', `/v1/hooks/${hook}`, {})).status]).toEqual([404, 404])
    const writes = await Promise.all([world.send('PUT', `${AT}/documents/x`, { text: 'x' }), world.send('POST', `${AT}:rebuild`, {})])
    expect(writes.map((one) => one.status)).toEqual([404, 404])
    const shown = { status: 'deleted', gone_at: gone, deleted_by: 'admin', version: 0, counts: {} }
    expect((await world.send('GET', AT)).body).toMatchObject(shown)
    expect((await world.send('GET', '/v1/corpora')).body).toMatchObject({ data: [] })
    expect((await world.send('GET', '/v1/corpora?deleted=true')).body).toMatchObject({ data: [shown] })
    const before = world.sent.length
    await time(world, 24 * 60)
    expect([world.sent.length - before, leftOf(world, uid)['DATA_0.chunk']]).toEqual([0, expect.any(Number)])
  })

  it('[H160] is shown only to keys that may undelete it', async () => {
    world.again()
    const mint = async (scopes: string[], corpora: string[]) =>
      ((await world.send('POST', '/v1/keys', { name: 'k', scopes, corpora })).body as { key: string }).key
    await world.send('PUT', '/v1/corpora/atlas', {})
    const [reader, other] = [await mint(['read', 'write'], ['manuals']), await mint(['admin'], ['atlas'])]
    await world.send('DELETE', AT)
    const paths = [AT, '/v1/corpora/never', `${AT}:undelete`]
    for (const key of [reader, other]) {
      for (const at of paths) {
        const { status, body } = await world.send(at.endsWith('undelete') ? 'POST' : 'GET', at, undefined, key)
        expect([status, (body as { code: string }).code]).toEqual([404, 'corpus_not_found'])
      }
      const list = await world.send('GET', '/v1/corpora?deleted=true', undefined, key)
      expect(JSON.stringify(list.body)).not.toContain('manuals')
    }
  })

  it.each(['before', 'after', 'refused'] as const)(
    '[H161] undeleted it is as it was, wherever deleting and undeleting are stopped (%s)',
    async (how) => {
      world.again()
      const seen = (await world.send('GET', AT)).body as object
      const asItWas = { ...seen, usage: expect.anything() }
      for (let at = 0; at < 12; at++) {
        world.again()
        world.doom({ at, how })
        for (const [method, route] of [
          ['DELETE', AT],
          ['POST', `${AT}:undelete`],
        ] as const) {
          await world.send(method, route)
          if (world.dead()) world.restart()
        }
        await time(world, 10)
        await world.send('POST', `${AT}:undelete`)
        expect([at, (await world.send('GET', AT)).body, await search()]).toEqual([at, asItWas, true])
        const put = await world.send('PUT', `${AT}/documents/after`, { text: 'After all that.' })
        await world.ring()
        expect([at, put.status, await statusOf(world, `${AT}/documents/after`)]).toEqual([at, 202, 200])
      }
    },
  )

  it.each(['before', 'after', 'refused'] as const)(
    '[H160] when its time is up it is deleted for good without being asked, wherever that is stopped (%s)',
    async (how) => {
      for (let at = 0; at < 22; at++) {
        world.again()
        await world.send('DELETE', AT)
        await world.ring()
        world.clock.ahead += 8 * DAY
        world.doom({ at, how })
        await world.cron().catch(() => undefined)
        if (world.dead()) world.restart()
        await time(world)
        expect([at, await statusOf(world), leftOf(world, uid), usedTables(world, uid)]).toEqual([at, 404, CLEARED, []])
        expect((await world.send('POST', `${AT}:undelete`)).status).toBe(404)
      }
    },
  )

  it('[H161] its name is kept for it until it is undeleted, deleted for good or gone', async () => {
    world.again()
    const { job } = (await world.send('DELETE', AT)).body as { job: string }
    const taken = await world.send('PUT', AT, {})
    expect([taken.status, taken.body]).toMatchObject([409, { code: 'corpus_deleted', gone_at: expect.any(String) }])
    const queued = await world.send('GET', `${AT}/jobs/${job}`)
    const given = await world.send('DELETE', `${AT}?at_once=true`)
    expect([queued.body, given.status, given.body]).toMatchObject([{ status: 'queued', kind: 'drop' }, 202, { job, gone_at: null }])
    const late = await world.send('POST', `${AT}:undelete`)
    expect([late.status, late.body]).toMatchObject([409, { code: 'conflict' }])
    expect((await world.send('PUT', AT, {})).status).toBe(201)
    await time(world)
    expect((await world.send('GET', `${AT}/jobs/${job}`)).body).toMatchObject({ status: 'succeeded' })
    expect([leftOf(world, uid), (await world.send('GET', AT)).body]).toMatchObject([CLEARED, { status: 'settled', version: 0 }])
    // Deleting twice is deleting once.
    const again = await Promise.all([world.send('DELETE', AT), world.send('DELETE', AT)])
    const jobs = new Set(again.filter((one) => one.status === 202).map((one) => (one.body as { job: string }).job))
    expect(jobs.size).toBe(1)
  })

  it('[J161] thirty days after it is gone even its name and its fence are deleted', async () => {
    world.again()
    await world.send('DELETE', `${AT}?at_once=true`)
    await time(world)
    expect(leftOf(world, uid)).toEqual(CLEARED)
    world.clock.ahead += 31 * DAY
    await world.cron()
    expect(leftOf(world, uid)).toEqual({})
  })
})

/** Tables of the object whose rows come and go with work: empty while it rests. `sentences` fills only where no model writes summaries ([G2450]). */
const PASSING =
  'awaited cache cache_source differing event fed forgotten former hold late moving outbox replica report ruling segment sent sentences staged task top touched unreplicated unwritten vectorless'.split(
    ' ',
  )
/** Tables of D1 that the control database has in use, and those that a data database has; every database has all. */
const CONTROL = new Set(['access_key', 'bucket_route', 'corpus', 'hook', 'idempotency', 'key_grant', 'watch'])
const DATA = new Set(['chunk', 'document', 'edge', 'node', 'published'])

interface Toml {
  readonly durable_objects: { readonly bindings: readonly { readonly name: string }[] }
  readonly d1_databases: readonly { readonly binding: string }[]
}
/** What of wrangler.toml binds nothing. */
const SETTINGS = new Set([
  'name',
  'main',
  'compatibility_date',
  'compatibility_flags',
  'keep_names',
  'minify',
  'upload_source_maps',
  'build',
  'limits',
  'observability',
  'vars',
  'secrets',
  'migrations',
  'triggers',
])
/** Each kind of binding, and what becomes there of what a deleted corpus has left. */
const STORES = {
  ai: 'keeps nothing',
  assets: 'the page, for all',
  d1_databases: 'looked at here, table by table',
  durable_objects:
    'CORPUS: looked at here. GOVERNOR: loans by uid, which end by themselves within minutes. KEY_USAGE: what a key has used today, of no corpus. REPLICA: forgets before the object goes (test/worker/replicas.test.ts). METRICS_OBJECT: sums by route, role and code, of no corpus',
  queues: 'names of deliveries and sources, of which the emptied object says that nothing is to be done',
  ratelimits: 'counts of a minute',
  vectorize: 'looked at here',
  workflows: 'instances are named after the uid, hold nothing else, and end when the object lends no work',
}
