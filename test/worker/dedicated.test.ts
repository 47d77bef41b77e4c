/** A corpus that shares no database and no index: what it writes goes there and nowhere else, by backup, migration and deletion too. */
import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { indexed } from './corpora'
import { app, call, succeeded } from './living'
import { eventually } from './waiting'

const { CORPUS } = env as unknown as { readonly CORPUS: DurableObjectNamespace }
const { DB, DATA_0, DEDICATED_0, DEDICATED_1, INDEX_0, INDEX_1, INDEX_1_PREVIOUS } = env
const TEXTS = ['The mill stands by the river Orr.', 'Otto Brandt runs the mill.', 'Bread is baked in the mill on Tuesdays.']
const run = Date.now().toString(36) // a second attempt finds nothing of the first

interface Table {
  readonly name: string
}

/** Rows of all corpora together. Of a deleted one its fence stays, which keeps out what is written late: a uid and a number. */
async function rowsOf(database: D1Database): Promise<number> {
  const { results } = await database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%uid%' AND name != 'published'")
    .all<Table>()
  const counts = results.map(({ name }) => database.prepare(`SELECT count(*) AS n FROM "${name}"`).first<number>('n'))
  return (await Promise.all(counts)).reduce<number>((sum, n) => sum + (n ?? 0), 0)
}

const vectorsOf = async (index: Vectorize): Promise<number> => ((await index.describe()) as unknown as VectorizeIndexInfo).vectorCount

/** What waits for the index, which looks ever more rarely, looks at once. */
async function lookAgain(uid: string): Promise<void> {
  await indexed()
  await runDurableObjectAlarm(CORPUS.getByName(uid))
}

/** What the pairs hold: rows of both, vectors of both, and vectors under the previous model. */
async function held(): Promise<boolean[]> {
  await indexed()
  const all = [rowsOf(DEDICATED_0), vectorsOf(INDEX_0), rowsOf(DEDICATED_1), vectorsOf(INDEX_1), vectorsOf(INDEX_1_PREVIOUS)]
  return (await Promise.all(all)).map((n) => n > 0)
}

/** Rows in the shared databases that name the corpus, but for the catalogue's own row. */
async function shared(uid: string): Promise<number> {
  const found = await Promise.all(
    [DB, DATA_0].map((database) => database.prepare('SELECT count(*) AS n FROM document WHERE uid = ?').bind(uid).first<number>('n')),
  )
  return found.reduce<number>((sum, n) => sum + (n ?? 0), 0)
}

const uidOf = async (name: string) => (await DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(name).first<string>('uid')) ?? ''
const found = async (base: string) =>
  (await call('POST', `${base}/search`, { query: 'When is bread baked?', strategy: 'hybrid', top_k: 1 })).body.evidence?.[0]?.document

it('[H1980] [H1981] a dedicated corpus lives, is backed up, restored, moved to another model and deleted in its own stores', async () => {
  const [vault, copy, third] = ['vault', 'copy', 'third'].map((name) => `${name}-${run}`) as [string, string, string]
  const base = (name: string) => `/v1/corpora/${name}`
  expect((await call('PUT', base(vault), { dedicated: true, strategies: ['erarag'] })).status).toBe(201)
  for (const [n, text] of TEXTS.entries())
    await succeeded(base(vault), (await call('PUT', `${base(vault)}/documents/d${n}`, { text, title: `Note ${n}` })).body.job)
  expect(await held()).toEqual([true, true, false, false, false])
  const uids = { vault: await uidOf(vault), copy: '' }
  expect(await shared(uids.vault)).toBe(0)
  expect(await found(base(vault))).toBe('d2')

  const backup = (await call('GET', `${base(vault)}/backup`)).text
  const headers = { authorization: 'Bearer local-development-key', 'content-type': 'application/x-ndjson' }
  const response = await app.fetch(`https://loam.test${base(copy)}:restore`, { method: 'POST', headers, body: backup })
  const restored: { readonly status: string; readonly job: string } = await response.json()
  expect([response.status, restored.status]).toEqual([202, 'restored'])
  await succeeded(base(copy), restored.job)
  expect((await call('GET', base(copy))).body.dedicated).toBe(true)
  uids.copy = await uidOf(copy)
  expect(await shared(uids.copy)).toBe(0)
  expect(await held()).toEqual([true, true, true, true, false])
  expect(await found(base(copy))).toBe('d2')
  const full = await call('PUT', base(third), { dedicated: true })
  expect([full.status, full.body.code]).toEqual([507, 'no_database'])

  const { body: move } = await call('POST', `${base(copy)}:migrate`, { embedding_model: 'hash-before' })
  await eventually('the move to the previous model', async () => {
    await lookAgain(uids.copy)
    return (await call('GET', `${base(copy)}/jobs/${move.job}`)).body.status === 'succeeded' || undefined
  })
  await eventually('the vectors of the model it has left to go', async () => {
    await lookAgain(uids.copy)
    const all = await held()
    return all[3] === false && all[4] === true ? true : undefined
  })
  expect(await found(base(copy))).toBe('d2')

  for (const [name, uid, left] of [
    [vault, uids.vault, [false, false, true, false, true]],
    [copy, uids.copy, [false, false, false, false, false]],
  ] as const) {
    const { body } = await call('DELETE', `${base(name)}`)
    await eventually(`${name} to be cleared away`, async () => {
      await lookAgain(uid)
      return (await call('GET', `${base(name)}/jobs/${body.job}`)).body.status === 'succeeded' || undefined
    })
    expect([name, await held()]).toEqual([name, left])
  }
  expect((await call('PUT', base(third), { dedicated: true })).status).toBe(201)
  expect(await uidOf(third)).toMatch(/^d00_/)
  await call('DELETE', `${base(third)}`)
})
