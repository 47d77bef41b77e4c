/** A corpus set back to a moment, over a stand-in for the platform's memory (past.ts), interrupted at every call to every store. */
import { describe, expect, it } from 'vitest'
import { dice } from '../corpus/working'
import { type Deployment, type Doom, deployment } from './deployment'

const AT = '/v1/corpora/manuals'
const MINUTE = 60_000 // ms
const SPAN = 36 // calls to stores that setting back takes, about
const SPREAD = Number(process.env.LOAM_SCHEDULES ?? 0) > 600 ? 1 : 6 // of them between two that die
const FORGOTTEN = 'quicksilver' // in what was deleted since

interface Db {
  prepare(sql: string): { all(...bindings: unknown[]): { [column: string]: unknown }[] }
}

interface Estimate {
  readonly status: string
  readonly version_then: number
  readonly version: number
  readonly lost: { readonly commits: number; readonly documents: number; readonly actions: { readonly [action: string]: number } }
  readonly kept: { readonly deleted: number; readonly access: number }
  readonly confirm: string
}

interface State {
  readonly status: string
  readonly version: number | null
  readonly version_before: number | null
}

const call = async <T = never>(world: Deployment, method: string, at: string, body?: unknown): Promise<T> => {
  const { status, body: said } = await world.send(method, `${AT}${at}`, body)
  expect([status < 300, method, at, said]).toEqual([true, method, at, said])
  return said as T
}

const text = (i: number, more = ''): string => `Anna Berg saw heron ${i} near Port Ellis. Karl Stone paints ${i * 7} boats. ${more}`

/** A corpus, the moment it is remembered at, and what it looked like then. */
async function prepared(world: Deployment, more: object = {}): Promise<{ uid: string; time: string; lines: string[]; version: number }> {
  world.remembers = true
  await call(world, 'PUT', '', {
    strategies: ['erarag', 'cluerag'],
    settings: { chunk_tokens: 300, chunk_overlap: 0 },
    audit: { questions: 'full' },
    ...more,
  })
  const upserts = Array.from({ length: 6 }, (_, i) => ({ id: `d${i}`, text: text(i, i === 2 ? FORGOTTEN : '') }))
  await call(world, 'POST', '/documents:batch', { upserts })
  await call(world, 'POST', '/endpoints', { url: 'https://events.example/hook' })
  await world.ring()
  const [uid = ''] = world.uids()
  world.clock.ahead += MINUTE
  world.remember(uid)
  const time = new Date(Date.now()).toISOString()
  const { version } = await call<{ version: number }>(world, 'GET', '')
  world.clock.ahead += MINUTE
  return { uid, time, lines: linesOf(world, uid), version }
}

/** What is done since: a document comes, one is written anew, one is deleted, one is hidden from most, an endpoint is given up. */
async function since(world: Deployment): Promise<void> {
  await call(world, 'PUT', '/documents/new', { text: text(99) })
  await call(world, 'PUT', '/documents/d1', { text: text(1, 'A lighthouse was built.') })
  await call(world, 'DELETE', '/documents/d2')
  await call(world, 'PATCH', '/documents/d3', { access: ['group:crew'] })
  const { data } = await call<{ data: { endpoint: string }[] }>(world, 'GET', '/endpoints')
  await call(world, 'DELETE', `/endpoints/${data[0]?.endpoint}`)
  await call(world, 'POST', '/query', { query: 'Who saw the lighthouse?' })
  await world.ring()
  world.clock.ahead += MINUTE
}

const linesOf = (world: Deployment, uid: string) => [...(world.object(uid) as unknown as { lines(): Iterable<string> }).lines()].sort()

async function setBack(world: Deployment, time: string): Promise<State> {
  const { confirm } = await call<Estimate>(world, 'POST', ':restore-to', { time })
  const begun = await world.send('POST', `${AT}:restore-to`, { time, confirm })
  expect([begun.status, (begun.body as State).status]).toEqual([202, 'closing'])
  return seenThrough(world)
}

