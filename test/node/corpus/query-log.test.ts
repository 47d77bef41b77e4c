/** The log of questions and the days of spending, in the object: entered, rated, forgotten with their documents, thrown away in time. */
import { afterEach, describe, expect, it } from 'vitest'
import { costs } from '../../../durable-objects/corpus/billing/days'
import { chargeStages, usageView } from '../../../durable-objects/corpus/billing/usage-recorder'
import { acceptWithAudit } from '../../../durable-objects/corpus/ingest/accept-with-audit'
import { deleteExpired, retentionAt } from '../../../durable-objects/corpus/maintenance/retention'
import { enterQuestion, logged, rate } from '../../../durable-objects/corpus/query-log/log'
import type { CorpusContext } from '../../../durable-objects/corpus/store'
import { listPoor } from '../../../durable-objects/corpus/tables/question-log'
import { auditDefaults } from '../../../src/ports/audit'
import type { NewLogged } from '../../../src/ports/seeing'
import { mortalWorld, type World } from './mortal-object'
import { finish, noBill } from './working'

const DAY = 86_400_000
const SECRET = 'blackthorn'
const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

async function corpus(questions: 'none' | 'redacted' | 'full' = 'full') {
  const world = mortalWorld([], { models: 'none' })
  worlds.push(world)
  const mortal = world.wake()
  const upserts = ['mill', 'farm'].map((id) => ({ id, text: `The ${SECRET} of ${id} is cut at dusk.`, title: '', url: null, metadata: {} }))
  acceptWithAudit(mortal.context, { key: 'writer', door: 'http' }, { kind: 'batch', upserts, deletes: [] })
  await finish(mortal, world, noBill())
  const context: CorpusContext = {
    ...mortal.context,
    config: { ...mortal.context.config, audit: { ...auditDefaults, questions, question_days: 30 } },
  }
  return { world, mortal, context }
}

const entry = (id: string, more: Partial<NewLogged> = {}): NewLogged => ({
  id,
  kind: 'query',
  outcome: 'answered',
  question: `When is the ${SECRET} cut?`,
  answer: `The ${SECRET} is cut at dusk.`,
  confidence: 0.9,
  version: 1,
  ms: 12,
  documents: ['mill'],
  degraded: [],
  isBroad: false,
  ...more,
})
const all = { before: null, limit: 100, outcome: null, rating: null } as const

