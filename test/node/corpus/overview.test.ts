/** Questions about a whole, in the object: its labels, filters and periods, and how many pieces it gives. */
import { afterEach, describe, expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { retrieve } from '../../../durable-objects/corpus/query/retrieve'
import type { CorpusContext } from '../../../durable-objects/corpus/store'
import type { DocumentInput } from '../../../src/ports/documents'
import type { RetrieveRequest } from '../../../src/ports/retrieval'
import { mortalWorld, type World } from './mortal-object'
import { finish, noBill } from './working'

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

const TOPICS = 'What are the main topics?'
const SECRET = 'ledger-3'
const minutes: readonly DocumentInput[] = Array.from({ length: 30 }, (_, n) => ({
  id: `ledger-${n}`,
  title: `Minutes of the council, number ${n}`,
  text: `Councillor Bar${n} spoke of lantern ${n} and of the harbour. It was decided to paint boat ${n} before the winter.`,
  url: null,
  metadata: { half: n % 2 },
  access: `ledger-${n}` === SECRET ? ['group:secret'] : [],
  dates: { published_at: { value: n < 10 ? '2021-05-01' : '2023-05-01', source: 'given' } },
}))

async function settled(strategies: readonly string[] = ['erarag']): Promise<CorpusContext> {
  const world = mortalWorld(strategies, { chunking: { chunk: 60, overlap: 0, passage: 30 }, models: 'none' })
  worlds.push(world)
  const mortal = world.wake()
  accept(mortal.context, { kind: 'batch', upserts: minutes, deletes: [] })
  await finish(mortal, world, noBill())
  return mortal.context
}

function ask(context: CorpusContext, text: string, more: Partial<RetrieveRequest> = {}) {
  const found = retrieve(context, {
    strategy: 'auto',
    text,
    near: {},
    topK: 10,
    whole: 24,
    budget: 4000,
    trace: true,
    options: {},
    ...more,
  })
  if (found.kind !== 'evidence') throw new Error(found.kind)
  return found
}

const documentsOf = ({ evidence }: ReturnType<typeof ask>): string[] => [...new Set(evidence.flatMap((one) => one.document ?? []))]

describe('a question about a whole, in the object', () => {
  it('[Q642] has as many pieces as it may, and nobody chooses from them', async () => {
    const context = await settled()
    const all = ask(context, TOPICS, { pool: { topK: 30, budget: 4000 }, options: { select: 'model' } })
    expect([all.evidence.length, all.pool]).toEqual([24, undefined])
    expect(all.overview).toMatchObject({ kind: 'summary', from: 'summaries' })
    const few = retrieve(context, { strategy: 'auto', text: TOPICS, near: {}, topK: 4, budget: 4000, trace: false, options: {} })
    expect(few).toMatchObject({ evidence: { length: 4 } })
  })

  it('[Q643] keeps to the labels, the filter and the period', async () => {
    const context = await settled()
    for (const text of [TOPICS, 'Summarise the minutes of the council', `Summarise the minutes of the council, number 3`]) {
      const said = JSON.stringify(ask(context, text))
      expect([text, said.includes(SECRET), said.includes('boat 3 ')]).toEqual([text, false, false])
    }
    expect(documentsOf(ask(context, 'Summarise the minutes of the council, number 3', { asker: ['group:secret'] }))).toEqual([SECRET])
    const even = documentsOf(ask(context, TOPICS, { filters: { metadata: { half: 0 } } }))
    expect(even.length).toBe(15)
    expect(even.every((id) => Number(id.slice(7)) % 2 === 0)).toBe(true)
    const old = documentsOf(ask(context, TOPICS, { period: { until: Date.UTC(2021, 11, 31) } }))
    expect(old.length).toBeGreaterThan(0)
    expect(old.every((id) => Number(id.slice(7)) < 10)).toBe(true)
  })
})
