/** What new versions of documents changed, listed over HTTP: for those who may read the document, as long as the corpus keeps it, and in a copy. */
import { expect, it } from 'vitest'
import { changes as ofPartitions } from '../../../src/flows/partitions/changes'
import type { ChangePlace, ChangesFound } from '../../../src/ports/changes'
import type { CorpusObject } from '../../../src/ports/object'
import { deployment } from './deployment'

const world = deployment()
const AT = '/v1/corpora/timetable'

interface Listed {
  readonly data: readonly {
    readonly document: string
    readonly active: boolean
    readonly replaced_at: string
    readonly earlier: { readonly quote: string }
    readonly current: { readonly quote: string; readonly start: number; readonly end: number }
  }[]
  readonly next_cursor: string | null
  readonly days: number
}

const fare = (place: string, thalers: number): string =>
  `Herons wait at the pond. The ferry to ${place} costs ${thalers} thalers. Dogs are free.`

async function put(document: string, text: string, more: object = {}): Promise<void> {
  expect((await call('PUT', `/documents/${document}`, { text, ...more })).status).toBe(202)
  await world.ring()
}

it('[D1610] what new versions of a document changed is listed, the latest first: both statements, versions, dates, place and time', async () => {
  expect((await call('PUT', '', { settings: { earlier: { days: 30 } } })).status).toBe(201)
  for (const thalers of [30, 40, 50]) await put('prices', fare('Norhaven', thalers), { title: 'Prices', published_at: `20${thalers}` })
  await put('train', fare('Aldmoor', 7))
  await put('train', fare('Aldmoor', 8))
  const { data, next_cursor, days } = await listed('/documents/prices/changes')
  expect([data.length, next_cursor, days]).toEqual([2, null, 30])
  const now = 'The ferry to Norhaven costs 50 thalers.'
  expect(data[0]).toEqual({
    document: 'prices',
    title: 'Prices',
    url: null,
    active: true,
    replaced_at: expect.stringMatching(/^\d{4}-.*Z$/),
    replaced_in: 3,
    earlier: {
      quote: 'The ferry to Norhaven costs 40 thalers.',
      content_version: 2,
      dates: { published_at: { value: '2040', source: 'given' } },
    },
    current: {
      quote: now,
      start: 25,
      end: 25 + now.length,
      content_version: 3,
      dates: { published_at: { value: '2050', source: 'given' } },
    },
  })
  expect(data[1]).toMatchObject({
    replaced_in: 2,
    earlier: { quote: 'The ferry to Norhaven costs 30 thalers.', content_version: 1 },
    current: { quote: now },
  })
  const { text } = (await call('GET', '/documents/prices')).body
  for (const { current } of data) expect(text.slice(current.start, current.end)).toBe(current.quote)
})

it('[T2070] a corpus made without a word about it keeps changes for 30 days, says so in its settings, and none of them once it says 0', async () => {
  const at = '/v1/corpora/unasked'
  const settingsOf = async () => ((await world.send('GET', at)).body as { settings: { earlier: unknown } }).settings.earlier
  expect((await world.send('PUT', at, {})).status).toBe(201)
  expect(await settingsOf()).toEqual({ days: 30 })
  for (const thalers of [30, 40]) {
    expect((await world.send('PUT', `${at}/documents/prices`, { text: fare('Norhaven', thalers) })).status).toBe(202)
    await world.ring()
  }
  const list = async () => (await world.send('GET', `${at}/changes`)).body as Listed
  const { data, days } = await list()
  expect([data.map((one) => one.earlier.quote), days]).toEqual([['The ferry to Norhaven costs 30 thalers.'], 30])
  const asked = (await world.send('POST', `${at}/query`, { query: 'What does the ferry to Norhaven cost?' })).body as {
    superseded?: unknown
  }
  expect(asked.superseded).toMatchObject([{ earlier: [{ quote: 'The ferry to Norhaven costs 30 thalers.' }], replaced: [] }])
  expect((await world.send('PUT', at, { settings: { earlier: { days: 0 } } })).status).toBe(200)
  expect(await list()).toMatchObject({ data: [], days: 0 })
})