/** Asked again and again, as a command line does. */
async function seenThrough(world: Deployment): Promise<State> {
  for (let i = 0; i < 40; i++) {
    world.clock.ahead += 5000
    const { status, body } = await world.send('GET', `${AT}/restore-to`)
    if (status < 300 && (body as State).status === 'restored') return body
    await world.ring(2)
  }
  return expect.fail('it does not end')
}

async function holds(
  world: Deployment,
  uid: string,
  then: { lines: readonly string[]; version: number },
  database = 'DATA_0',
): Promise<void> {
  const documents = ['d0', 'd1', 'd3', 'd4', 'd5']
  const listed = await call<{ data: { document: string; access: string[] }[] }>(world, 'GET', '/documents')
  expect(listed.data.map(({ document }) => document)).toEqual(documents)
  expect(listed.data.find(({ document }) => document === 'd3')?.access).toEqual(['group:crew'])
  const lines = linesOf(world, uid)
  expect(lines.filter((line) => line.includes(FORGOTTEN) || line.includes('lighthouse'))).toEqual([])
  expect(lines.every((line) => then.lines.includes(line) || !line.includes('"d1"'))).toBe(true)
  // Both sinks hold what the object holds, and nothing else.
  const rows = (table: string): string[] =>
    (world.databases[database] as Db)
      .prepare(`SELECT * FROM "${table}" WHERE uid = ?`)
      .all(uid)
      .map((row) => JSON.stringify(row))
  expect(rows('document').length).toBe(documents.length)
  expect([...rows('document'), ...rows('chunk'), ...rows('node')].filter((row) => /quicksilver|lighthouse/.test(row))).toEqual([])
  const chunks = (world.objectRows(uid) as Db).prepare('SELECT id FROM chunk').all().length
  expect(rows('chunk').length).toBe(chunks)
  const health = await call<{ outbox: { entries: number } }>(world, 'GET', '/health')
  expect(health.outbox.entries).toBe(0)
}

const vectorsOf = (world: Deployment, uid: string): string[] =>
  [...world.index.rows.values()]
    .filter((one) => one.namespace === uid && !one.id.endsWith(':mark'))
    .map(({ id }) => id)
    .sort()

