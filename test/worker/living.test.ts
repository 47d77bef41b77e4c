/** Living corpora with everything real behind them but the models: events are taken once, what is deleted is nowhere. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { vectorize } from '../../src/adapters/vectorize'
import { passageId } from '../../src/core/ids'
import { optionalStrategies, strategies } from '../../src/core/strategies/registry'
import { indexed } from './corpora'
import { app, call, corpus, succeeded } from './living'
import { eventually } from './waiting'

async function send(hook: { url: string; secret: string }, id: string, event: unknown, tamper = (body: string) => body) {
  const body = JSON.stringify(event)
  const now = new Date()
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(hook.secret).sign(id, now, body),
  }
  const response = await app.fetch(hook.url, { method: 'POST', headers, body: tamper(body) })
  return { status: response.status, body: (await response.json()) as { job?: string; status?: string; code?: string } }
}

describe('webhooks', () => {
  it('[V8] an event is taken in once, however often and however close together it arrives', async () => {
    const base = await corpus({ strategies: [] })
    const { body: hook } = await call('POST', `${base}/hooks`, { preset: 'standard' })
    const all = await Promise.all(Array.from({ length: 50 }, () => send(hook, 'msg_1', { id: 'a', text: 'A heron waits.' })))
    const statuses = all.map((one) => one.status).sort()
    expect(statuses).toEqual([...Array(49).fill(200), 202])
    expect(new Set(all.filter((one) => one.status === 200).map((one) => one.body.status))).toEqual(new Set(['duplicate']))
    expect(new Set(all.map((one) => one.body.job)).size).toBe(1)
    await succeeded(base, all.find((one) => one.status === 202)?.body.job ?? '')
    // Later events stand, whatever comes again.
    const removed = await send(hook, 'msg_2', { id: 'a', deleted: true })
    await succeeded(base, removed.body.job ?? '')
    expect((await send(hook, 'msg_1', { id: 'a', text: 'A heron waits.' })).body.status).toBe('duplicate')
    expect((await call('GET', `${base}/documents/a`)).status).toBe(404)
    expect((await call('GET', `${base}/jobs`)).body.data).toHaveLength(2)
  })

  it('[V1] in workerd too: what was altered is 401 and changes nothing', async () => {
    const base = await corpus({ strategies: [] })
    const { body: hook } = await call('POST', `${base}/hooks`, { preset: 'generic' })
    for (const tamper of [
      (body: string) => `${body} `,
      (body: string) => body.slice(1),
      (body: string) => body.replace('heron', 'crane'),
    ]) {
      const { status, body } = await send(hook, 'msg_1', { id: 'a', text: 'A heron waits.' }, tamper)
      expect([status, body.code]).toEqual([401, 'signature_invalid'])
    }
    expect((await call('GET', `${base}/documents`)).body.data).toEqual([])
  })

  it('[V8] a webhook is deleted with its corpus, its secrets included', async () => {
    const base = await corpus({ strategies: [] })
    const { body: hook } = await call('POST', `${base}/hooks`, { preset: 'standard' })
    const deleted = await call('DELETE', base)
    expect(deleted.status).toBe(202)
    expect((await send(hook, 'msg_1', { id: 'a', text: 'Too late.' })).body.code).toBe('hook_not_found')
    const { DB } = env as unknown as { DB: D1Database }
    // Until the corpus is cleared away its hooks could come back with it.
    await eventually('the corpus to be cleared away', async () => {
      await indexed()
      return (await call('GET', `${base}/jobs/${deleted.body.job}`)).body.status === 'succeeded' || undefined
    })
    expect(await DB.prepare('SELECT count(*) AS n FROM hook WHERE id = ?').bind(hook.hook).first('n')).toBe(0)
  })
})

describe('true forgetting', () => {
  const logged: string[] = []
  beforeEach(() => {
    for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      vi.spyOn(console, level).mockImplementation((...said) => void logged.push(said.map(String).join(' ')))
    }
  })
  afterEach(() => void vi.restoreAllMocks())

  it('[V10] a word in 30 of 300 documents, deleted: no row of any store, no log and no answer holds it', async () => {
    const all = optionalStrategies.filter((name) => strategies.has(name))
    const base = await corpus({ strategies: all })
    const { body: hook } = await call('POST', `${base}/hooks`, { preset: 'standard' })
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      logged.push(`called: ${String(input)} ${init?.body ? await new Response(init.body).text() : ''}`)
      return Response.json({ Status: 0, Answer: [{ type: 1, data: '93.184.216.34' }] })
    })
    const { body: endpoint } = await call('POST', `${base}/endpoints`, { url: 'https://forgetful.example/in' })
    const name = base.split('/').at(-1) ?? ''
    const { DB, DATA_0, CORPUS } = env as unknown as { DB: D1Database; DATA_0: D1Database; CORPUS: DurableObjectNamespace }
    const uid = (await DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(name).first<string>('uid')) ?? ''
    const stub = CORPUS.getByName(uid)
    const everywhere = async () => [
      ...(await workflowsWith(uid)),
      ...(await runInDurableObject(stub, (_object, state) => rowsWith(state.storage.sql))),
      ...(await databaseRowsWith(DB)),
      ...(await databaseRowsWith(DATA_0)),
      ...logged.filter((line) => CANARY.test(line)).map((line) => `log: ${line.slice(0, 80)}`),
    ]
    const first = await call('POST', `${base}/documents:batch`, { upserts: pages(0, 299) }, { 'idempotency-key': 'the whole batch' })
    await succeeded(base, first.body.job)
    const event = await send(hook, `msg ${WORD}`.replace(' ', '_'), pages(299, 300)[0])
    await succeeded(base, event.body.job ?? '')
    const before = await everywhere()
    // The proof is worth something only if the word was in many places.
    const places = new Set(before.map((one) => one.split(':')[0]))
    expect([places.has('revision'), places.has('D1 chunk'), places.has('D1 document'), places.size > 5]).toEqual([true, true, true, true])
    const vectors = await vectorIds(DATA_0, uid)
    const ids = pages(0, 300)
      .filter(({ text }) => CANARY.test(text))
      .map(({ id }) => id)
    expect(ids).toHaveLength(30)
    await indexed()
    expect((await shown(uid, vectors.doomed)).length).toBe(vectors.doomed.length)
    for (const id of ids.slice(0, 3)) await succeeded(base, (await call('DELETE', `${base}/documents/${id}`)).body.job)
    await succeeded(base, (await call('POST', `${base}/documents:batch`, { deletes: ids.slice(3) })).body.job)
    expect(await everywhere()).toEqual([])
    await indexed()
    const index = await shown(uid, [...vectors.kept, ...vectors.doomed])
    expect([index.length > 270, CANARY.test(JSON.stringify(index)), index.filter(({ id }) => vectors.doomed.includes(id))]).toEqual([
      true,
      false,
      [],
    ])
    for (const strategy of ['keyword', 'vector', 'hybrid', 'auto', 'erarag', 'cluerag', 'ketrag', 'archrag'].filter(
      (one) => !optionalStrategies.includes(one as never) || all.includes(one as never),
    )) {
      const { status, body } = await call('POST', `${base}/search`, { query: `What did ${WORD} Hall report?`, strategy, top_k: 50 })
      expect([strategy, status, CANARY.test(JSON.stringify(body))]).toEqual([strategy, 200, false])
    }
    const { body: said } = await call('POST', `${base}/query`, { query: 'Who reported on the hall?' })
    expect(CANARY.test(JSON.stringify(said))).toBe(false)
    for (const path of [
      'export?format=jsonl',
      'export?format=graphml',
      'receipts?limit=200',
      'health',
      'usage?limit=200',
      `entities?q=${WORD.slice(0, 6)}`,
      'jobs',
      'documents?limit=200',
      'segments',
      'communities',
      `endpoints/${endpoint.endpoint}/deliveries?limit=200`,
    ]) {
      expect([path, CANARY.test((await call('GET', `${base}/${path}`)).text)]).toEqual([path, false])
    }
    expect(logged.filter((line) => line.startsWith('called: https://forgetful.example')).length).toBeGreaterThan(0)
    await call('DELETE', `${base}/endpoints/${endpoint.endpoint}`) // nobody is called once the test is over
  })
})

/** Every instance of the Workflow that may have worked for the corpus: its parameters, steps, output and error. */
async function workflowsWith(uid: string): Promise<string[]> {
  const { INGEST, CORPUS } = env as unknown as { INGEST: Workflow; CORPUS: DurableObjectNamespace }
  const counters = await runInDurableObject(CORPUS.getByName(uid), (_object, state) =>
    state.storage.sql.exec<{ key: string; value: string }>(`SELECT key, value FROM meta WHERE key IN ('accepted', 'attempt')`).toArray(),
  )
  const [accepted = 0, attempts = 0] = ['accepted', 'attempt'].map((name) => Number(counters.find(({ key }) => key === name)?.value ?? 0))
  const status = async (id: string) => {
    const one = await INGEST.get(id).catch(() => null)
    return one && JSON.stringify(await one.status())
  }
  // An instance is named for what had been accepted when it was made: never less than at the attempt before.
  const states: string[] = []
  for (let [attempt, from] = [1, 0]; attempt <= attempts; attempt++) {
    for (let had = from; had <= accepted; had++) {
      const found = await status(`${uid}-${had}-${attempt}`)
      if (found === null) continue
      states.push(found)
      from = had
      break
    }
  }
  expect(states.length).toBeGreaterThanOrEqual(1)
  return states.filter((text) => CANARY.test(text))
}