it('[D1610] of a whole corpus, page by page, each once, from a time on', async () => {
  const whole = await listed('/changes')
  expect(whole.data.map((one) => one.earlier.quote)).toEqual([
    'The ferry to Aldmoor costs 7 thalers.',
    'The ferry to Norhaven costs 40 thalers.',
    'The ferry to Norhaven costs 30 thalers.',
  ])
  expect(await pages('/changes?limit=1')).toEqual(whole.data.map((one) => [one]))
  const [latest] = whole.data
  expect((await listed(`/changes?since=${latest?.replaced_at}`)).data.length).toBeGreaterThan(0)
  expect((await listed('/changes?since=2999-01-01')).data).toEqual([])
  expect((await listed('/documents/prices/changes?since=2999-01-01')).data).toEqual([])
})

it('[D1610] a cursor that is none of ours, a limit that is no number and a since that is no time are refused by name', async () => {
  for (const at of ['/changes', '/documents/prices/changes']) {
    for (const [query, path] of [
      ['cursor=%2A', 'cursor'],
      [`cursor=${btoa('7')}`, 'cursor'],
      [`cursor=${btoa('-1:2').replaceAll('=', '')}`, 'cursor'],
      ['limit=some', 'limit'],
      ['since=yesterday', 'since'],
    ]) {
      const { status, body } = await call('GET', `${at}?${query}`)
      expect([query, status, body.errors?.[0].path]).toEqual([query, 422, path])
    }
  }
  expect((await call('GET', '/documents/none/changes')).body.code).toBe('document_not_found')
})

it('[D1611] who may not read a document sees nothing of what it said', async () => {
  await put('secret', fare('Westerby', 1), { access: ['group:crew'] })
  await put('secret', fare('Westerby', 2), { access: ['group:crew'] })
  const minted = async (principals: readonly string[]) => {
    const { body } = await world.send('POST', '/v1/keys', { name: 'k', scopes: ['read'], corpora: ['timetable'], principals })
    return (body as { key: string }).key
  }
  const [stranger, crew] = [await minted([]), await minted(['group:crew'])]
  const seen = async (key: string) => (await pages('/changes?limit=2', key)).map((page) => page.map((one) => one.document))
  expect(await seen(stranger)).toEqual([['train', 'prices'], ['prices']])
  expect(await seen(crew)).toEqual([
    ['secret', 'train'],
    ['prices', 'prices'],
  ])
  const status = async (key: string) => (await world.send('GET', `${AT}/documents/secret/changes`, undefined, key)).status
  expect([await status(stranger), await status(crew)]).toEqual([404, 200])
  // A version on its way counts with its labels: who may not read it reads none.
  await call('PUT', '/documents/train', { text: fare('Aldmoor', 9), access: ['group:crew'] })
  expect(await seen(stranger)).toEqual([['prices', 'prices']])
  await world.ring()
  expect((await listed('/documents/train/changes')).data).toEqual([])
})

it('[D1830] one call looks past so many changes of others: the page holds what was found, perhaps nothing, and the next goes on behind them', async () => {
  const uid = world.uids().find((one) => world.objectRows(one).prepare('SELECT 1 FROM earlier').all().length > 0) ?? ''
  const rows = world.objectRows(uid)
  rows.exec(`WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 6000)
    INSERT INTO earlier (document, now, before, at, dates) SELECT 'secret', 'none', 'none', 9e12 + i, '{}' FROM k`)
  const { body } = await world.send('POST', '/v1/keys', { name: 'k', scopes: ['read'], corpora: ['timetable'], principals: [] })
  const { key } = body as { key: string }
  const seen = (await pages('/changes?limit=2', key)).map((page) => page.map((one) => one.document))
  expect(seen).toEqual([[], ['prices', 'prices']])
  rows.exec('DELETE FROM earlier WHERE at >= 9e12')
})

