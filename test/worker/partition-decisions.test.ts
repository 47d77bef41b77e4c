/** People's decisions about names in a corpus in partitions: of the whole, in every partition, once and in one order. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { corpusOf } from '../../src/adapters/corpus'
import { partOf } from '../../src/core/joint/part-of'
import { partitionUids } from '../../src/corpus-uid'
import { bindings } from './corpora'
import { call, corpus, succeeded } from './living'
import { eventually } from './waiting'

const PARTS = 3
const { DB } = env as unknown as { DB: D1Database }

/** A document's id, made so that it is in this partition. */
function idIn(part: number, name: string): string {
  for (let i = 0; ; i++) if (partOf(`${name}-${i}`, PARTS) === part) return `${name}-${i}`
}
const doc = (part: number, name: string, text: string, more: object = {}) => ({ id: idIn(part, name), text, ...more })

async function made(upserts: readonly object[]) {
  const base = await corpus({ partitions: PARTS })
  await put(base, upserts)
  const name = base.split('/').at(-1)
  const uid = (await DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(name).first<string>('uid')) ?? ''
  return { base, uid, parts: partitionUids(uid) }
}
const put = async (base: string, upserts: readonly object[]) =>
  succeeded(base, (await call('POST', `${base}/documents:batch`, { upserts })).body.job)

async function entities(base: string, q = ''): Promise<{ id: string; text: string; data: { chunks: number; pinned?: boolean } }[]> {
  return eventually('the list of entities', async () => (await call('GET', `${base}/entities?q=${encodeURIComponent(q)}`)).body.data)
}
async function idOf(base: string, name: string): Promise<string> {
  const found = (await entities(base, name)).find(({ text }) => text === name)
  if (!found) throw new Error(`nothing is called ${name}`)
  return found.id
}
const namesOf = async (base: string) => (await entities(base)).map(({ text }) => text)
const stateOf = (uid: string) => bindings.CORPUS.getByName(uid) as DurableObjectStub
const sqlIn = (uid: string, query: string) => runInDurableObject(stateOf(uid), (_object, { storage }) => storage.sql.exec(query).toArray())

const first = [
  doc(0, 'a', 'Ada Brant built the mill at Tidewater. Ada Brant slept in Oslo.'),
  doc(1, 'b', 'Countess Brant sold the mill at Tidewater. Countess Brant moved to Porto.'),
  doc(1, 'e', 'Countess Brant sailed to Porto.'),
  doc(2, 'c', 'Oslo lies north of Porto. The Quiet Foundry stands in Oslo.'),
]

