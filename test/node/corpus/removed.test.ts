/** Sentences that a new version no longer has and that no rule pairs: kept where a judge may read them, and gone when they are to be gone. */
import { afterEach, describe, expect, it } from 'vitest'
import { earlierRetentionAt, expireEarlier } from '../../../durable-objects/corpus/indexing/earlier-statements'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { changedAccess, setAccess } from '../../../durable-objects/corpus/ingest/set-access'
import { writeConfig } from '../../../durable-objects/corpus/pending-config'
import { listChanges } from '../../../durable-objects/corpus/query/changes'
import { retrieve } from '../../../durable-objects/corpus/query/retrieve'
import { besideOf } from '../../../durable-objects/corpus/replication/beside'
import { partitionedCorpus } from '../../../src/flows/partitions/corpus'
import { configOf } from '../../../src/http/corpus-config'
import type { Wired } from '../../../src/http/wired'
import type { CorpusRecord } from '../../../src/ports/catalogue'
import type { CorpusConfig } from '../../../src/ports/corpus'
import type { DocumentInput } from '../../../src/ports/documents'
import type { CorpusObject } from '../../../src/ports/object'
import { fakeModels } from '../../core/flows/fakes'
import { type Mortal, mortalWorld, type World } from './mortal-object'
import { finish, noBill } from './working'

const DAY = 86_400_000
const OLD = 'The ferry costs 45 thalers.'
const NEW = 'Crossing the lake is now sixty thalers a head.'
const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

const prices = (text: string, more: Partial<DocumentInput> = {}): DocumentInput => ({
  id: 'prices',
  text: `Herons wait at the pond. ${text}`,
  title: 'Ferry',
  url: null,
  metadata: {},
  ...more,
})

async function corpus({ days = 30, hasJudge = true } = {}) {
  const world = mortalWorld([], { models: 'none', earlier: { days } })
  worlds.push(world)
  const change = (to: Partial<CorpusConfig>): Mortal => {
    const { context } = world.wake()
    writeConfig(context, context.config, { ...context.config, ...to })
    return world.wake()
  }
  const mortal = change(hasJudge ? { hasJudge } : {})
  const put = async (document: DocumentInput): Promise<void> => {
    accept(mortal.context, { kind: 'batch', upserts: [document], deletes: [] })
    await finish(mortal, world, noBill())
  }
  const remove = async (): Promise<void> => {
    accept(mortal.context, { kind: 'delete', upserts: [], deletes: ['prices'] })
    await finish(mortal, world, noBill())
  }
  return { world, mortal, put, remove, change }
}

const rows = ({ context }: Mortal): string[] =>
  context.sql.all<{ before: string }>('SELECT before FROM earlier ORDER BY n').map((one) => one.before)

function found({ context }: Mortal, more: object = { judged: true }) {
  const request = { strategy: 'keyword', near: {}, topK: 10, budget: 4000, trace: false, options: {}, asker: 'all' } as const
  const result = retrieve(context, { ...request, text: 'What does the ferry on the lake cost?', ...more })
  if (result.kind !== 'evidence') throw new Error(result.kind)
  return result
}

