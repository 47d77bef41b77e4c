/** Lists for those who may read few of very many rows, over HTTP: each call looks past so many of the others, and the next goes on behind them. */
import { beforeAll, expect, it } from 'vitest'
import { lookThrough } from '../../../durable-objects/corpus/access/look-through'
import { documents as ofPartitions } from '../../../src/flows/partitions/documents'
import { usage as usageOfPartitions } from '../../../src/flows/partitions/state'
import type { CorpusObject } from '../../../src/ports/object'
import { deployment } from './deployment'

const world = deployment()
const AT = '/v1/corpora/archive'
const HIDDEN = 6000
const NUMBERS = `WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < ${HIDDEN})`
const SECRET = 'a-secret-of-others'

interface Listed {
  readonly data: readonly { readonly document: string; readonly item?: string }[]
  readonly next_cursor: string | null
}
const ADMIN = undefined // who sends without another key
let key: string | undefined

beforeAll(async () => {
  expect((await world.send('PUT', AT, {})).status).toBe(201)
  for (const id of ['mill', 'pond'])
    expect((await world.send('PUT', `${AT}/documents/${id}`, { text: `Herons wait at the ${id}.` })).status).toBe(202)
  await world.ring()
  const uid = world.uids().find((one) => world.objectRows(one).prepare(`SELECT 1 FROM revision WHERE document = 'mill'`).all().length > 0)
  const rows = world.objectRows(uid ?? '')
  rows.exec(`INSERT INTO revision (document, state, content_version, indexed_version, hash, title, name, metadata, text, placed, waiting, job, access)
    ${NUMBERS} SELECT printf('${SECRET}-%05d', i), 'live', 1, 1, 'h', '', '', '{}', '', '[]', 0, 0, '["group:others"]' FROM k`)
  rows.exec(`INSERT INTO spending (document, stage, calls, read, written, embedded, usd)
    ${NUMBERS} SELECT printf('${SECRET}-%05d', i), 'embed', 1, 0, 0, 9, 0 FROM k`)
  rows.exec(`INSERT INTO source (id, url, document, every, on_gone, metadata, created, status, state, attempts, failures, missing, due, kind)
    VALUES ('src_1', 'https://example.org/map', 'src_1', 1, 'keep', '{}', 1, 'ok', 'idle', 0, 0, 0, 9e12, 'sitemap')`)
  const item = 'INSERT INTO source_item (source, key, document, state, round, title, failures, missing)'
  rows.exec(`${item} ${NUMBERS} SELECT 'src_1', printf('${SECRET}-%05d', i), printf('${SECRET}-%05d', i), 'here', 1, '', 0, 0 FROM k`)
  rows.exec(`${item} VALUES ('src_1', 'mill', 'mill', 'here', 1, '', 1, 0), ('src_1', 'pond', 'pond', 'here', 1, '', 0, 0)`)
  const minted = await world.send('POST', '/v1/keys', { name: 'k', scopes: ['read', 'write'], corpora: ['archive'], principals: [] })
  key = (minted.body as { key: string }).key
})

async function pages(path: string, by: string | undefined): Promise<Listed[]> {
  const found: Listed[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await world.send('GET', `${AT}${path}${path.includes('?') ? '&' : '?'}limit=1&cursor=${cursor}`, undefined, by)
    expect([status, body]).toEqual([200, body])
    found.push(body as Listed)
    cursor = (body as Listed).next_cursor
  }
  return found
}
const shown = (all: readonly Listed[]) => all.map(({ data }) => data.map(({ document }) => document))
const cursorsOf = (all: readonly Listed[]) => all.flatMap(({ next_cursor }) => next_cursor ?? [])

it('[P1913] one call for documents, spending or items looks past so many rows of others: a page may hold nothing, and the next goes on behind them', async () => {
  for (const path of ['/documents', '/usage', '/sources/src_1/items'])
    expect(shown(await pages(path, key)), path).toEqual([[], ['mill'], ['pond']])
  const sums = (await pages('/usage', key)).map((one) => (one as unknown as { total: object }).total)
  expect(sums).toEqual([sums[0], sums[0], sums[0]])
})

it('[P1913] so it is with items of another status, whoever asks', async () => {
  expect(shown(await pages('/sources/src_1/items?status=failing', ADMIN))).toEqual([[], ['mill']])
})

it('[P1913] a cursor names nothing the asker may not see; altered, or taken to another list, it is none', async () => {
  const [first = ''] = cursorsOf(await pages('/documents', key))
  expect(first).toMatch(/^[\w-]+\.[\w-]+$/)
  expect(Buffer.from(first.split('.')[1] ?? '', 'base64url').toString('latin1')).not.toContain(SECRET)
  const letter = first.at(-9) === 'A' ? 'B' : 'A'
  for (const [path, cursor] of [
    ['/documents', `${first.slice(0, -9)}${letter}${first.slice(-8)}`],
    ['/documents', 'a.b'],
    ['/usage', first],
  ] as const) {
    const { status, body } = await world.send('GET', `${AT}${path}?cursor=${cursor}`, undefined, key)
    expect([status, (body as { code: string }).code], path).toEqual([422, 'invalid'])
  }
  const { body } = await world.send('GET', `${AT}/documents?limit=1`)
  expect(Buffer.from((body as Listed).next_cursor ?? '', 'base64url').toString()).toBe(`${SECRET}-00001`)
})