it('[P2290] decides about names of the whole corpus: merged, renamed, hidden, pinned and related in every partition, and undone by number', async () => {
  const { base } = await made(first)
  const [ada, countess, oslo, porto, foundry] = await Promise.all(
    ['Ada Brant', 'Countess Brant', 'Oslo', 'Porto', 'Quiet Foundry'].map((name) => idOf(base, name)),
  )
  const merged = await call('POST', `${base}/entities/${countess}:merge`, { with: ada })
  expect([merged.status, merged.body]).toEqual([200, { status: 'done', decision: 1 }])
  expect((await call('POST', `${base}/entities/${countess}:merge`, { with: ada })).body).toEqual({ status: 'unchanged', decision: 1 })
  expect((await call('POST', `${base}/entities/${oslo}:rename`, { name: 'Christiania' })).body).toEqual({ status: 'done', decision: 2 })
  expect((await call('POST', `${base}/entities/${foundry}:hide`, {})).body).toEqual({ status: 'done', decision: 3 })
  expect((await call('POST', `${base}/entities/${porto}:pin`, {})).body).toEqual({ status: 'done', decision: 4 })
  const relation = { source: oslo, target: porto, description: 'sends ships to', strength: 4 }
  expect((await call('POST', `${base}/relations`, relation)).body).toEqual({ status: 'done', decision: 5 })
  const listed = await entities(base)
  expect(listed[0]).toMatchObject({ id: porto, data: { pinned: true } })
  const names = listed.map(({ text }) => text)
  expect(names).toEqual(expect.arrayContaining(['Ada Brant', 'Christiania', 'Tidewater']))
  expect(names).not.toEqual(expect.arrayContaining(['Countess Brant']))
  expect([names.includes('Countess Brant'), names.includes('Oslo'), names.join().includes('Foundry')]).toEqual([false, false, false])
  // Names that come into a partition later are under the decisions, too.
  await put(base, [doc(0, 'd', 'Countess Brant owns the Quiet Foundry in Oslo, not in Porto.')])
  const later = await entities(base)
  expect(later.find(({ id }) => id === ada)).toMatchObject({ text: 'Ada Brant', data: { chunks: 4 } })
  expect(later.map(({ text }) => text).join()).not.toMatch(/Foundry|Oslo|Countess/)
  const { body: told } = await call('GET', `${base}/entities/${ada}`)
  expect([told.name, told.documents.sort()]).toEqual(['Ada Brant', [idIn(0, 'a'), idIn(0, 'd'), idIn(1, 'b'), idIn(1, 'e')].sort()])
  // The relation is in the two partitions that have both ends, and counts once.
  const around = (await call('GET', `${base}/graph?node=${oslo}`)).body.edges
  const between = around.filter(
    (one: { source: string; target: string }) => [one.source, one.target].sort().join() === [oslo, porto].sort().join(),
  )
  expect(between.length).toBe(1)
  const related = async () => (await call('GET', `${base}/entities/${oslo}`)).body.relations.find((one: { id: string }) => one.id === porto)
  expect([between[0].weight, await related()]).toMatchObject([4, { strength: 4, by_people: 4, by: ['people'] }])
  expect((await call('DELETE', `${base}/decisions/5`)).body).toEqual({ status: 'done', decision: 5 })
  expect(await related()).toBe(undefined)
  // A question about one name finds what is said of the other, in another partition.
  const found = (await call('POST', `${base}/search`, { query: 'What did Ada Brant do?', strategy: 'auto' })).body
  expect(JSON.stringify(found)).toContain(idIn(1, 'b'))
  const list = (await call('GET', `${base}/decisions?limit=3`)).body
  const rest = (await call('GET', `${base}/decisions?limit=3&cursor=${list.next_cursor}`)).body
  expect([...list.data, ...rest.data]).toMatchObject([
    { n: 1, op: 'merge', name: 'Countess Brant', other_name: 'Ada Brant' },
    { n: 2, op: 'rename', name: 'Oslo', text: 'Christiania' },
    { n: 3, op: 'hide', name: 'Quiet Foundry' },
    { n: 4, op: 'pin', name: 'Porto' },
  ])
  for (const n of [1, 2, 3, 4]) expect((await call('DELETE', `${base}/decisions/${n}`)).body).toEqual({ status: 'done', decision: n })
  expect((await call('DELETE', `${base}/decisions/1`)).body.code).toBe('decision_not_found')
  expect(await namesOf(base)).toEqual(expect.arrayContaining(['Countess Brant', 'Ada Brant', 'Oslo', 'Quiet Foundry', 'Porto']))
  const audit = (await call('GET', `${base}/audit`)).body.data as { action: string; partition: number }[]
  expect(audit.filter(({ action }) => action === 'entity.merge').map(({ partition }) => partition)).toEqual([-1, -1])
  expect((await call('POST', `${base}/entities/e_nobody:hide`, {})).body.code).toBe('node_not_found')
  expect((await call('POST', `${base}/entities/${countess}:merge`, { with: ada })).body.decision).toBe(6)
  expect((await call('POST', `${base}/entities/${ada}:unmerge`, {})).body).toEqual({ status: 'done', decision: 6 })
})

it('[P2291] tells a partition that failed when it answers again, each decision once and in order, and says meanwhile which it was', async () => {
  const { base, uid, parts } = await made(first)
  const oslo = await idOf(base, 'Oslo')
  const porto = await idOf(base, 'Porto')
  const [, , failing = ''] = parts
  const trigger = `CREATE TRIGGER failing BEFORE INSERT ON value WHEN NEW.space = 'decisions' BEGIN SELECT RAISE(ABORT, 'disk'); END`
  await sqlIn(failing, trigger)
  const rename = (name: string) => call('POST', `${base}/entities/${oslo}:rename`, { name })
  expect((await rename('Kristiania')).body).toEqual({ status: 'done', decision: 1, skipped_partitions: [2] })
  expect((await rename('Christiania')).body).toEqual({ status: 'done', decision: 2, skipped_partitions: [2] })
  expect((await call('DELETE', `${base}/decisions/1`)).body).toEqual({ status: 'done', decision: 1, skipped_partitions: [2] })
  const shownIn = (part: string) => corpusOf(bindings.CORPUS, part).entity(oslo, 'all')
  expect((await shownIn(parts[0] ?? ''))?.name).toBe('Christiania')
  expect((await shownIn(failing))?.name).toBe('Oslo')
  const versions = (await call('GET', base)).body.versions
  await sqlIn(failing, 'DROP TRIGGER failing')
  expect((await call('POST', `${base}/entities/${porto}:pin`, {})).body).toEqual({ status: 'done', decision: 3 })
  expect((await shownIn(failing))?.name).toBe('Christiania')
  const rows = await Promise.all(
    parts.map((part) => sqlIn(part, `SELECT key, body FROM value WHERE space LIKE 'decisions%' ORDER BY space, key`)),
  )
  expect([rows[1], rows[2]]).toEqual([rows[0], rows[0]])
  const after = (await call('GET', base)).body.versions
  expect(after.map((one: number, part: number) => one - versions[part])).toEqual([1, 1, 4])
  // Repeating what was taken changes nothing, and nothing waits to be told.
  const [made1] = (await corpusOf(bindings.CORPUS, uid).decisions(null, 1, 'all')).data
  await corpusOf(bindings.CORPUS, failing).takeRulings([
    { n: 1, what: 'made', decision: { n: 9, op: 'hide', entity: oslo, at: 1, by: made1?.by ?? '' } },
  ])
  expect((await call('GET', base)).body.versions).toEqual(after)
  expect(await sqlIn(uid, 'SELECT n FROM ruling')).toEqual([])
  expect(await sqlIn(failing, `SELECT value FROM meta WHERE key = 'rulings/taken'`)).toEqual([{ value: '4' }])
})

