/** A backup: everything of a corpus, into another deployment with keys of its own, broken off anywhere, and refused where it was altered. */
import { createHash } from 'node:crypto'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { DERIVED_TABLES, KEPT, LEFT_TABLES, LEFT_VALUES } from '../../../durable-objects/corpus/backup/tables'
import { metaKeys } from '../../../durable-objects/corpus/tables/meta'
import * as catalogueTables from '../../../src/adapters/catalogue/schema'
import * as readModelTables from '../../../src/adapters/read-model/schema'
import { pdf, shown } from '../http/pdf-bytes'
import { type Deployment, deployment } from './deployment'

const AT = '/v1/corpora/manuals'
const COPY = '/v1/corpora/copy'

/** What becomes of D1's tables: kept in a backup, made again, or left out, and why. */
const D1_TABLES: { readonly [table: string]: string } = {
  corpus: 'kept: the head of a backup has it, without uid, name and place',
  recovery: 'left out: how a corpus of this deployment was set back to a moment',
  recovery_part: 'as `recovery`; it is empty but while one is set back',
  hook: 'kept, without its secrets and under another address',
  access_key: 'left out: keys belong to a deployment, and a copy elsewhere must not be opened by them',
  key_grant: 'left out, as keys',
  audit: 'left out: the log of the deployment, not of a corpus',
  idempotency: 'left out: answers to repeated requests, for a day',
  watch: 'derived',
  reseal: 'left out: of the deployment',
  bucket_route: 'made again: a source says so at its next listing',
  published: 'derived',
  document: 'derived',
  chunk: 'derived',
  node: 'derived',
  edge: 'derived',
}

interface Db {
  prepare(sql: string): { all(...bindings: unknown[]): { [column: string]: unknown }[] }
}

const rowsOf = (db: Db, table: string): string[] =>
  db
    .prepare(`SELECT * FROM "${table}"`)
    .all()
    .map((row) => JSON.stringify(row, (_, value) => (value instanceof Uint8Array ? [...value] : value)))
    .sort()

async function filled(world: Deployment): Promise<string> {
  const call = async (method: string, at: string, body?: unknown): Promise<never> => {
    const { status, body: said } = await world.send(method, `${AT}${at}`, body)
    expect([status < 300, method, at, said]).toEqual([true, method, at, said])
    return said
  }
  await call('PUT', '', {
    strategies: ['erarag', 'cluerag', 'archrag', 'gorag'],
    budget: { tokens: 9_000_000 },
    audit: { days: 30 },
    settings: { chunk_tokens: 300, chunk_overlap: 0 },
  })
  const file = {
    content_base64: Buffer.from(pdf([shown('Anna Berg saw a heron near Port Ellis.')])).toString('base64'),
    content_type: 'application/pdf',
  }
  const upserts = Array.from({ length: 9 }, (_, i) => ({
    id: `d/${i}`,
    ...(i === 7 ? file : { text: `Anna Berg saw heron ${i} near Port Ellis — naïve \u{1F426}. Karl Stone paints ${i * 7} boats.` }),
    title: `Letter ${i}`,
    url: `https://letters.example/${i}`,
    metadata: { place: 'Port Ellis', n: i },
    outline: [{ start: 0, heading: 'Morning' }],
    published_at: '2024-05-01',
    ...(i % 2 ? { access: ['group:crew'] } : {}),
    ...(i === 2 ? { graph: { entities: [{ name: 'Port Ellis', type: 'place', description: 'A harbour.' }] } } : {}),
  }))
  await call('POST', '/documents:batch', { upserts })
  await call('POST', '/endpoints', { url: 'https://events.example/hook' })
  await call('POST', '/sources', { url: 'https://pages.example/page', every: '1h', document: 'd/page' })
  await call('POST', '/hooks', { preset: 'generic', mapping: { id: '/no', text: '/text' } })
  await call('PUT', '/probes', { probes: [{ query: 'Who paints boats?', expect: ['d/1'] }] })
  await call('PUT', '/labels/letters', { description: 'Letters', examples: ['Dear Karl, the heron is back.'] })
  await world.ring()
  const entityOf = async (name: string) => ((await call('GET', `/entities?q=${name}`)) as { data: { id: string }[] }).data[0]?.id ?? 'none'
  await call('POST', `/entities/${await entityOf('anna')}:merge`, { with: await entityOf('karl') })
  await call('DELETE', '/documents/d%2F3')
  await call('PATCH', '/documents/d%2F5', { active: false })
  await world.ring()
  expect(((await call('GET', '')) as { status: string }).status).toBe('settled')
  const [uid = ''] = world.uids()
  return uid
}

