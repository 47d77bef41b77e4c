/** A backup of a corpus in partitions: all of its objects as one, and back. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { partOf } from '../../src/core/joint/part-of'
import { partitionUids } from '../../src/corpus-uid'
import { bindings } from './corpora'
import { app, bodyOf, call, corpus, succeeded } from './living'
import { eventually } from './waiting'

const PARTS = 3
const { DB } = env as unknown as { DB: D1Database }
const headers = { authorization: 'Bearer local-development-key' }

const texts = ['mill', 'heron', 'steel', 'salt', 'sail', 'reed', 'pond'].map((id) => ({
  id,
  text: `The ${id} of Countess Brant stands near Port Ellis. Nobody sold the ${id}.`,
}))

const uidOf = async (base: string) => {
  const name = base.split('/').at(-1)
  return (await DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(name).first<string>('uid')) ?? ''
}
const sqlIn = (uid: string, query: string) =>
  runInDurableObject(bindings.CORPUS.getByName(uid) as DurableObjectStub, (_object, { storage }) => storage.sql.exec(query).toArray())

async function filled(): Promise<string> {
  const base = await corpus({ partitions: PARTS, budget: { tokens: 1_000_000 } })
  await succeeded(base, (await call('POST', `${base}/documents:batch`, { upserts: texts })).body.job)
  const [entity] = (await call('GET', `${base}/entities?q=Port Ellis`)).body.data
  expect((await call('POST', `${base}/entities/${entity.id}:rename`, { name: 'Ellisport' })).body.status).toBe('done')
  await call('POST', `${base}/hooks`, { preset: 'standard' })
  await call('POST', `${base}/endpoints`, { url: 'https://first.example/in' })
  await call('PUT', `${base}/filters/wet`, { filters: { document: ['pond'] } })
  return base
}

/** Asks for a part until the corpus is at rest. */
async function partAfter(base: string, cursor: string | undefined): Promise<string> {
  return eventually('a part of the backup', async () => {
    const response = await app.fetch(`https://loam.test${base}/backup${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''}`, { headers })
    if (response.status === 503) return void (await response.arrayBuffer())
    expect([response.status, cursor === undefined]).toEqual([200, cursor === undefined])
    return bodyOf(response)
  })
}
const lastOf = (part: string): { type: string; cursor?: string } => JSON.parse(part.trimEnd().split('\n').at(-1) ?? '')

async function backup(base: string): Promise<readonly string[]> {
  const parts: string[] = []
  for (let cursor: string | undefined; ; ) {
    const part = await partAfter(base, cursor)
    parts.push(part)
    cursor = lastOf(part).cursor
    if (cursor === undefined) return parts
  }
}

let copies = 0
const copyName = () => `/v1/corpora/copied-${Date.now().toString(36)}-${copies++}`
const send = async (base: string, part: string, query = '') => {
  const init = { method: 'POST', body: part, headers: { ...headers, 'content-type': 'application/x-ndjson' } }
  const response = await app.fetch(`https://loam.test${base}:restore${query}`, init)
  return { status: response.status, body: await response.json<{ [name: string]: never }>() }
}
const restored = async (base: string, parts: readonly string[], query = '') => {
  let last: Awaited<ReturnType<typeof send>> | undefined
  for (const part of parts) last = await send(base, part, query)
  return last
}
const told = async (base: string) => {
  const { version, versions, counts, partitions } = (await call('GET', base)).body
  const heads = await Promise.all(
    Array.from({ length: PARTS }, async (_, part) => {
      const { body } = await call('GET', `${base}/receipts?limit=100&partition=${part}`)
      return body.data.at(-1)?.hash as string
    }),
  )
  const documents = (await call('GET', `${base}/documents`)).body.data.map((one: { document: string }) => one.document)
  const decisions = (await call('GET', `${base}/decisions`)).body.data
  const filters = (await call('GET', `${base}/filters`)).body.data
  const { body } = await call('POST', `${base}/search`, { query: 'Where does the heron stand?', strategy: 'keyword' })
  const evidence = body.evidence.map((one: { document: string; text: string; score: number }) => [one.document, one.text, one.score])
  return { version, versions, counts, partitions, heads, documents, decisions, filters, evidence }
}

