/** Worked examples of the settings, which are passages of documents: they leave with their document, from every store, whatever dies and however it is deleted. */
import { expect, it } from 'vitest'
import type { WorkedExample } from '../../../src/core/guidance'
import { type Deployment, type Doom, deployment } from './deployment'

const AT = '/v1/corpora/harbour'
const WORD = 'quicksilver' // in the passages alone

const PASSAGE = `Ada Holm brings ${WORD} to Tidewater.`
const example = (more: Partial<WorkedExample> = {}): WorkedExample => ({
  text: PASSAGE,
  entities: [{ name: 'Ada Holm', type: 'person', description: `brings ${WORD}` }],
  relations: [{ source: 'Ada Holm', target: 'Tidewater', description: 'brings', strength: 7 }],
  ...more,
})
const OWN = example({
  text: 'Karl Stone paints for Port Ellis.',
  entities: [{ name: 'Karl Stone', type: 'person', description: '' }],
  relations: [],
})

interface Db {
  prepare(sql: string): { all(): { [column: string]: unknown }[] }
}

interface Job {
  readonly status: string
  readonly receipt?: { readonly examples_removed?: number; readonly touched: { readonly chunks: number } }
}

async function call<T = never>(world: Deployment, method: string, at: string, body?: unknown): Promise<T> {
  const { status, body: said } = await world.send(method, at, body)
  expect([status < 300, method, at, said]).toEqual([true, method, at, said])
  return said as T
}

const texts = (passage: string) => ({ a: `Of the port. ${passage} So it was.`, b: 'Olga Sund keeps the books of the mill.' })

async function corpus(examples: readonly WorkedExample[], world = deployment(), more: object = {}): Promise<Deployment> {
  await call(world, 'PUT', AT, {
    strategies: ['archrag'],
    settings: { chunk_tokens: 300, chunk_overlap: 0, extraction: { examples } },
    ...more,
  })
  for (const [id, text] of Object.entries(texts(PASSAGE))) await call(world, 'PUT', `${AT}/documents/${id}`, { text })
  await world.ring()
  return world
}

const examplesOf = async (world: Deployment, at = AT) => {
  world.restart() // what an isolate remembers of it
  return (await call<{ settings: { extraction: { examples: readonly WorkedExample[] | null } } }>(world, 'GET', at)).settings.extraction
    .examples
}