/** Every part, as the service gives them. */
async function partsOf(world: Deployment, at = AT): Promise<string[]> {
  const parts: string[] = []
  for (let cursor = ''; ; ) {
    const response = await world.request('GET', `${at}/backup${cursor && `?cursor=${cursor}`}`)
    const text = await response.text()
    expect([response.status, text.length > 0 && text.slice(0, 300)]).toEqual([200, text.slice(0, 300)])
    parts.push(text)
    const last = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as { type: string; cursor?: string }
    if (last.type === 'end') return parts
    cursor = last.cursor ?? expect.fail('no cursor')
  }
}

/** The same rows in parts of so many lines, as a corpus with more in it would come. */
function cut(whole: string, lines: number): string[] {
  const all = whole.trimEnd().split('\n')
  const [head = '', end = ''] = [all[0], all.at(-1)]
  const { backup } = JSON.parse(head) as { backup: string }
  const parts: string[] = []
  let before = ''
  let table = ''
  const rows = all.slice(1, -1)
  for (let at = 0; at < rows.length; at += lines) {
    const some = rows.slice(at, at + lines)
    const first = parts.length === 0 ? head : JSON.stringify({ type: 'part', backup, part: parts.length + 1, before })
    const named = some[0]?.startsWith('[') ? [table] : []
    table = some.findLast((line) => line.startsWith('{')) ?? table
    const text = `${[first, ...named, ...some].join('\n')}\n`
    const digest = createHash('sha256').update(`${before}\n${text}`).digest('hex')
    const last = at + lines >= rows.length ? { ...JSON.parse(end), digest } : { type: 'next', digest, cursor: 'x' }
    parts.push(`${text}${JSON.stringify(last)}\n`)
    before = digest
  }
  return parts
}

interface Said {
  readonly status: string
  readonly part: number
  readonly version: number | null
  readonly state: string | null
  readonly enter_anew: readonly { kind: string; id: string; what: string }[]
}

async function restore(world: Deployment, parts: readonly string[], at = COPY): Promise<Said> {
  let said: Said | undefined
  for (const part of parts) {
    const response = await world.request('POST', `${at}:restore`, part)
    const text = await response.text()
    expect([response.status < 300, text]).toEqual([true, text])
    said = JSON.parse(text)
  }
  return said ?? expect.fail('no part')
}

const linesOf = (world: Deployment, uid: string) => [...(world.object(uid) as unknown as { lines(): Iterable<string> }).lines()].sort()
const uidOf = (world: Deployment, name: string): string =>
  String((world.databases.DB as Db).prepare('SELECT uid FROM corpus WHERE name = ?').all(name)[0]?.uid)