it('[P2291] tells a partition by its own schedule, too', async () => {
  const { base, parts } = await made(first)
  const oslo = await idOf(base, 'Oslo')
  await sqlIn(
    parts[0] ?? '',
    `CREATE TRIGGER failing BEFORE INSERT ON value WHEN NEW.space = 'decisions' BEGIN SELECT RAISE(ABORT, 'disk'); END`,
  )
  expect((await call('POST', `${base}/entities/${oslo}:hide`, {})).body.skipped_partitions).toEqual([0])
  await sqlIn(parts[0] ?? '', 'DROP TRIGGER failing')
  await eventually(
    'the partition to be told',
    async () => (await corpusOf(bindings.CORPUS, parts[0] ?? '').entity(oslo, 'all')) === null || undefined,
  )
})

it('[P2292] judges what is wanted by the texts of all partitions that the asker may read, and shows nobody the names of others', async () => {
  const hers = { access: ['group:few'] }
  const { base } = await made([
    ...first,
    doc(1, 's', 'The Hidden Abbey stands in Porto.', hers),
    doc(2, 't', 'The ferry crosses at Tidewater. The ferry is old.'),
  ])
  const as = { 'loam-as': 'user:ana@example.org' }
  const abbey = await idOf(base, 'Hidden Abbey')
  const [ada, oslo, foundry, tidewater] = await Promise.all(
    ['Ada Brant', 'Oslo', 'Quiet Foundry', 'Tidewater'].map((name) => idOf(base, name)),
  )
  expect((await call('POST', `${base}/entities/${abbey}:hide`, {}, as)).body.code).toBe('node_not_found')
  expect((await call('POST', `${base}/entities/${abbey}:rename`, { name: 'Old Abbey' })).body.decision).toBe(1)
  expect((await call('GET', `${base}/decisions`, undefined, as)).body.data).toEqual([])
  expect((await call('GET', `${base}/decisions`)).body.data).toMatchObject([{ n: 1, name: 'Hidden Abbey', text: 'Old Abbey' }])
  // A name that a text of any partition says is added for all of them.
  const added = await call('POST', `${base}/entities`, { name: 'ferry', type: 'ship' })
  expect(added.body).toMatchObject({ status: 'done', decision: 2 })
  expect((await call('GET', `${base}/entities/${added.body.entity}`)).body).toMatchObject({ name: 'ferry', documents: [idIn(2, 't')] })
  await put(base, [doc(0, 'u', 'Nobody rows the ferry at night.')])
  expect((await call('GET', `${base}/entities/${added.body.entity}`)).body.documents.sort()).toEqual([idIn(2, 't'), idIn(0, 'u')].sort())
  expect((await call('POST', `${base}/entities`, { name: 'blue heron' })).body.errors).toMatchObject([{ path: 'name' }])
  expect((await call('POST', `${base}/entities`, { name: 'Oslo' })).body).toMatchObject({ status: 'unchanged', decision: null })
  const split = { documents: [idIn(1, 'b'), idIn(2, 't')], name: 'Tidewater (river)' }
  expect((await call('POST', `${base}/entities/${tidewater}:split`, split)).body.decision).toBe(3)
  const river = await idOf(base, 'Tidewater (river)')
  expect((await call('GET', `${base}/entities/${river}`)).body.documents.sort()).toEqual([...split.documents].sort())
  expect((await call('GET', `${base}/entities/${tidewater}`)).body.documents).toEqual([idIn(0, 'a')])
  expect((await call('POST', `${base}/entities/${oslo}:split`, { documents: ['zz'], name: 'X' })).body.code).toBe('document_not_found')
  // No partition has both ends.
  expect((await call('POST', `${base}/relations`, { source: ada, target: foundry, description: 'owns' })).body.code).toBe('partitioned')
  expect((await call('POST', `${base}/relations:remove`, { source: ada, target: oslo })).body.code).toBe('node_not_found')
  // A decision keeps ids and the person's words: of a document that goes, nothing is left.
  await succeeded(base, (await call('DELETE', `${base}/documents/${idIn(1, 's')}`)).body.job)
  const kept = (await call('GET', `${base}/decisions`)).body.data
  expect(kept[0]).toMatchObject({ n: 1, name: '', text: 'Old Abbey' })
  expect(JSON.stringify(kept)).not.toContain('Hidden')
})