const WORD = 'Zyxwvutqux'
const CANARY = /yxwvut/i // its first letter may be shared with the term before it in an index
const TOPICS = ['herons', 'glaciers', 'looms', 'violins', 'harbours', 'beehives']

/** Every tenth speaks of the word in its text, title, address and metadata. */
function pages(from: number, to: number) {
  return Array.from({ length: to - from }, (_, i) => {
    const n = from + i
    const marked = n % 10 === 9
    const text = `Report ${n} describes ${TOPICS[n % 6]} near Lake Arbor${n % 40}. Anna Berg counted ${n} of them in ${marked ? `${WORD} Hall` : 'Port Ellis'}.`
    const more = marked ? { title: `On ${WORD} Hall`, url: `https://x.test/${WORD}`, metadata: { place: WORD } } : { title: `Report ${n}` }
    return { id: `d${n}`, text: marked ? `${text} ${WORD} Hall differs from Port Ellis.` : text, ...more }
  })
}

/** Every value of every table, shadow tables of the full-text index included, as text and as bytes. */
function rowsWith(sql: SqlStorage): string[] {
  const tables = sql
    .exec<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`)
    .toArray()
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('_cf_'))
  expect(tables.some((name) => name.endsWith('_data'))).toBe(true)
  return tables.flatMap((name) => found(name, sql.exec(`SELECT * FROM "${name}"`).toArray()))
}

async function databaseRowsWith(db: D1Database): Promise<string[]> {
  const { results } = await db
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%_cf_%'`)
    .all<{ name: string }>()
  const all = await Promise.all(
    results.map(async ({ name }) => found(`D1 ${name}`, (await db.prepare(`SELECT * FROM "${name}"`).all()).results)),
  )
  return all.flat()
}

