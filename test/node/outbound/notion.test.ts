/** A Notion workspace as a source, against a stand-in that refuses what its API refuses. */
import { afterEach, expect, it } from 'vitest'
import { document } from '../../../durable-objects/corpus/ingest/documents'
import type { SourceInput } from '../../../src/ports/sources'
import { notionMarkdown } from '../../../src/reading/notion-page'
import { block, ID, notionApi, type Page, TOKEN, text, type Workspace } from './notion-workspace'
import { type Internet, master, type Place, place } from './world'

const open: Place[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

const HOUR = 3_600_000
const says = (n: number, sentence: string) => block(n, 'paragraph', { rich_text: text(sentence) })
const page = (title: string, more: Partial<Page> = {}): Page => ({ title, edited: '2026-01-01T00:00:00.000Z', ...more })

async function follow(
  given: Partial<Workspace>,
  { url = 'https://www.notion.so', token = TOKEN, ...more }: Partial<SourceInput> & { token?: string } = {},
) {
  const workspace: Workspace = { pages: new Map(), children: new Map(), databases: new Map(), ...given }
  const internet: { current: Internet } = { current: () => new Response() }
  const here = place(internet, { vault: master })
  open.push(here)
  const answer = notionApi(workspace, () => here.world.clock.now)
  internet.current = answer
  const secrets = [{ sealed: (await master?.seal(token, 'src_n')) ?? '', until: null }]
  const id = 'src_n'
  here.source(url, { id, kind: 'notion', every: HOUR, onGone: 'delete', goneAfter: 2, secrets, ...more })
  const pass = async (ms: number) => {
    await here.pass(ms)
    await here.settle()
  }
  const state = async () => (await here.object.source(id))?.status
  return { ...workspace, here, id, internet, answer, pass, state, shown: (n: number) => document(here.mortal.context, `notion/${ID(n)}`) }
}

it('[V1970] each page that an integration may see becomes a document with all its blocks, and one that was not edited costs nothing but its place in the listing', async () => {
  const { here, id, pages, shown, pass } = await follow({
    pages: new Map([
      [ID(1), page('Herons')],
      [ID(2), page('Owls', { properties: { Legs: { id: 'l', type: 'number', number: 2 } } })],
      [ID(3), page('Cranes')],
      [ID(4), page('Thrown away', { trashed: true })],
    ]),
    children: new Map([
      [
        ID(1),
        [
          says(11, 'A heron waits.'),
          block(12, 'toggle', { rich_text: text('More') }, true),
          block(13, 'child_page', { title: 'Owls' }, true),
        ],
      ],
      [ID(12), [block(14, 'bulleted_list_item', { rich_text: text('It eats eels.') }), says(15, 'And frogs.'), says(16, 'And newts.')]],
      [ID(2), [says(21, 'An owl hunts.')]],
    ]),
  })
  await pass(120_000)
  expect(shown(1)).toMatchObject({
    title: 'Herons',
    url: `https://www.notion.so/${ID(1).replaceAll('-', '')}`,
    metadata: { notion: ID(1) },
  })
  const herons = '# Herons\n\nA heron waits.\n\nMore\n\n- It eats eels.\n\nAnd frogs.\n\nAnd newts.\n\nOwls'
  expect([shown(1)?.text, shown(2)?.text, shown(3)?.text, shown(4)]).toEqual([
    herons,
    '# Owls\n\n- Legs: 2\n\nAn owl hunts.',
    '# Cranes',
    null,
  ])
  expect(new Set(here.asked.map(({ url }) => new URL(url).origin))).toEqual(new Set(['https://api.notion.com']))
  expect(await here.object.source(id)).toMatchObject({ status: 'ok', failures: 0, items: { known: 3, waiting: 0, failing: 0, gone: 0 } })
  here.asked.length = 0
  await pass(2 * HOUR)
  expect(here.asked.map(({ url }) => new URL(url).pathname)).toEqual(Array(4).fill('/v1/search')) // two listings of two pages each
  pages.set(ID(2), page('Barn owls', { edited: '2026-02-01T00:00:00.000Z' }))
  await pass(HOUR)
  expect(shown(2)?.title).toBe('Barn owls')
})

it('[V1971] no more than three requests a second, and one that is refused for too many is no failure: the source waits as long as Notion says', async () => {
  const many = Array.from({ length: 20 }, (_, n) => says(100 + n, `Sentence ${n} of many.`))
  const { here, id, internet, answer, shown, pass, state } = await follow({
    pages: new Map([[ID(1), page('Long')]]),
    children: new Map([[ID(1), many]]),
  })
  await pass(60_000)
  expect([shown(1)?.text?.includes('Sentence 19'), await state()]).toEqual([true, 'ok'])
  const limit = () => Response.json({ code: 'rate_limited' }, { status: 429, headers: { 'retry-after': '90' } })
  internet.current = limit
  await here.object.askSource(id, { kind: 'call' })
  await here.pass(1000)
  expect(await here.object.source(id)).toMatchObject({ status: 'waiting', last: 'rate_limited', failures: 0 })
  internet.current = answer
  here.asked.length = 0
  await here.pass(80_000)
  expect(here.asked).toEqual([])
  await here.pass(20_000)
  expect(await state()).toBe('ok')
})

it('[V1972] what search leaves out is asked for: a page in the trash, deleted or no longer shared is gone after as many looks as are set, one that is only not named stays', async () => {
  const { pages, shown, pass, here, id } = await follow({
    pages: new Map([1, 2, 3, 4].map((n) => [ID(n), page(`Page ${n}`)])),
    children: new Map([1, 2, 3, 4].map((n) => [ID(n), [says(10 + n, `Bird number ${n} waits.`)]])),
  })
  await pass(120_000)
  pages.set(ID(1), page('Page 1', { trashed: true }))
  pages.delete(ID(2))
  pages.set(ID(3), page('Page 3', { hidden: true }))
  await pass(HOUR)
  expect([shown(1), shown(2), shown(3), shown(4)].map((one) => one !== null)).toEqual([true, true, true, true])
  const { data } = (await here.object.sourceItems(id, { status: 'missing', cursor: null, limit: 10 })) ?? { data: [] }
  expect(data.map(({ item, last }) => [item, last])).toEqual([
    [ID(1), 'trash'],
    [ID(2), 'http_404'],
  ])
  await pass(HOUR)
  expect([shown(1), shown(2), shown(3), shown(4)].map((one) => one !== null)).toEqual([false, false, true, true])
  expect(await here.object.source(id)).toMatchObject({ status: 'ok', items: { known: 4, gone: 2 } })
  pages.set(ID(1), page('Page 1', { edited: '2026-03-01T00:00:00.000Z' }))
  await pass(HOUR)
  expect(shown(1)?.text).toContain('Bird number 1')
})

it('[V1973] of a database its rows are followed, of all its data sources; of a page what hangs below it; the rest of the workspace is not', async () => {
  const given = (): Partial<Workspace> => ({
    pages: new Map([
      [ID(1), page('Birds')],
      [ID(2), page('Herons', { row: ID(91) })],
      [ID(3), page('Owls', { row: ID(91) })],
      [ID(4), page('Cranes', { row: ID(92) })],
      [ID(5), page('Notes')],
      [ID(6), page('Elsewhere')],
    ]),
    children: new Map([
      [ID(1), [says(11, 'Of birds.'), block(12, 'column_list', {}, true), block(90, 'child_database', { title: 'Kinds' })]],
      [ID(12), [block(13, 'column', {}, true)]],
      [ID(13), [block(5, 'child_page', { title: 'Notes' }, true)]],
      [ID(5), [says(51, 'A note.'), block(99, 'child_database', { title: 'Not shared' })]],
    ]),
    databases: new Map([[ID(90), [ID(91), ID(92)]]]),
  })
  const rows = await follow(given(), { url: `https://www.notion.so/${ID(90).replaceAll('-', '')}` })
  await rows.pass(120_000)
  expect([1, 2, 3, 4, 5, 6].filter((n) => rows.shown(n))).toEqual([2, 3, 4])
  rows.pages.set(ID(3), page('Owls', { row: ID(91), trashed: true }))
  await rows.pass(2 * HOUR)
  expect([2, 3, 4].filter((n) => rows.shown(n))).toEqual([2, 4])
  const below = await follow(given(), { url: `https://www.notion.so/${ID(1).replaceAll('-', '')}` })
  await below.pass(180_000)
  expect([1, 2, 3, 4, 5, 6].filter((n) => below.shown(n))).toEqual([1, 2, 3, 4, 5])
  expect([below.shown(1)?.text, below.shown(5)?.text]).toEqual([
    '# Birds\n\nOf birds.\n\nNotes\n\nKinds',
    '# Notes\n\nA note.\n\nNot shared',
  ])
  // The database that is not shared may hold anything, so nothing counts as missing.
  below.pages.delete(ID(4))
  await below.pass(3 * HOUR)
  expect([below.shown(4) !== null, await below.state()]).toEqual([true, 'ok'])
})

it('[V1974] no answer that is not understood deletes anything, a token that Notion does not know is said, and a place in a listing that is not known any more ends it', async () => {
  const stranger = await follow({ pages: new Map([[ID(1), page('Herons')]]) }, { token: 'ntn_of_somebody_else' })
  await stranger.pass(60_000)
  expect([(await stranger.here.object.source(stranger.id))?.last, stranger.shown(1)]).toEqual(['http_401', null])
  const pages = new Map([1, 2, 3].map((n) => [ID(n), page(`Page ${n}`)]))
  const { here, id, internet, answer, shown, pass, state } = await follow({ pages }, { goneAfter: 1 })
  await pass(60_000)
  const results: (string | null | undefined)[] = []
  for (const wrong of [
    Response.json({ results: 'odd' }),
    Response.json([]),
    new Response(null, { status: 503 }),
    new Response('{'),
    new Response(null, { status: 307, headers: { location: 'https://example.org' } }),
  ]) {
    internet.current = () => wrong.clone()
    await here.object.askSource(id, { kind: 'call' })
    await here.pass(60_000)
    results.push((await here.object.source(id))?.last)
  }
  expect([results, shown(1) !== null]).toEqual([['unreadable', 'unreadable', 'http_503', 'unreadable', 'http_307'], true])
  internet.current = (asked) =>
    asked.body.includes('start_cursor') ? Response.json({ code: 'validation_error' }, { status: 400 }) : answer(asked)
  await here.object.askSource(id, { kind: 'call' })
  await pass(60_000)
  expect([await state(), shown(1) !== null, shown(3) !== null]).toEqual(['ok', true, true])
})

it('[V1970] blocks become Markdown, and what is not understood is passed over', () => {
  type Blocks = Parameters<typeof notionMarkdown>[2]
  const own = (type: string, body: object, children: Blocks = []) => ({ type, body: body as { [name: string]: unknown }, children })
  const row = (...cells: string[]) => own('table_row', { cells: cells.map((cell) => text(cell)) })
  const blocks = [
    own('heading_1', { rich_text: text('Food') }),
    own('numbered_list_item', { rich_text: text('eels') }, [own('to_do', { rich_text: text('caught'), checked: true })]),
    own('quote', { rich_text: text('It\nwaits.') }),
    own('code', { rich_text: text('a ``` b'), language: 'plain text' }),
    own('table', {}, [row('Bird', 'Legs'), row('Owl | barn', '2')]),
    own('column_list', {}, [own('column', {}, [own('paragraph', { rich_text: text('see here', 'https://example.org/a') })])]),
    own('paragraph', { rich_text: text('bad', 'javascript:alert(1)') }),
    own('image', { caption: text('A heron'), file: { url: 'https://secret.example' } }),
    own('unsupported', {}),
    own('paragraph', { rich_text: 'odd' }),
  ]
  const properties = {
    Status: { type: 'status', status: { name: 'Done' } },
    Tags: { type: 'multi_select', multi_select: [{ name: 'bird' }, { name: 'lake' }] },
    Seen: { type: 'date', date: { start: '2026-01-01', end: null } },
    Odd: 7,
  }
  expect(notionMarkdown('Herons', properties, blocks)).toBe(
    [
      '# Herons',
      '- Status: Done\n- Tags: bird, lake\n- Seen: 2026-01-01',
      '## Food',
      '1. eels\n  - [x] caught',
      '> It\n> waits.',
      '````plaintext\na ``` b\n````',
      '| Bird | Legs |\n| --- | --- |\n| Owl \\| barn | 2 |',
      '[see here](https://example.org/a)',
      'bad',
      'A heron',
    ].join('\n\n'),
  )
})