/** Where the word is in any row of any store. */
function places(world: Deployment): string[] {
  const stores = [...Object.entries(world.databases), ...world.uids().map((uid) => [uid, world.objectRows(uid)] as const)]
  const rows = stores.flatMap(([name, db]) =>
    (db as Db)
      .prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`)
      .all()
      .flatMap(({ name: table }) =>
        (db as Db)
          .prepare(`SELECT * FROM "${table}"`)
          .all()
          .map((row) => [`${name}.${table}`, row] as const),
      ),
  )
  const printed = (row: object) => JSON.stringify(row, (_, value) => (value instanceof Uint8Array ? String.fromCharCode(...value) : value))
  return [
    ...rows.flatMap(([place, row]) => (printed(row).includes(WORD) ? [place] : [])),
    ...world.sent.filter((one) => one.includes(WORD)),
  ]
}

async function done(world: Deployment, job: string): Promise<Job> {
  await world.ring()
  return call<Job>(world, 'GET', `${AT}/jobs/${job}`)
}

it('[H2020] an example leaves the settings with its document, and no store has a word of it when the job has succeeded', async () => {
  const world = await corpus([example({ document: 'a' }), OWN])
  expect(places(world).some((place) => place === 'DB.corpus')).toBe(true)
  const { job } = await call<{ job: string }>(world, 'DELETE', `${AT}/documents/a`)
  const { status, receipt } = await done(world, job)
  expect([status, receipt?.examples_removed, places(world)]).toEqual(['succeeded', 1, []])
  expect(await examplesOf(world)).toEqual([OWN])
  const { data } = await call<{ data: { action: string; document?: string; outcome: string; key: string }[] }>(world, 'GET', `${AT}/audit`)
  expect(data.filter(({ outcome }) => outcome === 'example_removed')).toMatchObject([
    { action: 'corpus.settings', document: 'a', key: 'nobody', door: 'cron' },
  ])
  const again = await world.send('DELETE', `${AT}/documents/a`)
  expect([again.status, await examplesOf(world)]).toEqual([404, [OWN]])
})

it('[H2020] the texts are read by what is left from then on, and what was read before counts as after a change by hand', async () => {
  const world = await corpus([example({ document: 'a' })])
  await call(world, 'DELETE', `${AT}/documents/a`)
  await world.ring()
  await call(world, 'PUT', `${AT}/documents/c`, { text: 'Nora Falk sails to Aarhus.' })
  const [uid = ''] = world.uids()
  const { tasks } = await world.object(uid).openTasks('a runner', 64)
  expect(tasks.length).toBeGreaterThan(0)
  expect(JSON.stringify(tasks)).not.toContain(WORD)
})

it('[H2020] also with many others, beside one that is switched to another version, and in a change that is applied in parts', async () => {
  const world = await corpus([example({ document: 'a' }), OWN], deployment(), { strategies: [] })
  const large = Array.from({ length: 300 }, (_, i) => `${'A heron sits by the mill. '.repeat(20)}The ${i}th.`).join('\n\n')
  const upserts = [
    { id: 'large', text: large },
    { id: 'b', text: 'Olga Sund keeps nothing.' },
  ]
  const { job } = await call<{ job: string }>(world, 'POST', `${AT}/documents:batch`, { upserts, deletes: ['a'] })
  for (let i = 0; i < 10; i++) await world.ring()
  const { status, receipt } = await done(world, job)
  expect([status, receipt?.examples_removed, places(world), await examplesOf(world)]).toEqual(['succeeded', 1, [], [OWN]])
  expect(receipt?.touched.chunks).toBeGreaterThan(128) // more than go in at once
})

it('[H2021] a new version that still has the passage keeps the example; one that has it no longer takes it along', async () => {
  const world = await corpus([example({ document: 'a' })])
  await call(world, 'PUT', `${AT}/documents/a`, { text: `Later. ${PASSAGE.replaceAll(' ', '\n')}` })
  await world.ring()
  expect(await examplesOf(world)).toHaveLength(1)
  const { job } = await call<{ job: string }>(world, 'PUT', `${AT}/documents/a`, { text: 'Ada Holm stays at home.' })
  const { status, receipt } = await done(world, job)
  expect([status, receipt?.examples_removed, places(world), await examplesOf(world)]).toEqual(['succeeded', 1, [], null])
})

it('[H2022] an example that names no document is its owner’s, unless the document that leaves has its text', async () => {
  const copied = example({ text: ` ${PASSAGE.replace(' ', '\n ')}` })
  const elsewhere = example({ text: 'Ada Holm sails for Tidewater.', document: 'b', relations: [] })
  const world = await corpus([copied, OWN, elsewhere])
  await call(world, 'DELETE', `${AT}/documents/a`)
  await world.ring()
  expect(await examplesOf(world)).toEqual([OWN, elsewhere])
})

it('[H2020] whatever dies at any call to any store, no word of it is left, and others can be set afterwards', async () => {
  const world = await corpus([example({ document: 'a' })])
  world.restart()
  world.base()
  const remove = async () => {
    await world.send('DELETE', `${AT}/documents/a`).catch(() => undefined)
    await world.ring().catch(() => undefined)
  }
  await remove()
  const calls = world.calls.length
  expect(calls).toBeGreaterThan(5)
  for (const how of ['before', 'after', 'refused'] satisfies Doom['how'][])
    for (let at = 1; at <= calls; at++) {
      world.again()
      world.doom({ at, how })
      await remove()
      world.restart()
      await world.send('DELETE', `${AT}/documents/a`)
      await call(world, 'PUT', `${AT}/documents/c`, { text: 'Nora Falk sails to Aarhus.' }) // sets the alarm that was lost
      await world.ring()
      expect([how, at, places(world)]).toEqual([how, at, []])
    }
  await call(world, 'PUT', AT, { settings: { extraction: { examples: [OWN] } } })
  await world.ring()
  expect(await examplesOf(world)).toEqual([OWN])
})

it('[H2023] who read the settings before and sends them afterwards does not bring it back; under the same id a new document may have one', async () => {
  const world = await corpus([example({ document: 'a' })])
  const { settings } = await call<{ settings: object }>(world, 'GET', AT)
  await call(world, 'DELETE', `${AT}/documents/a`)
  await world.ring()
  const { settings: shown } = await call<{ settings: { extraction: { examples: unknown } } }>(world, 'PUT', AT, { settings })
  await world.ring()
  expect([shown.extraction.examples, places(world)]).toEqual([null, []])
  const [uid = ''] = world.uids()
  const { settings: stored } = JSON.parse(
    (world.objectRows(uid) as Db).prepare(`SELECT value FROM meta WHERE key = 'config'`).all()[0]?.value as string,
  )
  const left = JSON.stringify([example({ document: 'a' })])
  for (const [db, path, of] of [
    [world.objectRows(uid), '$.settings.extraction.examples', `meta SET value = json_set(value`],
    [world.databases.DB, '$.extraction.examples', 'corpus SET settings = json_set(settings'],
  ] as const)
    db?.exec(`UPDATE ${of}, '${path}', json('${left}'))${of.startsWith('meta') ? ` WHERE key = 'config'` : ''}`)
  expect([stored.extraction.examples, places(world).length]).toEqual([null, 2]) // as an earlier release left it
  world.restart()
  await world.object(uid).tend()
  await world.ring()
  expect(places(world)).toEqual([])
  await call(world, 'PUT', `${AT}/documents/a`, { text: texts(PASSAGE).a })
  await call(world, 'PUT', AT, { settings })
  await world.ring()
  expect(await examplesOf(world)).toHaveLength(1)
})

it('[H2023] a change of other settings that was begun before the deletion and ends after it does not bring it back', async () => {
  const world = await corpus([example({ document: 'a' })])
  world.restart()
  world.base()
  world.doom({ at: 0, how: 'before' })
  await call(world, 'PUT', AT, { public: true })
  const calls = world.calls.length
  for (let at = 1; at <= calls; at++) {
    world.again()
    world.between(at, async () => {
      await call(world, 'DELETE', `${AT}/documents/a`)
      await world.ring()
    })
    await call(world, 'PUT', AT, { public: true })
    await world.ring()
    expect([at, places(world)]).toEqual([at, []])
  }
})

it('[T2074] settings that bring an example of a document that is deleted between any two of their writes leave no word of it', async () => {
  const world = await corpus([OWN])
  const put = () => world.send('PUT', AT, { settings: { extraction: { examples: [OWN, example({ document: 'a' })] } } })
  world.restart()
  world.base()
  world.doom({ at: 0, how: 'before' })
  await put()
  const calls = world.calls.length
  expect(calls).toBeGreaterThan(1)
  for (let at = 1; at <= calls; at++) {
    world.again()
    world.between(at, async () => {
      await call(world, 'DELETE', `${AT}/documents/a`)
      await world.ring()
    })
    const { status } = await put()
    await world.ring()
    expect([at, status, places(world), await examplesOf(world)]).toEqual([at, 200, [], [OWN]])
  }
})

it('[H2024] a backup restored with what was deleted since has no example of it, nor has a corpus set back to a moment before', async () => {
  const world = deployment()
  world.remembers = true
  await corpus([example({ document: 'a' }), OWN], world)
  const [uid = ''] = world.uids()
  const part = await (await world.request('GET', `${AT}/backup`)).text()
  world.clock.ahead += 60_000
  world.remember(uid)
  const time = new Date(Date.now()).toISOString()
  world.clock.ahead += 60_000
  await call(world, 'DELETE', `${AT}/documents/a`)
  await world.ring()
  expect((await world.request('POST', '/v1/corpora/copy:restore?replay=harbour', part)).status).toBeLessThan(300)
  await world.ring()
  expect([await examplesOf(world, '/v1/corpora/copy'), places(world)]).toEqual([[OWN], []])
  const { confirm } = await call<{ confirm: string }>(world, 'POST', `${AT}:restore-to`, { time })
  await call(world, 'POST', `${AT}:restore-to`, { time, confirm })
  for (let i = 0; i < 20; i++) {
    world.clock.ahead += 5000
    await world.send('GET', `${AT}/restore-to`)
    await world.ring(2)
  }
  expect([await examplesOf(world), places(world)]).toEqual([[OWN], []])
})

it('[H2025] a corpus in partitions, from whose texts no model takes names, takes none', async () => {
  const world = deployment()
  const { status, body } = await world.send('PUT', AT, { partitions: 2, settings: { extraction: { examples: [OWN] } } })
  expect([status, (body as { errors: { path: string }[] }).errors]).toMatchObject([422, [{ path: 'settings.extraction.examples' }]])
})