describe('a corpus restored to a moment', () => {
  it('[J930] is estimated first: which version it was, what would be lost, what stays deleted; nothing is changed', async () => {
    const world = deployment()
    const then = await prepared(world)
    await since(world)
    const found = await call<Estimate>(world, 'POST', ':restore-to', { time: then.time })
    expect(found).toMatchObject({ status: 'estimate', version_then: then.version, kept: { deleted: 1, access: 1 } })
    expect([found.lost.commits, found.lost.documents]).toEqual([found.version - then.version, 2])
    expect(found.lost.actions).toMatchObject({ 'document.delete': 1, 'document.put': 2 })
    expect((await call<{ version: number; status: string }>(world, 'GET', '')).status).toBe('settled')
    // What was estimated of another state, or for another time, is not carried out.
    await call(world, 'PUT', '/documents/later', { text: text(5) })
    for (const [time, confirm] of [
      [then.time, found.confirm],
      [then.time, 'x'],
      [new Date(Date.parse(then.time) + 1).toISOString(), found.confirm],
    ])
      expect((await world.send('POST', `${AT}:restore-to`, { time, confirm })).status).toBe(409)
    const outside = async (time: string) =>
      ((await world.send('POST', `${AT}:restore-to`, { time })).body as { errors: { path: string; message: string }[] }).errors[0]
    expect(await outside(new Date(Date.now() + MINUTE).toISOString())).toMatchObject({
      path: 'time',
      message: expect.stringContaining('in the future'),
    })
    expect(await outside(new Date(Date.now() - 31 * 1440 * MINUTE).toISOString())).toMatchObject({
      message: expect.stringContaining('30 days'),
    })
    expect(await outside(new Date(Date.parse(then.time) - 1440 * MINUTE).toISOString())).toMatchObject({
      message: expect.stringContaining('before the corpus was created'),
    })
  })

  it('[J931] where the platform remembers nothing, as on a local machine, is 409 and nothing is closed', async () => {
    const world = deployment()
    await call(world, 'PUT', '', { strategies: [] })
    await call(world, 'PUT', '/documents/a', { text: 'A bridge.' })
    await world.ring()
    const said = await world.send('POST', `${AT}:restore-to`, { time: new Date(Date.now()).toISOString() })
    expect([said.status, (said.body as { code: string }).code]).toEqual([409, 'point_in_time_unavailable'])
    expect((await world.send('GET', `${AT}/restore-to`)).status).toBe(404)
    expect((await call<{ status: string }>(world, 'GET', '')).status).toBe('settled')
  })

  it('[J932] is as it was, but for what was deleted and relabelled since; log, ledger and endpoints stay; its version is new', async () => {
    const world = deployment()
    const then = await prepared(world)
    await since(world)
    const at = async () => ({
      view: await call<{ version: number; usage: object }>(world, 'GET', ''),
      receipts: (await call<{ data: { version: number; hash: string }[] }>(world, 'GET', '/receipts?limit=200')).data,
      audit: (await call<{ data: { action: string; at: string }[] }>(world, 'GET', '/audit?limit=200')).data,
    })
    const was = await at()
    const state = await setBack(world, then.time)
    expect(state.version_before).toBe(was.view.version)
    expect(state.version).toBeGreaterThan(was.view.version)
    await world.ring()
    await holds(world, then.uid, then)
    const now = await at()
    expect(now.view.usage).toEqual(was.view.usage)
    expect(now.receipts.slice(0, was.receipts.length)).toEqual(was.receipts)
    expect(now.receipts.map(({ version }) => version)).toEqual([...now.receipts.keys()].map((i) => i + 1))
    expect(now.audit.slice(-was.audit.length)).toEqual(was.audit)
    expect(now.audit.map(({ action }) => action)).toContain('corpus.restore')
    expect((await call<{ data: unknown[] }>(world, 'GET', '/endpoints')).data).toEqual([])
    expect((await call<{ data: unknown[] }>(world, 'GET', '/query-log')).data).toEqual([])
    const found = await call<{ evidence: { document: string }[] }>(world, 'POST', '/search', { query: FORGOTTEN, strategy: 'keyword' })
    expect(found.evidence.map(({ document }) => document)).not.toContain('d2')
    // It lives on, and nothing of the recovery is left in the catalogue.
    await call(world, 'PUT', '/documents/after', { text: text(41) })
    await world.ring()
    const { version } = await call<{ version: number }>(world, 'GET', '')
    expect(version).toBeGreaterThan(now.view.version)
    expect((world.databases.DB as Db).prepare('SELECT * FROM recovery_part').all()).toEqual([])
    expect((world.databases.DB as Db).prepare('SELECT step FROM recovery').all()).toEqual([{ step: 'done' }])
  })

  it('[J2170] one with stores of its own is set back in these, and nothing of it goes to those that are shared', async () => {
    const world = deployment({ hasDedicated: true })
    const then = await prepared(world, { dedicated: true })
    await since(world)
    await setBack(world, then.time)
    await world.ring()
    await holds(world, then.uid, then, 'DEDICATED_0')
    expect(vectorsOf(world, then.uid).length).toBeGreaterThan(0)
    expect(world.common.rows.size).toBe(0)
    for (const name of ['DB', 'DATA_0'])
      expect((world.databases[name] as Db).prepare('SELECT 1 FROM document UNION ALL SELECT 1 FROM chunk').all(), name).toEqual([])
    expect(await call<{ dedicated: boolean }>(world, 'GET', '')).toMatchObject({ dedicated: true, status: 'settled' })
  })

  it('[J933] the vector index and the database hold what a corpus holds that was only ever told this', async () => {
    const world = deployment()
    const then = await prepared(world)
    await since(world)
    await setBack(world, then.time)
    await world.ring()
    const twin = deployment()
    const other = await prepared(twin)
    await call(twin, 'DELETE', '/documents/d2')
    await call(twin, 'PATCH', '/documents/d3', { access: ['group:crew'] })
    await twin.ring()
    expect(linesOf(world, then.uid)).toEqual(linesOf(twin, other.uid))
    expect(vectorsOf(world, then.uid).map((id) => id.replace(then.uid, ''))).toEqual(
      vectorsOf(twin, other.uid).map((id) => id.replace(other.uid, '')),
    )
  })

  it('[J934] from the confirmation to the end it answers nobody, whatever its object woke as; reads of any version wait or are told', async () => {
    const world = deployment()
    const then = await prepared(world)
    await since(world)
    const { confirm, version } = await call<Estimate>(world, 'POST', ':restore-to', { time: then.time })
    await world.send('POST', `${AT}:restore-to`, { time: then.time, confirm })
    const asked: unknown[] = []
    for (let i = 0; i < 12; i++) {
      world.clock.ahead += 5000
      const said = await world.send('POST', `${AT}/search`, { query: FORGOTTEN, strategy: 'keyword' })
      if (said.status === 200) expect((said.body as { version: number }).version).toBeGreaterThan(version)
      else asked.push([said.status, (said.body as { code: string }).code])
      expect(JSON.stringify(said.body)).not.toContain('"d2"')
      await world.send('GET', `${AT}/restore-to`)
    }
    expect(asked.length).toBeGreaterThan(3)
    expect(new Set(asked.map(String))).toEqual(new Set(['409,restoring']))
    expect((await world.send('POST', `${AT}:restore-to`, { time: then.time })).status).toBe(200)
  })

  it('[J935] an object that wakes by its alarm as it was then does nothing of what it was about to do then', async () => {
    const world = deployment()
    const then = await prepared(world)
    await since(world)
    const { confirm } = await call<Estimate>(world, 'POST', ':restore-to', { time: then.time })
    await world.send('POST', `${AT}:restore-to`, { time: then.time, confirm })
    world.clock.ahead += MINUTE
    await world.send('GET', `${AT}/restore-to`) // its life ends here
    await world.object(then.uid).alarm()
    expect((await world.send('GET', `${AT}/restore-to`)).body).toMatchObject({ status: expect.stringMatching(/replaying|restored/) })
    await seenThrough(world)
    await world.ring()
    await holds(world, then.uid, then)
  })

  it('[J936] whatever dies at any call to any store, it goes on there and comes to the same', async () => {
    const throws = dice(936)
    const wanted: string[][] = []
    for (const how of ['before', 'after', 'refused'] as const satisfies readonly Doom['how'][]) {
      for (let at = 1 + throws(3); at <= SPAN; at += SPREAD + throws(SPREAD)) {
        const world = deployment()
        const then = await prepared(world)
        await since(world)
        const { confirm, version } = await call<Estimate>(world, 'POST', ':restore-to', { time: then.time })
        world.doom({ at, how })
        let isDone = false
        for (let i = 0; i < 60 && !isDone; i++) {
          const said =
            i === 0
              ? await world.send('POST', `${AT}:restore-to`, { time: then.time, confirm }).catch(() => undefined)
              : await world.send('GET', `${AT}/restore-to`).catch(() => undefined)
          if (world.dead()) world.restart()
          if (said?.status === 404) await world.send('POST', `${AT}:restore-to`, { time: then.time, confirm })
          world.clock.ahead += 7000
          isDone = (said?.body as State | undefined)?.status === 'restored'
          const leak = await world.send('POST', `${AT}/search`, { query: FORGOTTEN, strategy: 'keyword' }).catch(() => undefined)
          if (world.dead()) world.restart()
          if (leak?.status === 200) {
            const { version: of, evidence } = leak.body as { version: number; evidence: { document: string }[] }
            expect([how, at, of >= version, evidence.some(({ document }) => document === 'd2')]).toEqual([how, at, true, false])
          }
          await world.ring(2).catch(() => undefined)
          if (world.dead()) world.restart()
          if (i % 5 === 4) await world.cron().catch(() => undefined)
        }
        expect([how, at, isDone]).toEqual([how, at, true])
        world.doom({ at: 0, how })
        await world.ring()
        await holds(world, then.uid, then)
        wanted.push(linesOf(world, then.uid))
        expect([how, at, wanted.at(-1)]).toEqual([how, at, wanted[0]])
      }
    }
    expect(wanted.length).toBeGreaterThan(8)
  })
})