describe('the log of questions', () => {
  it('[V803] keeps nothing unless the corpus asks for it', async () => {
    const { context } = await corpus('none')
    enterQuestion(context, entry('q_1'), 'k', 'http')
    expect(logged(context, all)).toEqual([])
  })

  it('[V803] lists what was asked, newest first, by outcome and rating', async () => {
    const { context } = await corpus()
    enterQuestion(context, entry('q_1'), 'k', 'http')
    enterQuestion(context, entry('q_2', { outcome: 'nothing', documents: [], answer: null }), 'other', 'mcp')
    enterQuestion(context, entry('q_2', { outcome: 'nothing' }), 'other', 'mcp') // the call came twice
    expect(logged(context, all).map(({ id, key, door }) => [id, key, door])).toEqual([
      ['q_2', 'other', 'mcp'],
      ['q_1', 'k', 'http'],
    ])
    expect(logged(context, { ...all, outcome: 'nothing' }).map(({ id }) => id)).toEqual(['q_2'])
    expect(rate(context, 'q_1', { rating: -1, comment: 'No.', wrong: [1] }, 'k')).toBe(true)
    expect(logged(context, { ...all, rating: -1 }).map(({ id, comment, wrong }) => [id, comment, wrong])).toEqual([['q_1', 'No.', [1]]])
    expect(listPoor(context.sql, 0, 10).map(({ id }) => id)).toEqual(['q_2', 'q_1'])
  })

  it('[V805] is rated by the key that asked, or by whoever may rate any', async () => {
    const { context } = await corpus()
    enterQuestion(context, entry('q_1'), 'k', 'http')
    const good = { rating: 1, comment: null, wrong: null } as const
    expect([rate(context, 'q_1', good, 'other'), rate(context, 'q_none', good, null), rate(context, 'q_1', good, null)]).toEqual([
      false,
      false,
      true,
    ])
  })

  it('[V804] loses what may quote a document in the transaction that deletes it, and keeps ids', async () => {
    const { world, mortal, context } = await corpus()
    enterQuestion(context, entry('q_1'), 'k', 'http')
    enterQuestion(context, entry('q_2', { documents: ['farm'] }), 'k', 'http')
    rate(context, 'q_1', { rating: -1, comment: `There is no ${SECRET}.`, wrong: null }, 'k')
    acceptWithAudit(mortal.context, undefined, { kind: 'delete', upserts: [], deletes: ['mill'] })
    await finish(mortal, world, noBill())
    const [other, own] = logged(context, all)
    expect([own?.id, own?.question, own?.answer, own?.comment, own?.documents, own?.rating]).toEqual([
      'q_1',
      null,
      null,
      null,
      ['mill'],
      -1,
    ])
    expect(other?.question).toContain(SECRET)
    // One that was on its way while the document went.
    enterQuestion(context, entry('q_3', { documents: ['farm', 'mill'] }), 'k', 'http')
    expect(logged(context, all)[0]).toMatchObject({ id: 'q_3', question: null, answer: null })
    rate(context, 'q_3', { rating: -1, comment: `Still no ${SECRET}.`, wrong: null }, 'k')
    expect(logged(context, all)[0]).toMatchObject({ id: 'q_3', rating: -1, comment: null })
  })

  it('[V804] loses what a summary may have told of any document, and what was answered before a document went and came again', async () => {
    const { world, mortal, context } = await corpus()
    const { version } = context.graph
    const broad = { documents: ['farm'], isBroad: true, version }
    enterQuestion(context, entry('q_1', broad), 'k', 'http')
    const again = { id: 'mill', text: 'Nothing is cut.', title: '', url: null, metadata: {} }
    acceptWithAudit(mortal.context, undefined, { kind: 'delete', upserts: [], deletes: ['mill'] })
    await finish(mortal, world, noBill())
    acceptWithAudit(mortal.context, undefined, { kind: 'ingest', upserts: [again], deletes: [] })
    await finish(mortal, world, noBill())
    enterQuestion(context, entry('q_2', broad), 'k', 'http')
    enterQuestion(context, entry('q_3', { documents: ['farm', 'mill'], version }), 'k', 'http')
    enterQuestion(context, entry('q_4', { documents: ['farm'], version }), 'k', 'http')
    enterQuestion(context, entry('q_5', { ...broad, version: context.graph.version }), 'k', 'http')
    expect(logged(context, all).map(({ id, question, answer }) => [id, question !== null, answer !== null])).toEqual([
      ['q_5', true, true],
      ['q_4', true, true],
      ['q_3', false, false],
      ['q_2', false, false],
      ['q_1', false, false],
    ])
  })

  it('[V803] is thrown away when its days are over', async () => {
    const { context } = await corpus()
    const at = context.now()
    enterQuestion(context, entry('q_1'), 'k', 'http')
    enterQuestion({ ...context, now: () => at + 20 * DAY }, entry('q_2'), 'k', 'http')
    expect(retentionAt(context)).toBeLessThanOrEqual(at + 30 * DAY)
    deleteExpired({ ...context, now: () => at + 31 * DAY })
    expect(logged(context, all).map(({ id }) => id)).toEqual(['q_2'])
    expect(context.sql.all('SELECT DISTINCT n FROM question_log_document')).toHaveLength(1)
  })
})

describe('what was spent, by day', () => {
  const spent = { in: 100, out: 20, embedded: 0, calls: 1 }
  const range = { from: 0, until: 100_000, key: null }

  it('[V801] is counted by key and stage, and agrees with the sums', async () => {
    const { context } = await corpus()
    const day = Math.floor(context.now() / DAY)
    chargeStages(context, { answer: spent, question: { ...spent, in: 0, out: 0, embedded: 7 } }, [], 'ana')
    chargeStages(context, { answer: spent }, [], 'ben')
    chargeStages({ ...context, now: () => context.now() + DAY }, { answer: spent }, [], 'ana')
    const rows = costs(context, range)
    const of = (key: string, stage: string, at: number) =>
      rows
        .filter((row) => row.key === key && row.stage === stage && row.day === new Date(at * DAY).toISOString().slice(0, 10))
        .map((row) => [row.calls, row.in, row.embedded])
    expect([of('ana', 'answer', day), of('ana', 'question', day), of('ben', 'answer', day), of('ana', 'answer', day + 1)]).toEqual([
      [[1, 100, 0]],
      [[1, 0, 7]],
      [[1, 100, 0]],
      [[1, 100, 0]],
    ])
    const sum = (name: 'calls' | 'in' | 'out' | 'embedded'): number => rows.reduce((all, row) => all + row[name], 0)
    const { total } = usageView(context, null, 10)
    expect([sum('calls'), sum('in'), sum('out'), sum('embedded')]).toEqual([total.calls, total.in, total.out, total.embedded])
    expect(costs(context, { ...range, key: 'ben' }).map((row) => row.key)).toEqual(['ben'])
    expect(costs(context, { ...range, from: day + 1 }).map((row) => row.key)).toEqual(['ana'])
  })

  it('[V801] of indexing counts for who brought the document', async () => {
    const { context } = await corpus()
    expect([...new Set(costs(context, range).map(({ key, stage }) => `${key} ${stage}`))]).toEqual(['writer embed'])
  })

  it('[V801] is kept for 400 days', async () => {
    const { context } = await corpus()
    deleteExpired({ ...context, now: () => context.now() + 402 * DAY })
    expect(costs(context, range)).toEqual([])
    expect(usageView(context, null, 1).total.calls).toBeGreaterThan(0)
  })
})