/** Ids under which the index may know something of the corpus: passages of marked documents, and all the rest. */
async function vectorIds(db: D1Database, uid: string): Promise<{ readonly kept: string[]; readonly doomed: string[] }> {
  const chunks = await db.prepare('SELECT id, text FROM chunk WHERE uid = ?').bind(uid).all<{ id: string; text: string }>()
  const nodes = await db.prepare('SELECT id FROM node WHERE uid = ?').bind(uid).all<{ id: string }>()
  const passages = (marked: boolean) => chunks.results.filter(({ text }) => CANARY.test(text) === marked).map(({ id }) => passageId(id, 0))
  return { kept: [...passages(false), ...nodes.results.map(({ id }) => id)], doomed: passages(true) }
}

/** What the index shows of a corpus. */
async function shown(uid: string, ids: readonly string[]): Promise<readonly { readonly id: string }[]> {
  const { VECTORIZE } = env as unknown as { VECTORIZE: Parameters<typeof vectorize>[0] }
  return vectorize(VECTORIZE).fetch(uid, ids)
}

function found(table: string, rows: readonly object[]): string[] {
  const texts = rows.flatMap((row) => Object.values(row)).map((value) => (typeof value === 'string' ? value : bytesAsText(value)))
  return texts.filter((text) => CANARY.test(text)).map((text) => `${table}: ${text.slice(0, 80)}`)
}

function bytesAsText(value: unknown): string {
  if (value instanceof ArrayBuffer) return new TextDecoder('latin1').decode(value)
  return Array.isArray(value) ? new TextDecoder('latin1').decode(Uint8Array.from(value)) : String(value)
}