it('[P1913] an ontology is proposed from what the asker may read behind them', async () => {
  const { body } = await world.send('POST', `${AT}/ontology:propose`, {}, key)
  expect(body).toMatchObject({ sample: { documents: 2 } })
})

it('[P1913] no more rows are looked at than that, in steps', () => {
  const asked: number[] = []
  const all = Array.from({ length: 20_000 }, (_, i) => i)
  const list = {
    behind(place: number, limit: number) {
      asked.push(limit)
      return all.slice(place + 1, place + 1 + limit)
    },
    isShown: (row: number) => row % 4000 === 3999,
    placeOf: (row: number) => row,
  }
  expect(lookThrough(list, -1, 5)).toEqual({ rows: [3999], next: 4999 })
  expect([asked.reduce((sum, one) => sum + one), Math.max(...asked)]).toEqual([5000, 500])
  expect(lookThrough(list, 15_998, 1)).toEqual({ rows: [15_999], next: 15_999 })
  expect(lookThrough(list, 15_999, 1)).toEqual({ rows: [19_999], next: null })
  expect(lookThrough({ ...list, isShown: () => true }, -1, 2)).toEqual({ rows: [0, 1], next: 1 })
  expect(lookThrough({ ...list, isShown: () => true }, 19_997, 2)).toEqual({ rows: [19_998, 19_999], next: null })
})

it('[P1913] of a corpus in partitions a page ends where the first of them stopped', async () => {
  const HELD = [['a', 'd', 'hidden-1', 'hidden-2', 'k', '\u{10400}'], ['b', 'hidden-3', 'z'], [], ['c', 'e', 'f', '\uffee']]
  const parts = (atOnce: number) =>
    HELD.map((ids) => {
      const page = (cursor: string | null, limit: number) => {
        const behind = ids.filter((id) => cursor === null || Buffer.compare(Buffer.from(id), Buffer.from(cursor)) > 0)
        const looked = behind.slice(0, atOnce)
        const data = looked.filter((id) => !id.startsWith('hidden')).slice(0, limit)
        const last = data.length === limit ? data.at(-1) : looked.at(-1)
        return { data: data.map((document) => ({ document })), next_cursor: last === behind.at(-1) ? null : (last ?? null) }
      }
      const sums = { total: {}, stages: {}, shared: { stages: {} }, held: {}, rows_published: 0, measured: null }
      return {
        documents: async (cursor: string | null, limit: number) => page(cursor, limit),
        usage: async (cursor: string | null, limit: number) => ({ ...sums, ...page(cursor, limit) }),
      }
    }) as unknown as readonly CorpusObject[]
  for (const [limit, atOnce] of [
    [2, 9],
    [9, 1],
    [2, 1],
    [3, 2],
  ] as const) {
    const own = parts(atOnce)
    const divided = { uid: 'u', whole: own[2] as CorpusObject, parts: own }
    for (const list of [
      (at: string | null) => ofPartitions(own, at, limit),
      (at: string | null) => usageOfPartitions(divided, at, limit),
    ]) {
      const seen: string[] = []
      for (let at: string | null | undefined; at !== null; ) {
        const page: Listed = await list(at ?? null)
        expect(page.data.length).toBeLessThanOrEqual(limit)
        seen.push(...page.data.map(({ document }) => document))
        at = page.next_cursor
      }
      expect(seen, `${limit} ${atOnce}`).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'k', 'z', '\uffee', '\u{10400}'])
    }
  }
})

it('[V2160] a document says when its content was accepted; another content changes that, labels and the same text do not', async () => {
  const updated = async () => {
    const { body } = await world.send('GET', `${AT}/documents/reed`)
    return (body as { updated_at?: string }).updated_at
  }
  const put = (text: string) => world.send('PUT', `${AT}/documents/reed`, { text })
  await put('Reeds grow at the pond.')
  await world.ring()
  const first = await updated()
  expect(new Date(first ?? '').toISOString()).toBe(first)
  world.clock.ahead += 60_000
  await put('Reeds grow at the pond.')
  await world.send('PATCH', `${AT}/documents/reed`, { active: false })
  expect(await updated()).toBe(first)
  await put('Reeds grow at the mill.')
  await world.ring()
  expect(Date.parse((await updated()) ?? '') - Date.parse(first ?? '')).toBeGreaterThanOrEqual(60_000)
})