it('[P2293] is one file with all objects at one version, and comes back as the same corpus: versions, receipts, decisions, answers', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const base = await filled()
  const parts = await backup(base)
  const head = JSON.parse(parts[0]?.split('\n')[0] ?? '')
  const before = await told(base)
  expect([head.format, head.version, head.config.partitions]).toEqual([2, before.version, PARTS])
  expect(head.partitions.map((one: { version: number }) => one.version)).toEqual(before.versions)
  expect(head.partitions.map((one: { head: string }) => one.head)).toEqual(before.heads)
  expect(parts.length).toBe(PARTS + 1)
  const copy = copyName()
  for (const [i, part] of parts.slice(0, -1).entries()) {
    const { status, body } = await send(copy, part)
    expect([status, body.status, body.part, body.version]).toEqual([200, 'restoring', i + 1, null])
    // A part that comes twice changes nothing, and until all are in, nothing is answered: not of what is complete either.
    expect((await send(copy, part)).body).toEqual(body)
    for (const path of ['/documents', `/documents/${texts[i]?.id}`, '/entities', '/decisions'])
      expect((await call('GET', `${copy}${path}`)).body.code).toBe('restoring')
    expect((await call('POST', `${copy}/search`, { query: 'heron', strategy: 'keyword' })).body.code).toBe('restoring')
    expect((await call('GET', copy)).body.status).toBe('restoring')
  }
  const last = await send(copy, parts.at(-1) ?? '')
  expect([last.status, last.body.status, last.body.version, last.body.state]).toEqual([202, 'restored', before.version, head.state])
  expect((last.body.enter_anew as unknown as { kind: string }[]).map(({ kind }) => kind)).toEqual(['endpoint', 'hook'])
  expect((await send(copy, parts.at(-1) ?? '')).body).toEqual(last.body)
  expect((await call('GET', `${copy}/restore`)).body).toEqual(last.body)
  await succeeded(copy, last.body.job ?? '')
  expect(await told(copy)).toEqual(before)
  const listed = async (of: string) =>
    (await call('GET', `${of}/entities`)).body.data.map(({ id, text }: { id: string; text: string }) => [id, text])
  expect(await listed(copy)).toEqual(await listed(base))
  // What partitions have spent counts there, too.
  const spent = async (of: string) => (await call('GET', `${of}/usage`)).body.total
  expect(await spent(copy)).toEqual(await spent(base))
  const reported = `SELECT json_array_length(value) AS n, value FROM meta WHERE key = 'reports/spent'`
  const embeddedIn = async (of: string) => {
    const [row] = await sqlIn(await uidOf(of), reported)
    return Object.entries(JSON.parse(String(row?.value ?? '{}')) as { [part: string]: { embedded: number } }).map(
      ([, { embedded }]) => embedded,
    )
  }
  const wanted = (await embeddedIn(base)).sort()
  expect(wanted.some((one) => one > 0)).toBe(true)
  await eventually('what partitions have spent', async () => (await embeddedIn(copy)).sort().join() === wanted.join() || undefined)
  // It goes on living: documents, and decisions with the next number.
  await succeeded(copy, (await call('PUT', `${copy}/documents/new`, { text: 'Port Ellis has a new quay.' })).body.job)
  const [port] = (await call('GET', `${copy}/entities?q=Ellisport`)).body.data
  expect((await call('POST', `${copy}/entities/${port.id}:pin`, {})).body).toEqual({ status: 'done', decision: 2 })
  expect((await call('GET', `${copy}/entities`)).body.data[0]).toMatchObject({ text: 'Ellisport', data: { pinned: true } })
  const entered = (await call('GET', `${copy}/audit?limit=100`)).body.data as { action: string; partition: number }[]
  expect(entered.filter(({ action }) => action === 'corpus.restore').map(({ partition }) => partition)).toContain(-1)
})

it('[P2294] a partition that fails in the middle takes the part when it comes again; what is missing, altered or of another number is refused', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const base = await filled()
  const parts = await backup(base)
  const [first = '', second = '', third = '', own = ''] = parts
  const copy = copyName()
  expect((await send(copy, second)).body.code).toBe('conflict')
  expect((await send(copy, first)).status).toBe(200)
  expect((await send(copy, third)).body.detail).toContain('part 2 is expected next')
  const [, failing = '', ending = ''] = partitionUids(await uidOf(copy))
  await sqlIn(failing, `CREATE TRIGGER failing BEFORE INSERT ON chunk BEGIN SELECT RAISE(ABORT, 'disk'); END`)
  expect((await send(copy, second)).status).toBeGreaterThanOrEqual(500)
  expect((await call('GET', `${copy}/restore`)).body).toMatchObject({ part: 1, status: 'restoring' })
  await sqlIn(failing, 'DROP TRIGGER failing')
  expect((await send(copy, second)).body.part).toBe(2)
  expect((await send(copy, own)).body.detail).toContain('part 3 is expected next')
  expect((await send(copy, third)).body.part).toBe(3)
  // One object cannot be opened: the others may be, and the last part opens the rest when it comes again.
  await sqlIn(ending, `CREATE TRIGGER failing BEFORE INSERT ON job BEGIN SELECT RAISE(ABORT, 'disk'); END`)
  expect((await send(copy, own)).status).toBeGreaterThanOrEqual(500)
  expect((await call('GET', `${copy}/restore`)).body).toMatchObject({ status: 'restoring', version: null })
  expect((await call('POST', `${copy}/search`, { query: 'heron', strategy: 'keyword' })).body.code).toBe('restoring')
  await sqlIn(ending, 'DROP TRIGGER failing')
  const done = await send(copy, own)
  expect([done.status, done.body.status]).toEqual([202, 'restored'])
  await succeeded(copy, done.body.job ?? '')
  expect((await told(copy)).heads).toEqual((await told(base)).heads)
  // Into another number of partitions, or none.
  for (const partitions of [2, 1]) {
    const other = await corpus(partitions === 1 ? {} : { partitions })
    expect([partitions, (await send(other, first)).body.code]).toEqual([partitions, 'invalid'])
  }
  const plain = await corpus({})
  await succeeded(plain, (await call('PUT', `${plain}/documents/a`, { text: 'A text.' })).body.job)
  const [of1 = ''] = await backup(plain)
  expect((await send(await corpus({ partitions: 2 }), of1)).body.code).toMatch(/conflict|invalid/)
  // Another receipt than the backup names, with every digest right.
  const head = JSON.parse(first.split('\n')[0] ?? '')
  head.partitions[0].head = 'a'.repeat(64)
  const bent = await withDigest([JSON.stringify(head), ...first.trimEnd().split('\n').slice(1)])
  expect((await send(copyName(), bent)).body.detail).toContain('the last receipt is not the one')
})