describe('what a backup holds', () => {
  it('[J740] every table and single value of the object, and every table of D1, is in a backup, made again, or left out for a reason', () => {
    const world = deployment()
    world.object('a')
    const db = world.objectRows('a') as Db
    const tables = db
      .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'words_%'`)
      .all()
      .map(({ name }) => String(name))
    const declared = [...KEPT.map(({ table }) => table), ...Object.keys(DERIVED_TABLES), ...Object.keys(LEFT_TABLES)]
    expect([...declared].sort()).toEqual(tables.sort())
    expect(new Set(declared).size).toBe(declared.length)
    for (const { table, key } of KEPT) {
      const own = db.prepare(`SELECT name FROM pragma_table_info('${table}') WHERE pk > 0 ORDER BY pk`).all()
      expect([table, ...own.map(({ name }) => name)]).toEqual([table, ...key])
    }
    const names = (value: object): string[] => ('name' in value ? [String(value.name)] : Object.values(value).flatMap(names))
    const values = new Set(names(metaKeys))
    expect(Object.keys(LEFT_VALUES).filter((name) => !values.has(name))).toEqual([])
    const all = { ...catalogueTables, ...readModelTables }
    const d1 = Object.values(all).flatMap((one) => (typeof one === 'object' ? [getTableConfig(one as SQLiteTable).name] : []))
    expect(Object.keys(D1_TABLES).sort()).toEqual(d1.sort())
  })
})

describe('a backup restored', () => {
  const home = deployment()
  let uid = ''
  let parts: string[] = []
  beforeAll(async () => {
    uid = await filled(home)
    parts = await partsOf(home)
  })

  it('[J741] [H2070] elsewhere, under other keys, is the same corpus: rows, state, receipts, decisions, and what both indexes are sent', async () => {
    const away = deployment()
    away.secrets = { MASTER_KEY: 'another-master-key' }
    const said = await restore(away, parts)
    const view = (await home.send('GET', AT)).body as { version: number; counts: object; settings: object }
    expect([said.status, said.version, said.state]).toEqual(['restored', view.version, JSON.parse(parts[0]?.split('\n')[0] ?? '').state])
    await away.ring()
    const copy = uidOf(away, 'copy')
    expect(linesOf(away, copy)).toEqual(linesOf(home, uid))
    const changed = new Set(['meta', 'audit', 'job', 'endpoint'])
    const now = (world: Deployment, of: string) =>
      Object.fromEntries(
        KEPT.filter(({ table }) => !changed.has(table)).map(({ table }) => [table, rowsOf(world.objectRows(of) as Db, table)]),
      )
    const [mine, theirs] = [now(home, uid), now(away, copy)]
    for (const { table } of KEPT) expect([table, theirs[table]?.filter((row) => !row.includes('"touched"'))]).toEqual([table, mine[table]])
    const there = (await away.send('GET', COPY)).body as typeof view & { status: string; budget: object; strategies: object }
    const here = (await home.send('GET', AT)).body as typeof there
    for (const field of ['status', 'version', 'counts', 'settings', 'budget', 'strategies', 'usage'] as const)
      expect([field, (there as never)[field]]).toEqual([field, (here as never)[field]])
    for (const path of ['/receipts', '/probes', '/labels', '/sources', '/entities/merges', '/documents'])
      expect([path, (await away.send('GET', `${COPY}${path}`)).body]).toEqual([
        path,
        JSON.parse(JSON.stringify((await home.send('GET', `${AT}${path}`)).body).replaceAll('manuals', 'copy')),
      ])
    // The sinks hold what they hold at home, under the copy's uid.
    const rows = (world: Deployment, table: string, of: string) =>
      rowsOf(world.databases.DATA_0 as Db, table)
        .filter((row) => row.includes(of))
        .map((row) => row.replaceAll(of, 'uid').replace(/"version":\d+/, ''))
    for (const table of ['document', 'chunk', 'node', 'edge'])
      expect([table, rows(away, table, copy)]).toEqual([table, rows(home, table, uid)])
    const vectors = (world: Deployment, of: string) =>
      [...world.index.rows.values()]
        .filter((one) => one.namespace === of && !one.id.endsWith(':mark'))
        .map((one) => `${one.id.replace(of, 'uid')} ${one.values}`)
        .sort()
    expect(vectors(away, copy)).toEqual(vectors(home, uid))
    const search = async (world: Deployment, at: string) =>
      (await world.send('POST', `${at}/search`, { query: 'heron 4 boats', strategy: 'keyword' })).body as { evidence: unknown[] }
    expect((await search(away, COPY)).evidence).toEqual((await search(home, AT)).evidence)
  })

  it('[J741] goes on living: documents come and go, and its state is what the original comes to with the same changes', async () => {
    const away = deployment()
    await restore(away, parts)
    await away.ring()
    const twin = deployment()
    await restore(twin, parts)
    await twin.ring()
    for (const world of [away, twin]) {
      await world.send('PUT', `${COPY}/documents/new`, { text: 'A boat of Karl Stone sank near Port Ellis.' })
      await world.send('DELETE', `${COPY}/documents/d%2F1`)
      await world.ring()
    }
    const last = async (world: Deployment) =>
      ((await world.send('GET', `${COPY}/receipts?limit=200`)).body as { data: { state: string }[] }).data.at(-1)?.state
    expect(await last(away)).toEqual(await last(twin))
    expect(((await away.send('GET', COPY)).body as { status: string }).status).toBe('settled')
  })

  it('[J742] holds no secret, and says of which webhooks and endpoints one must be entered anew; until then they are silent', async () => {
    const whole = parts.join('')
    const sealed = [...rowsOf(home.objectRows(uid) as Db, 'endpoint'), ...rowsOf(home.databases.DB as Db, 'hook')].flatMap((row) =>
      [...row.matchAll(/sealed\\?":\\?"([^"\\]+)/g)].map(([, one = '']) => one),
    )
    expect([sealed.length, sealed.filter((one) => whole.includes(one))]).toEqual([2, []])
    const away = deployment()
    const said = await restore(away, parts)
    await away.ring()
    expect(said.enter_anew.map(({ kind, what }) => [kind, what])).toEqual([
      ['endpoint', 'https://events.example/hook'],
      ['hook', 'generic'],
    ])
    const hook = said.enter_anew[1]?.id ?? ''
    expect((await away.send('POST', `/v1/hooks/${hook}`, { no: 'a', text: 'x' })).status).toBe(401)
    expect((await away.send('POST', `${COPY}/endpoints/${said.enter_anew[0]?.id}:rotate`, {})).status).toBe(200)
    expect((await away.send('POST', `${COPY}/hooks/${hook}:rotate`, {})).status).toBe(200)
    expect(((await away.send('GET', `${COPY}/restore`)).body as Said).enter_anew).toEqual([])
  })

  it('[J743] a restore that is broken off at any call to any store goes on where it was; until all is in the corpus answers nothing', async () => {
    const pieces = cut(parts.join(''), 40)
    expect(pieces.length).toBeGreaterThan(8)
    const wanted = linesOf(home, uid)
    const away = deployment()
    away.base()
    for (const how of ['before', 'after', 'refused'] as const) {
      for (let at = 1; at < 40; at += 8) {
        away.again()
        away.doom({ at, how })
        for (const piece of pieces) {
          for (let tries = 0; ; tries++) {
            const response = await away.request('POST', `${COPY}:restore`, piece).catch(() => undefined)
            if (away.dead()) away.restart()
            if (response && response.status < 300) break
            expect([how, at, tries, tries < 3]).toEqual([how, at, tries, true])
          }
        }
        away.doom({ at: 0, how })
        await away.ring()
        expect([how, at, linesOf(away, uidOf(away, 'copy')).length]).toEqual([how, at, wanted.length])
      }
    }
    expect(linesOf(away, uidOf(away, 'copy'))).toEqual(wanted)
  })

  it('[J743] parts may come twice, and not in another order, nor of another backup', async () => {
    const pieces = cut(parts.join(''), 60)
    const away = deployment()
    const send = async (part: string) => (await away.request('POST', `${COPY}:restore`, part)).status
    const [one = '', two = '', three = ''] = pieces
    expect([await send(two), await send(one), await send(one), await send(three), await send(two), await send(one)]).toEqual([
      409, 200, 200, 409, 200, 200,
    ])
    const other = cut((await partsOf(home)).join(''), 60)
    expect(await send(other[2] ?? '')).toBe(409)
    const found = await away.send('POST', `${COPY}/search`, { query: 'heron', strategy: 'keyword' })
    const { status } = (await away.send('GET', COPY)).body as Said
    expect([found.status, (found.body as { code: string }).code, status]).toEqual([409, 'restoring', 'restoring'])
    expect((await away.send('PUT', COPY, { public: true })).status).toBe(409)
    for (const piece of pieces.slice(2)) expect(await send(piece)).toBeLessThan(300)
    expect((await away.request('POST', `${AT}:restore`, one)).status).toBe(200)
    expect((await away.send('DELETE', AT)).status).toBe(202)
    await away.ring()
    expect(away.uids().filter((of) => of.length === 32 && rowsOf(away.objectRows(of) as Db, 'chunk').length > 0)).toEqual([
      uidOf(away, 'copy'),
    ])
  })

  it('[J871] what was deleted since stays deleted, and labels stay as they are: the state is that of a corpus that was told then', async () => {
    const world = deployment()
    const from = await filled(world)
    const kept = await partsOf(world)
    world.clock.ahead += 60_000
    const put = { method: 'PUT', text: 'Karl Stone came back to Port Ellis, and paints.' }
    await world.send('DELETE', `${AT}/documents/d%2F1`)
    await world.send('PATCH', `${AT}/documents/d%2F2`, { access: ['group:board'], active: false })
    await world.send('PUT', `${AT}/documents/d%2F4`, { text: put.text, access: ['group:crew'] })
    await world.ring()
    await world.send('DELETE', `${AT}/documents/d%2F6`)
    await world.ring()
    await world.send('PUT', `${AT}/documents/d%2F6`, { text: 'Another under the same id.' })
    await world.ring()
    expect((await world.request('POST', `${COPY}:restore?replay=nobodys`, kept[0] ?? '')).status).toBe(404)
    expect(world.uids().length).toBe(1)
    for (const [i, part] of kept.entries()) {
      const told = await world.request('POST', `${COPY}:restore?replay=manuals`, part)
      const said = (await told.json()) as Said
      expect([told.status, said.status]).toEqual(i < kept.length - 1 ? [200, 'restoring'] : [202, 'restored'])
    }
    await world.ring()
    const copy = uidOf(world, 'copy')
    const documents = (await world.send('GET', `${COPY}/documents?limit=100`)).body as { data: { document: string }[] }
    expect(documents.data.map(({ document }) => document)).toEqual(['d/0', 'd/2', 'd/4', 'd/5', 'd/7', 'd/8'])
    const two = (await world.send('GET', `${COPY}/documents/d%2F2`)).body as { access: string[]; active: boolean }
    const four = (await world.send('GET', `${COPY}/documents/d%2F4`)).body as { access: string[]; text: string }
    expect([two.access, two.active, four.access, four.text.includes('heron 4')]).toEqual([['group:board'], false, ['group:crew'], true])
    // The same backup, in which the same was said when it was taken.
    const twin = deployment()
    await restore(twin, kept)
    await twin.send('PATCH', `${COPY}/documents/d%2F2`, { access: ['group:board'], active: false })
    await twin.send('PATCH', `${COPY}/documents/d%2F4`, { access: ['group:crew'] })
    for (const id of ['d%2F1', 'd%2F6']) await twin.send('DELETE', `${COPY}/documents/${id}`)
    await twin.ring()
    const state = (of: Deployment, uid: string) => (rowsOf(of.objectRows(uid) as Db, 'graph_state')[0] ?? '').match(/[0-9a-f]{64}/)?.[0]
    expect(linesOf(world, copy)).toEqual(linesOf(twin, uidOf(twin, 'copy')))
    expect(state(world, copy)).toEqual(state(twin, uidOf(twin, 'copy')))
    // [J872] as it was noted where it was accepted; who restored is who deleted
    const log = (uid: string) => rowsOf(world.objectRows(uid) as Db, 'withdrawn')
    expect(log(copy)).toEqual(log(from))
    const audit = (await world.send('GET', `${COPY}/audit?limit=4`)).body as { data: { action: string; document?: string }[] }
    expect(audit.data.map(({ action, document }) => [action, document])).toContainEqual(['document.delete', 'd/1'])
    for (const word of ['heron 1', 'heron 6'])
      expect([word, JSON.stringify(rowsOf(world.objectRows(copy) as Db, 'revision')).includes(word)]).toEqual([word, false])
  })

  it('[J870] [J871] a log that does not reach back so far is refused, and an empty one changes nothing', async () => {
    const world = deployment()
    const from = await filled(world)
    const kept = await partsOf(world)
    const db = world.objectRows(from) as unknown as { exec(sql: string): void }
    db.exec(`INSERT INTO meta (key, value) VALUES ('withdrawn/from', '${Date.now() + 60_000}')`)
    const told = await world.send('POST', `${COPY}:restore?replay=manuals`)
    expect(told.status).toBeGreaterThan(399)
    const whole = cut(kept.join(''), 1_000_000)[0] ?? ''
    const refused = await world.request('POST', `${COPY}:restore?replay=manuals`, whole)
    expect([refused.status, (await refused.text()).includes('replay')]).toEqual([422, true])
    db.exec(`DELETE FROM meta WHERE key = 'withdrawn/from'`)
    expect((await world.request('POST', `${COPY}:restore?replay=manuals`, whole)).status).toBe(202)
    await world.ring()
    expect(linesOf(world, uidOf(world, 'copy'))).toEqual(linesOf(world, from))
  })

  it('[J872] while many deletions go in by parts the corpus answers nobody, across restarts, and then all of them are gone', async () => {
    const world = deployment()
    await world.send('PUT', AT, { strategies: ['erarag'] })
    const ids = Array.from({ length: 300 }, (_, i) => `n${i}`)
    await world.send('POST', `${AT}/documents:batch`, { upserts: ids.map((id, i) => ({ id, text: `Note ${i} tells of heron ${i}.` })) })
    await world.ring()
    const kept = await partsOf(world)
    world.clock.ahead += 60_000
    await world.send('POST', `${AT}/documents:batch`, { deletes: ids.slice(0, 260) })
    await world.ring()
    let said: (Said & { readonly replaying: number }) | undefined
    for (const part of kept) said = await (await world.request('POST', `${COPY}:restore?replay=manuals`, part)).json()
    expect([said?.status, said?.replaying]).toEqual(['replaying', 260])
    const search = () => world.send('POST', `${COPY}/search`, { query: 'heron 7', strategy: 'keyword' })
    expect((await search()).status).toBe(409)
    world.restart()
    expect([(await search()).status, ((await world.send('GET', COPY)).body as Said).status]).toEqual([409, 'restoring'])
    await world.ring()
    expect([(await search()).status, ((await world.send('GET', `${COPY}/restore`)).body as Said).status]).toEqual([200, 'restored'])
    const copy = uidOf(world, 'copy')
    const left = JSON.stringify([...rowsOf(world.objectRows(copy) as Db, 'revision'), ...rowsOf(world.databases.DATA_0 as Db, 'document')])
    expect([left.includes('heron 7.'), left.includes('heron 270.')]).toEqual([false, true])
    expect(linesOf(world, copy)).toEqual(linesOf(world, world.uids()[0] ?? ''))
  })

  it('[J872] whatever dies while deletions are replayed, what was forgotten is answered to nobody', async () => {
    const world = deployment()
    await filled(world)
    const pieces = cut((await partsOf(world)).join(''), 200)
    world.clock.ahead += 60_000
    for (const id of ['d%2F1', 'd%2F6']) await world.send('DELETE', `${AT}/documents/${id}`)
    await world.ring()
    world.base()
    const seen: string[] = []
    const look = async () => {
      const found = await world.send('POST', `${COPY}/search`, { query: 'heron boats', strategy: 'keyword' }).catch(() => undefined)
      if (found && found.status < 300) seen.push(JSON.stringify(found.body))
    }
    for (const how of ['before', 'after', 'refused'] as const) {
      for (let at = 1; at < 30; at += 5) {
        world.again()
        world.clock.ahead += 60_000
        world.doom({ at, how })
        for (const piece of pieces) {
          for (let tries = 0; ; tries++) {
            const response = await world.request('POST', `${COPY}:restore?replay=manuals`, piece).catch(() => undefined)
            if (world.dead()) world.restart()
            await look()
            if (response && response.status < 300) break
            expect([how, at, tries < 3]).toEqual([how, at, true])
          }
        }
        world.doom({ at: 0, how })
        await world.ring()
        await look()
      }
    }
    expect(seen.length).toBeGreaterThan(15)
    expect(seen.filter((one) => one.includes('heron 1') || one.includes('heron 6'))).toEqual([])
  })

  it('[J744] a byte that was changed is found, and rows that were changed with their digests too', async () => {
    const away = deployment()
    const [first = ''] = parts
    const refused = async (text: string, name = 'x') => {
      const { status } = await away.request('POST', `/v1/corpora/${name}:restore`, text)
      return status
    }
    for (let at = 1; at < first.length - 1; at += Math.ceil(first.length / 60)) {
      const letter = first[at] === 'a' ? 'b' : 'a'
      expect([at, (await refused(`${first.slice(0, at)}${letter}${first.slice(at + 1)}`)) >= 400]).toEqual([at, true])
    }
    for (let to = 10; to < first.length - 1; to += Math.ceil(first.length / 40))
      expect([to, await refused(first.slice(0, to))]).toEqual([to, 422])
    // Forged throughout: the sum of the rows, the chain of receipts and the counts still tell.
    const forged = (from: string, to: string) => cut(parts.join('').replace(from, to), 1_000_000)[0] ?? ''
    expect(await refused(forged('saw heron 4', 'saw heron 9'), 'forged-a')).toBe(409)
    expect(await refused(forged('\\"touched\\":{\\"chunks\\":', '\\"touched\\":{\\"chunks\\":1'), 'forged-b')).toBe(409)
    const shorter = parts.join('').split('\n')
    expect(
      await refused(
        cut(shorter.filter((line) => !line.startsWith('["d/page"') && !line.includes('"Who paints')).join('\n'), 1_000_000)[0] ?? '',
        'forged-c',
      ),
    ).toBe(409)
    expect(away.uids().filter((of) => rowsOf(away.objectRows(of) as Db, 'chunk').length > 0)).toEqual([])
  })

  it('[J745] of a newer format is refused; of an older schema is read, with the defaults of columns that came later', async () => {
    const away = deployment()
    const newer = cut(parts.join('').replace('"format":1', '"format":3'), 1_000_000)[0] ?? ''
    const told = await away.request('POST', `${COPY}:restore`, newer)
    expect([told.status, JSON.stringify(await told.json()).includes('reads up to 2')]).toEqual([422, true])
    let place = -1
    const older = parts
      .join('')
      .split('\n')
      .map((line) => {
        if (line.startsWith('{"type":"table"')) {
          const { table, columns, ...rest } = JSON.parse(line) as { table: string; columns: string[] }
          place = table === 'revision' ? columns.indexOf('dates') : -1
          return place < 0 ? line : JSON.stringify({ ...rest, table, columns: columns.toSpliced(place, 1) })
        }
        return place >= 0 && line.startsWith('[') ? JSON.stringify((JSON.parse(line) as unknown[]).toSpliced(place, 1)) : line
      })
    const said = await restore(away, cut(older.join('\n'), 1_000_000))
    expect(said.status).toBe('restored')
    expect(rowsOf(away.objectRows(uidOf(away, 'copy')) as Db, 'revision').every((row) => row.includes('"dates":"{}"'))).toBe(true)
  })

  it('[J746] another embedding model, a name that is taken, and a key that may not are refused, each with its reason', async () => {
    const away = deployment()
    const alien = cut(parts.join('').replace('"model":"letters"', '"model":"others"'), 1_000_000)[0] ?? ''
    const told = (await (await away.request('POST', `${COPY}:restore`, alien)).json()) as { code: string; detail: string }
    expect([told.code, told.detail.includes('others'), JSON.stringify(told)]).toEqual(['embedding_mismatch', true, JSON.stringify(told)])
    await away.send('PUT', COPY, {})
    await away.send('PUT', `${COPY}/documents/a`, { text: 'Here already.' })
    await away.ring()
    expect((await away.request('POST', `${COPY}:restore`, parts[0] ?? '')).status).toBe(409)
    const key = (await home.send('POST', '/v1/keys', { name: 'r', scopes: ['read', 'write'], corpora: ['manuals'] })).body as {
      key: string
    }
    expect([
      (await home.send('GET', `${AT}/backup`, undefined, key.key)).status,
      (await home.send('GET', `${AT}/backup?cursor=e30`)).status,
    ]).toEqual([403, 422])
  })

  it('[J1604] of a corpus with replicas is restored where there can be none, and then has none', async () => {
    const away = deployment()
    const head = '"replicas":{"count":0,"least":null,"locations":[]}'
    expect(parts.join('')).toContain(head)
    const followed = parts.join('').replace(head, '"replicas":{"count":2,"locations":["weur"]}')
    expect((await restore(away, cut(followed, 1_000_000))).status).toBe('restored')
    const { settings } = (await away.send('GET', COPY)).body as { settings: { replicas: unknown } }
    expect(settings.replicas).toEqual({ count: 0, least: null, locations: ['weur'] })
  })

  it('[J747] of a corpus that changes between two parts is begun anew; one that is being worked on is asked again later', async () => {
    const world = deployment()
    await filled(world)
    const cursor = () => {
      const [uid = ''] = world.uids()
      const place = { table: 'chunk', after: [] }
      return { uid, backup: 'b', part: 2, before: '', place, rows: {} }
    }
    const page = await world.object(world.uids()[0] ?? '').backupPage(null)
    const mark = page.kind === 'page' ? page.mark : expect.fail(page.kind)
    const ask = async () =>
      (await world.request('GET', `${AT}/backup?cursor=${Buffer.from(JSON.stringify({ ...cursor(), mark })).toString('base64url')}`)).status
    expect(await ask()).toBe(200)
    await world.send('PUT', `${AT}/documents/late`, { text: 'Later.' })
    expect(await ask()).toBe(409)
    await world.object(world.uids()[0] ?? '').openTasks('runner', 1)
    expect(await ask()).toBe(503)
  })

  it('[J925] no part is given behind one of another version: documents, deletions, labels, switches and decisions between two parts', async () => {
    const world = deployment()
    const uid = await filled(world)
    // Anna was merged into Karl, and is listed under that name.
    const entity = async () => ((await world.send('GET', `${AT}/entities?q=karl`)).body as { data: { id: string }[] }).data[0]?.id
    const id = await entity()
    const changes: readonly (readonly [method: string, at: string, body?: unknown])[] = [
      ['PUT', '/documents/late', { text: 'Later, Anna Berg saw a gull.' }],
      ['DELETE', '/documents/d%2F7'],
      ['PATCH', '/documents/d%2F1', { access: ['group:shore'] }],
      ['PATCH', '/documents/d%2F2', { active: false }],
      ['POST', `/entities/${id}:pin`, {}],
    ]
    for (const [method, at, body] of changes) {
      await world.ring()
      const first = await world.object(uid).backupPage(null)
      const mark = first.kind === 'page' ? first.mark : expect.fail(first.kind)
      const { status } = await world.send(method, `${AT}${at}`, body)
      expect([method, at, status < 300]).toEqual([method, at, true])
      for (const settle of [false, true]) {
        if (settle) await world.ring()
        const next = await world.object(uid).backupPage({ place: { table: 'chunk', after: [] }, mark })
        expect([method, at, next.kind === 'page']).toEqual([method, at, false])
      }
    }
  })
})
