/** What statements said before a new version of their document changed them: kept where a corpus asks for it, gone when it is to be gone. */
import { afterEach, describe, expect, it } from 'vitest'
import { earlierRetentionAt, expireEarlier } from '../../../durable-objects/corpus/indexing/earlier-statements'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { changedAccess, setAccess } from '../../../durable-objects/corpus/ingest/set-access'
import { writeConfig } from '../../../durable-objects/corpus/pending-config'
import { retrieve } from '../../../durable-objects/corpus/query/retrieve'
import type { DocumentInput } from '../../../src/ports/documents'
import { type Mortal, mortalWorld, type World } from './mortal-object'
import { finish, noBill } from './working'

const DAY = 86_400_000
const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

const price = (value: number, more: Partial<DocumentInput> = {}): DocumentInput => ({
  id: 'prices',
  text: `Herons wait at the pond. The ferry to Norhaven costs ${value} thalers. Dogs are free.`,
  title: '',
  url: null,
  metadata: {},
  ...more,
})

async function corpus(days?: number) {
  const world = mortalWorld([], { models: 'none', ...(days === undefined ? {} : { earlier: { days } }) })
  worlds.push(world)
  const mortal = world.wake()
  const put = async (document: DocumentInput): Promise<void> => {
    accept(mortal.context, { kind: 'batch', upserts: [document], deletes: [] })
    await finish(mortal, world, noBill())
  }
  const remove = async (): Promise<void> => {
    accept(mortal.context, { kind: 'delete', upserts: [], deletes: ['prices'] })
    await finish(mortal, world, noBill())
  }
  return { world, mortal, put, remove }
}

const rows = ({ context }: Mortal): number => context.sql.one<{ n: number }>('SELECT count(*) AS n FROM earlier')?.n ?? 0

function earlierIn({ context }: Mortal) {
  const request = {
    strategy: 'keyword',
    text: 'What does the ferry cost?',
    near: {},
    topK: 10,
    budget: 4000,
    trace: false,
    options: {},
    asker: 'all',
  } as const
  const result = retrieve(context, request)
  if (result.kind !== 'evidence') throw new Error(result.kind)
  return result.evidence.flatMap((one) =>
    (one.earlier ?? []).map(({ start, end, quote }) => [one.text.slice(start - (one.start ?? 0), end - (one.start ?? 0)), quote]),
  )
}

describe('what a new version changed', () => {
  it('[J1282] is told with the evidence where the corpus keeps it, every step of it, the latest first, at the place where the statement stands', async () => {
    const { put, mortal } = await corpus(30)
    for (const value of [30, 40, 50]) await put(price(value))
    const now = 'The ferry to Norhaven costs 50 thalers.'
    expect(earlierIn(mortal)).toEqual([
      [now, 'The ferry to Norhaven costs 40 thalers.'],
      [now, 'The ferry to Norhaven costs 30 thalers.'],
    ])
    await put({ ...price(50), text: 'The ferry has gone.' })
    expect([earlierIn(mortal), rows(mortal)]).toEqual([[], 0])
  })

  it('[T2070] is kept for 30 days by a corpus that says nothing about it, and counted in the receipt of the job', async () => {
    const { put, mortal, world } = await corpus()
    for (const value of [30, 40]) await put(price(value))
    expect(earlierIn(mortal)).toHaveLength(1)
    expect(earlierRetentionAt(mortal.context)).toBe(world.clock.now + 30 * DAY)
    const receipts = mortal.context.sql.all<{ receipt: string }>('SELECT receipt FROM job ORDER BY n').map((row) => JSON.parse(row.receipt))
    expect(receipts.map((one) => one.earlier_kept)).toEqual([undefined, 1])
  })

  it('[J1283] is kept by no corpus that says 0, and gone at once where it becomes 0', async () => {
    const off = await corpus(0)
    for (const value of [30, 40]) await off.put(price(value))
    expect([earlierIn(off.mortal), rows(off.mortal)]).toEqual([[], 0])
    const on = await corpus(30)
    for (const value of [30, 40]) await on.put(price(value))
    expect(rows(on.mortal)).toBe(1)
    const { config } = on.mortal.context
    writeConfig(on.mortal.context, config, { ...config, settings: { ...config.settings, earlier: { days: 0 } } })
    expect(rows(on.mortal)).toBe(0)
  })

  it('[J1283] goes with the document, with its days, and where the new version has other labels than the old', async () => {
    const { world, put, remove, mortal } = await corpus(30)
    for (const value of [30, 40]) await put(price(value))
    expect(earlierRetentionAt(mortal.context)).toBe(world.clock.now + 30 * DAY)
    world.clock.now += 31 * DAY
    expect(earlierIn(mortal)).toEqual([])
    expireEarlier(mortal.context)
    expect([rows(mortal), earlierRetentionAt(mortal.context)]).toEqual([0, null])
    await put(price(50))
    expect(rows(mortal)).toBe(1)
    await put(price(60, { access: ['captain'] }))
    expect(rows(mortal)).toBe(0)
    await put(price(70, { access: ['captain'] }))
    expect(rows(mortal)).toBe(1)
    const { context } = mortal
    context.atomically(() => setAccess(context, changedAccess(context, [{ id: 'prices', active: false }])))
    expect(rows(mortal)).toBe(1)
    context.atomically(() => setAccess(context, changedAccess(context, [{ id: 'prices', access: [] }])))
    expect(rows(mortal)).toBe(0)
    await put(price(80))
    expect(rows(mortal)).toBe(1)
    await remove()
    expect(rows(mortal)).toBe(0)
  })
})