it('[D1611] a document that is switched off still says what it said, marked as such; relabelled it says nothing more', async () => {
  await call('PATCH', '/documents/prices', { active: false })
  expect((await listed('/documents/prices/changes')).data.map((one) => one.active)).toEqual([false, false])
  await call('PATCH', '/documents/prices', { active: true })
  await call('PATCH', '/documents/secret', { access: [] })
  expect((await listed('/documents/secret/changes')).data).toEqual([])
})

it('[D1612] a copy restored from a backup lists the same', async () => {
  const before = await listed('/changes')
  expect(before.data.length).toBe(2)
  const part = await (await world.request('GET', `${AT}/backup`)).text()
  expect((await world.request('POST', '/v1/corpora/copy:restore', part)).status).toBeLessThan(300)
  await world.ring()
  const { status, body } = await world.send('GET', '/v1/corpora/copy/changes')
  expect([status, body]).toEqual([200, before])
})

it('[D1611] a document that is deleted takes it along, and a corpus that keeps nothing says so', async () => {
  await call('DELETE', '/documents/prices')
  await world.ring()
  expect((await call('GET', '/documents/prices/changes')).status).toBe(404)
  expect((await listed('/changes')).data).toEqual([])
  await put('bus', fare('Port Ellis', 3))
  await put('bus', fare('Port Ellis', 4))
  expect((await listed('/changes')).data.length).toBe(1)
  await call('PUT', '', { settings: { earlier: { days: 0 } } })
  await put('bus', fare('Port Ellis', 5))
  expect(await listed('/changes')).toEqual({ data: [], next_cursor: null, days: 0 })
})

it('[D1612] of a corpus in partitions those of all of them are listed by time, each once, also of one moment', async () => {
  let atOnce = 100
  const kept = [
    [30, 20, 20, 10],
    [25, 20],
    [20, 20, 5],
  ].map((times) => times.map((at, i) => ({ at, n: times.length - i })))
  const parts = kept.map((rows, part) => ({
    async changes({ after, since, limit }: Parameters<CorpusObject['changes']>[0]): Promise<ChangesFound> {
      const behind = rows.filter(({ at, n }) => at >= since && (!after || at < after.at || (at === after.at && n < after.n)))
      const page = behind.slice(0, Math.min(limit, atOnce))
      const next = page.length < behind.length ? (page.at(-1) ?? null) : null
      return { rows: page.map((place) => ({ place, change: `${part}.${place.n}` as never })), next, days: 30 }
    },
  })) as unknown as readonly CorpusObject[]
  const whole = await ofPartitions(parts, { document: null, since: 10, after: null, limit: 100 })
  expect([whole?.rows.map(({ change }) => String(change)), whole?.days, whole?.next]).toEqual([
    ['0.4', '1.2', '0.3', '0.2', '1.1', '2.3', '2.2', '0.1'],
    30,
    null,
  ])
  for (const [limit, most] of [
    [2, 100],
    [100, 1], // a partition that stops early
    [2, 1],
  ] as const) {
    atOnce = most
    const seen: string[] = []
    for (let after = null as ChangePlace | null; ; ) {
      const page: ChangesFound | null = await ofPartitions(parts, { document: null, since: 10, after, limit })
      expect(page?.rows.length).toBeLessThanOrEqual(limit)
      seen.push(...(page?.rows ?? []).map(({ change }) => String(change)))
      after = page?.next ?? null
      if (!after) break
    }
    expect(seen).toEqual(whole?.rows.map(({ change }) => String(change)))
  }
})

async function listed(at: string): Promise<Listed> {
  const { status, body } = await call('GET', at)
  expect([status, body]).toEqual([200, body])
  return body
}

async function pages(at: string, key?: string): Promise<Listed['data'][]> {
  const found: Listed['data'][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await world.send('GET', `${AT}${at}${cursor && `&cursor=${cursor}`}`, undefined, key)
    const page = body as Listed
    found.push(page.data)
    cursor = page.next_cursor
  }
  return found
}

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions
async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
  return world.send(method, `${AT}${path}`, body)
}