it('[P2295] all parts are of one version: a change of any object between two parts ends the backup', async () => {
  const base = await filled()
  const first = await partAfter(base, undefined)
  const { cursor } = lastOf(first)
  const id = Array.from({ length: 99 }, (_, i) => `n${i}`).find((one) => partOf(one, PARTS) === 2)
  await succeeded(base, (await call('PUT', `${base}/documents/${id}`, { text: 'Something new.' })).body.job)
  const second = await eventually('an answer', async () => {
    const { status, text } = await call('GET', `${base}/backup?cursor=${cursor}`)
    return status === 503 ? undefined : { status, text }
  })
  expect(second.status).toBe(200) // partition 1 has not changed
  const third = await call('GET', `${base}/backup?cursor=${lastOf(second.text).cursor}`)
  expect([third.status, JSON.parse(third.text).code]).toEqual([409, 'conflict'])
})

it('[P2296] what was deleted since stays deleted in every partition', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const base = await filled()
  const parts = await backup(base)
  for (const id of ['mill', 'salt']) await succeeded(base, (await call('DELETE', `${base}/documents/${id}`)).body.job)
  expect((await call('PATCH', `${base}/documents/reed`, { access: ['group:few'] })).status).toBe(200)
  const copy = copyName()
  const last = await restored(copy, parts, `?replay=${base.split('/').at(-1)}`)
  expect(last?.status).toBe(202)
  await eventually('the deletions', async () => (await call('GET', `${copy}/restore`)).body.status === 'restored' || undefined)
  const documents = (await call('GET', `${copy}/documents`)).body.data as { document: string; access?: string[] }[]
  expect(documents.map(({ document }) => document)).toEqual(['heron', 'pond', 'reed', 'sail', 'steel'])
  expect(documents.find(({ document }) => document === 'reed')?.access).toEqual(['group:few'])
})

/** The lines of a part, all but the last, with its digest as a first part has it. */
async function withDigest(lines: readonly string[]): Promise<string> {
  const [last = '{}'] = lines.slice(-1)
  const own = `${lines.slice(0, -1).join('\n')}\n`
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`\n${own}`))
  const digest = [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${own}${JSON.stringify({ ...JSON.parse(last), digest })}\n`
}

it('[P2435] the tree above those of the partitions is in no backup; the copy’s partitions report what it is made from', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const base = await corpus({ partitions: PARTS, strategies: ['erarag'], settings: { erarag: { min: 2, max: 3 } } })
  const upserts = Array.from({ length: 60 }, (_, n) => ({ id: `note-${n}`, text: `Weir ${n} was opened on day ${n} by keeper ${n % 7}.` }))
  await succeeded(base, (await call('POST', `${base}/documents:batch`, { upserts })).body.job)
  const above = async (of: string) => (await call('GET', `${of}/segments?layer=6&limit=100`)).body.data
  await eventually('the reports', async () => (await above(base)).length > 1 || undefined)
  const parts = await backup(base)
  expect(parts.join('')).not.toContain('"table":"top"')
  const copy = copyName()
  const last = await restored(copy, parts)
  await succeeded(copy, last?.body.job ?? '')
  const wanted = JSON.stringify(await above(base))
  await eventually('the reports of the copy', async () => JSON.stringify(await above(copy)) === wanted || undefined)
})