describe('what a new version no longer says', () => {
  it('[T2130] is kept where there is a judge, if it states a number, date, name or negation, and given to a question that a judge will read', async () => {
    const { put, mortal, world } = await corpus()
    await put(prices(`${OLD} Dogs are free. Boats are not heated.`, { dates: { published_at: { value: '2024', source: 'given' } } }))
    await put(prices(NEW))
    expect(rows(mortal)).toEqual([OLD, 'Boats are not heated.'])
    const at = new Date(world.clock.now).toISOString()
    expect(found(mortal).removed).toMatchObject([{ document: 'prices', quote: OLD, dates: { published_at: { value: '2024' } } }])
    expect(found(mortal).removed?.[0]?.replaced_at.slice(0, 10)).toBe(at.slice(0, 10))
    const receipts = mortal.context.sql.all<{ receipt: string }>('SELECT receipt FROM job ORDER BY n').map((row) => JSON.parse(row.receipt))
    expect(receipts.map((one) => one.earlier_kept)).toEqual([undefined, undefined])
  })

  it('[T2133] changes no evidence, and is in no list of changes', async () => {
    const { put, mortal } = await corpus()
    await put(prices(OLD))
    await put(prices(NEW))
    expect(found(mortal, {})).toEqual({ ...found(mortal), removed: undefined })
    expect(JSON.stringify(found(mortal).evidence)).not.toContain(OLD)
    const changes = listChanges(mortal.context, { document: 'prices', since: 0, after: null, limit: 10 }, 'all')
    expect(changes?.rows).toEqual([])
  })

  it('[T2133] is given for nobody who may not read the document now, and of the latest 120 sentences of all documents', async () => {
    const { put, mortal } = await corpus()
    for (const text of [OLD, NEW]) await put(prices(text, { access: ['captain'] }))
    const isGiven = (asker: 'all' | readonly string[]) => found(mortal, { judged: true, asker }).removed !== undefined
    expect([isGiven('all'), isGiven(['captain']), isGiven(['cook']), isGiven([])]).toEqual([true, true, false, false])
    const later = "INSERT INTO earlier (document, now, before, at, dates) VALUES ('prices', '', 'None was.', 9e12, '{}')"
    for (let n = 0; n < 120; n++) mortal.context.sql.run(later)
    expect(found(mortal).removed).toBeUndefined()
  })

  it('[T2130] is not kept without a judge, nor by a corpus that keeps nothing', async () => {
    for (const one of [await corpus({ hasJudge: false }), await corpus({ days: 0 })]) {
      await one.put(prices(OLD))
      await one.put(prices(NEW))
      expect([rows(one.mortal), found(one.mortal).removed]).toEqual([[], undefined])
    }
  })

  it('[T2130] is kept once as what rules paired or as what they did not, up to 40 of a document, the latest, and is gone where it is said again', async () => {
    const { put, mortal } = await corpus()
    const many = (from: number) =>
      Array.from({ length: 30 }, (_, i) => `Gate ${String.fromCharCode(65 + (i % 26))}${'x'.repeat(i)} shuts at ${from + i}.`).join(' ')
    await put(prices(`${OLD} Anna Berg rows 3 boats.`))
    await put(prices('The ferry costs 50 thalers.'))
    expect(rows(mortal)).toEqual([OLD, 'Anna Berg rows 3 boats.'])
    await put(prices('Anna Berg rows 3 boats. The ferry costs 50 thalers.'))
    expect(rows(mortal)).toEqual([OLD])
    await put(prices(many(100)))
    await put(prices(NEW))
    expect(rows(mortal)).toHaveLength(32) // OLD went with its statement
    await put(prices(many(900)))
    await put(prices(NEW))
    expect(rows(mortal)).toHaveLength(40)
  })

  it('[T2130] goes with its document, with its days, with other labels, with the judge, and at once where nothing is to be kept', async () => {
    const { world, put, remove, mortal, change } = await corpus()
    const both = async (more: Partial<DocumentInput> = {}) => {
      await put(prices(OLD, more))
      await put(prices(NEW, more))
      expect(rows(mortal)).toContain(OLD)
    }
    await both()
    expect(earlierRetentionAt(mortal.context)).toBe(world.clock.now + 30 * DAY)
    world.clock.now += 31 * DAY
    expect(found(mortal).removed).toBeUndefined()
    expireEarlier(mortal.context)
    expect(rows(mortal)).toEqual([])
    await both()
    await put(prices(`${NEW} Dogs are free.`, { access: ['captain'] }))
    expect(rows(mortal)).toEqual([])
    await both({ access: ['captain'] })
    const { context } = mortal
    context.atomically(() => setAccess(context, changedAccess(context, [{ id: 'prices', access: [] }])))
    expect(rows(mortal)).toEqual([])
    await both()
    await remove()
    expect(rows(mortal)).toEqual([])
    await both()
    const { hasJudge: _, ...config } = mortal.context.config
    writeConfig(mortal.context, mortal.context.config, config)
    expect(rows(mortal)).toEqual([])
    change({ hasJudge: true })
    await both()
    change({ settings: { ...config.settings, earlier: { days: 0 } } })
    expect(rows(mortal)).toEqual([])
  })

  it('[T2130] is copied to replicas with the rest of its document', async () => {
    const { put, mortal } = await corpus()
    await put(prices(`${OLD} Boats are not heated.`))
    await put(prices(NEW))
    expect(besideOf(mortal.context, 'prices')?.earlier.map(({ before, now }) => [before, now])).toEqual([
      ['Boats are not heated.', ''],
      [OLD, ''],
    ])
  })
})

describe('whether a corpus has a judge', () => {
  it('[T2130] is sent with its settings, by the deployment’s judge or the one the corpus has chosen; not to partitions, which tell no earlier statements', async () => {
    const writer = fakeModels({ write: [''] })
    const models = { ...writer, choices: [{ id: 'wise', window: 8000 }] }
    const record = (settings: object) => ({ uid: 'u', name: 'n', strategies: [], budget: {}, settings }) as unknown as CorpusRecord
    const has = (judge: typeof writer | null, settings = {}) => configOf({ models, judge } as unknown as Wired, record(settings)).hasJudge
    expect([has(null), has(fakeModels()), has(writer), has(null, { roleModels: { judge: 'wise' } })]).toEqual([
      undefined,
      undefined,
      true,
      true,
    ])
    const sent: (boolean | undefined)[] = []
    const object = { configure: async ({ hasJudge }: CorpusConfig) => void sent.push(hasJudge) } as unknown as CorpusObject
    const whole = partitionedCorpus({ uid: 'u', whole: object, parts: [object] })
    await whole.configure(configOf({ models, judge: writer } as unknown as Wired, record({})))
    expect(sent).toEqual([true, undefined]) // the whole's object first
  })
})
