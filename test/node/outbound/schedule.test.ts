/** What the schedule does for a corpus besides fetching: asks again, throws away, consolidates. */
import { afterEach, describe, expect, it } from 'vitest'
import { commitRound, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { document } from '../../../durable-objects/corpus/ingest/documents'
import { finishJobsAwaitingSinks } from '../../../durable-objects/corpus/jobs/finish-jobs'
import { noteHealthRead } from '../../../durable-objects/corpus/maintenance/drift'
import { health } from '../../../durable-objects/corpus/maintenance/health'
import { runMaintenanceSlice, startMaintenance } from '../../../durable-objects/corpus/maintenance/maintain'
import { runScheduledMaintenance } from '../../../durable-objects/corpus/maintenance/scheduled-maintenance'
import { drain } from '../../../durable-objects/corpus/outbox/drain'
import type { CorpusContext } from '../../../durable-objects/corpus/store'
import { enabledBuilders } from '../../../src/core/strategies/registry'
import { sweep } from '../../../src/flows/sweep'
import type { CorpusRef } from '../../../src/ports/corpus'
import { until } from '../../core/until'
import { answered, noBill } from '../corpus/working'
import { DAY, type Place, place } from './world'

const HOUR = 3_600_000
const NOTHING = { patch: [], tasks: [] }
const open: Place[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

function corpus(strategies: readonly string[] = []): Place {
  const here = place({ current: () => new Response(null, { status: 204 }) })
  open.push(here)
  const { context } = here.mortal
  const { config } = context
  const settings = { ...config.settings, writer: true, ketrag: { ...config.settings.ketrag, share: 1 } }
  const set: CorpusContext = { ...context, config: { ...config, strategies, settings }, builders: enabledBuilders(strategies) }
  here.mortal = { ...here.mortal, context: set }
  return here
}

/** Works until nothing is urgent; what is to be extracted cannot be read while `blind`. How many extractions were asked for. */
async function work({ mortal }: Place, blind: boolean): Promise<number> {
  let asked = 0
  until(() => {
    const round = openTasks(mortal.context, 'runner', 64)
    if (!round || round.tasks.length === 0) return true
    const results = answered(round, noBill()).map((result, i) => {
      if (round.tasks[i]?.brief.kind !== 'extract') return result
      asked++
      const { node, input } = result.reply
      return blind ? { ...result, reply: { node, input, kind: 'unusable' as const, reason: 'invalid' } } : result
    })
    commitRound(mortal.context, 'runner', results)
    return false
  })
  await drain(mortal.context, mortal.sinks)
  finishJobsAwaitingSinks(mortal.context)
  return asked
}

const rows = ({ mortal }: Place, table: string): number =>
  mortal.context.sql.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0

describe('the schedule', () => {
  it('[F210] chunks a model could not read are asked for again, later each time; read at last, the document is ready', async () => {
    const here = corpus(['ketrag'])
    const { context } = here.mortal
    await here.endpoint('https://receiver.example/', ['document.ready', 'document.partial'])
    const upserts = [{ id: 'a', text: 'Anna Berg saw Otto Brandt in Port Ellis.', title: '', url: null, metadata: {} }]
    accept(context, { kind: 'ingest', upserts, deletes: [] })
    expect(await work(here, true)).toBe(1)
    expect(document(context, 'a')).toMatchObject({ status: 'partial', error: 'quarantined: invalid' })
    const pauses: number[] = []
    const asked: number[] = []
    for (let time = 0; time < 8; time++) {
      const due = context.sql.one<{ due: number }>('SELECT due FROM quarantine')?.due ?? 0
      pauses.push((due - here.world.clock.now) / HOUR)
      here.world.clock.now = due - 1
      runScheduledMaintenance(context)
      expect(await work(here, true)).toBe(0)
      here.world.clock.now = due
      runScheduledMaintenance(context)
      asked.push(await work(here, true))
    }
    expect([pauses, asked]).toEqual([
      [1, 4, 16, 64, 256, 720, 720, 720],
      [1, 1, 1, 1, 1, 1, 0, 0],
    ])
    expect(document(context, 'a')?.status).toBe('partial')
    context.sql.run('UPDATE quarantine SET tries = 0, due = 0')
    runScheduledMaintenance(context)
    expect(await work(here, false)).toBe(1)
    expect(document(context, 'a')).toMatchObject({ status: 'ready' })
    expect(rows(here, 'quarantine')).toBe(0)
    await here.pass(1000)
    expect(here.asked.map(({ body }) => JSON.parse(body).type)).toEqual(['document.partial', 'document.ready'])
    // A chunk that has gone is not asked about.
    accept(context, { kind: 'ingest', upserts: [{ ...upserts[0], id: 'b', text: 'Mira Vogel left Lake Arbor.' } as never], deletes: [] })
    await work(here, true)
    accept(context, { kind: 'delete', upserts: [], deletes: ['b'] })
    await work(here, true)
    here.world.clock.now += 2 * HOUR
    runScheduledMaintenance(context)
    expect([await work(here, true), rows(here, 'quarantine')]).toEqual([0, 0])
  })

  it('[V31] old rows are deleted, a bounded number a visit', async () => {
    const here = corpus()
    const { context } = here.mortal
    const { id } = await here.endpoint('https://receiver.example/')
    accept(context, {
      kind: 'ingest',
      upserts: [{ id: 'a', text: 'A heron.', title: '', url: null, metadata: {} }],
      deletes: [],
      events: ['e'],
    })
    await work(here, false)
    await here.pass(1000)
    const now = here.world.clock.now
    const dead = `INSERT INTO delivery (id, event, endpoint, type, body, state, attempts, due, at)
      SELECT 'x' || value, 'e', ?, 'document.ready', '{}', 'dead', 1, 0, ? FROM generate_series`
    const many = Array.from({ length: 3000 }, (_, i) => i)
    context.sql.run(dead.replace('generate_series', 'json_each(?)'), id, now, JSON.stringify(many))
    context.sql.run(`INSERT INTO awaited (chunk, revision) VALUES ('c_gone', 999)`)
    context.sql.run(`INSERT INTO staged (chunk, body) VALUES ('c_gone', '{}')`)
    runScheduledMaintenance(context)
    expect([rows(here, 'awaited'), rows(here, 'staged'), rows(here, 'job'), rows(here, 'event')]).toEqual([0, 0, 1, 1])
    here.world.clock.now = now + 4 * DAY
    runScheduledMaintenance(context)
    expect((await here.object.deliveries(id, 'delivered', null, 10)).data).toEqual([])
    expect(rows(here, 'delivery')).toBe(3000)
    here.world.clock.now = now + 31 * DAY
    runScheduledMaintenance(context)
    expect([rows(here, 'delivery'), rows(here, 'job'), rows(here, 'event')]).toEqual([1000, 0, 0])
    runScheduledMaintenance(context)
    expect(rows(here, 'delivery')).toBe(0)
    expect(document(context, 'a')?.status).toBe('ready')
  })

  it('[V31] the catalogue deletes rows of corpora that were deleted thirty days ago', async () => {
    const forgotten: string[] = []
    const deletions = {
      due: async () => [],
      cleared: async (before: number) => (before === 70 * DAY ? [{ uid: 'a' }, { uid: 'b', database: 'DATA_7' }, { uid: 'c' }] : []),
      forget: async (uid: string) => void forgotten.push(uid),
    }
    // Its fence in the read model goes first; where that cannot be reached, the row stays for the next time.
    const readModel = { forget: ({ database }: CorpusRef) => (database ? Promise.reject(new Error('down')) : Promise.resolve()) }
    const watch = { expect: async () => undefined, overdue: async () => [] }
    const audited: number[] = []
    const audit = { forget: async (before: number) => void audited.push(before) }
    const corpus = () => ({ tend: async () => true, reconcile: async () => 'open' as const, recover: async () => null })
    await sweep({
      deletions,
      recoveries: { open: async () => [] },
      readModel,
      answers: { sweep: async () => undefined },
      audit,
      watch,
      corpus,
      now: () => 100 * DAY,
    })
    expect([forgotten, audited]).toEqual([['a', 'c'], [-300 * DAY]])
  })

  it('[V32] when a fifth of the passages have come or gone the corpus consolidates, and sends `corpus.drift`', async () => {
    const here = corpus()
    const { context } = here.mortal
    await here.endpoint('https://receiver.example/', ['corpus.drift'])
    const upserts = Array.from({ length: 70 }, (_, i) => ({
      id: `d${i}`,
      text: `A heron waits at pier ${i}.`,
      title: '',
      url: null,
      metadata: {},
    }))
    accept(context, { kind: 'batch', upserts, deletes: [] })
    await work(here, false)
    runScheduledMaintenance(context)
    runScheduledMaintenance(context)
    expect(rows(here, `job WHERE kind = 'consolidate'`)).toBe(1)
    await here.settle()
    await here.pass(1000)
    expect(here.asked.map(({ body }) => JSON.parse(body).data)).toMatchObject([{ measure: 'churn', share: 1, version: 1 }])
  })

  it('[V32] a measure of quality that has fallen beyond its bound is reported once, until it has recovered', async () => {
    const here = corpus(['archrag'])
    const { context } = here.mortal
    let [likeness, measured] = [0.05, 0]
    const drift = () => {
      measured++
      return [
        { measure: 'modularity', lost: 0.02, bound: 0.1 },
        { measure: 'likeness', lost: likeness, bound: 0.1 },
      ]
    }
    const builders = context.builders.map((one) => (one.name === 'archrag' ? { ...one, drift, consolidate: () => NOTHING } : one))
    Object.assign(context, { builders })
    const come = async (from: number, to: number): Promise<void> => {
      const upserts = Array.from({ length: to - from }, (_, i) => ({
        id: `d${from + i}`,
        text: `A heron waits at pier ${from + i}.`,
        title: '',
        url: null,
        metadata: {},
      }))
      accept(context, { kind: 'batch', upserts, deletes: [] })
      await work(here, false)
      Object.assign(context, { builders })
      runScheduledMaintenance(context)
      await work(here, false)
    }
    await come(0, 70) // everything has come: it consolidates
    expect(measured).toBe(0) // nobody wants to know
    until(
      () => !runMaintenanceSlice(context),
      () => Object.assign(context, { builders }),
    )
    await here.endpoint('https://receiver.example/', ['corpus.drift'])
    const told = async () => {
      await here.pass(1000)
      return here.asked.splice(0).map(({ body }) => JSON.parse(body).data)
    }
    await come(70, 71)
    expect([measured, await told()]).toEqual([1, []])
    likeness = 0.1234
    await come(71, 73)
    expect([measured, await told()]).toEqual([1, []]) // too little has moved to look
    await come(73, 76)
    const version = context.graph.version
    expect([measured, await told()]).toMatchObject([2, [{ measure: 'likeness', strategy: 'archrag', share: 0.123, version }]])
    likeness = 0.2
    await come(76, 80)
    expect([measured, await told()]).toEqual([3, []]) // once
    startMaintenance(context, 'consolidate')
    for (let more = true; more; more = runMaintenanceSlice(context)) Object.assign(context, { builders })
    await work(here, false)
    likeness = 0
    await come(80, 81)
    expect([measured, await told()]).toEqual([4, []])
    likeness = 0.3
    await come(81, 86)
    expect([measured, (await told()).map((one) => one.share)]).toEqual([5, [0.3]]) // it has fallen anew
  })

  it('[V88] quality is measured for readers of the health report, for a day; an endpoint is sent a drift all the same', async () => {
    const here = corpus(['archrag'])
    const { context } = here.mortal
    let measured = 0
    const drift = () => {
      measured++
      return [{ measure: 'likeness', lost: 0.3, bound: 0.1 }]
    }
    const builders = context.builders.map((one) => (one.name === 'archrag' ? { ...one, drift, consolidate: () => NOTHING } : one))
    const look = () => {
      Object.assign(context, { builders })
      runScheduledMaintenance(context)
      for (let more = true; more; more = runMaintenanceSlice(context)) Object.assign(context, { builders })
    }
    const page = (n: number) => ({ id: `d${n}`, text: `A heron waits at pier ${n}.`, title: '', url: null, metadata: {} })
    accept(context, { kind: 'batch', upserts: Array.from({ length: 70 }, (_, n) => page(n)), deletes: [] })
    await work(here, false)
    look()
    expect([measured, health(context).quality]).toEqual([0, null])
    noteHealthRead(context)
    look()
    look()
    const { quality } = health(context)
    expect([measured, quality?.measures]).toEqual([1, [{ strategy: 'archrag', measure: 'likeness', lost: 0.3, bound: 0.1 }]])
    // No endpoint was sent it yet.
    await here.endpoint('https://receiver.example/', ['corpus.drift'])
    look()
    await here.pass(1000)
    expect([measured, here.asked.map(({ body }) => JSON.parse(body).data.share)]).toEqual([2, [0.3]])
    // A builder that is switched off has no quality.
    Object.assign(context, { builders: [] })
    expect(health(context).quality).toBeNull()
  })

  it('[V88] quality is not measured where nobody has read the health report for a day', async () => {
    const here = corpus(['archrag'])
    const { context } = here.mortal
    let measured = 0
    const builders = context.builders.map((one) => (one.name === 'archrag' ? { ...one, drift: () => (measured++, []) } : one))
    accept(context, {
      kind: 'batch',
      upserts: Array.from({ length: 70 }, (_, n) => ({
        id: `d${n}`,
        text: `A heron waits at pier ${n}.`,
        title: '',
        url: null,
        metadata: {},
      })),
      deletes: [],
    })
    await work(here, false)
    noteHealthRead(context)
    await here.pass(2 * DAY)
    Object.assign(context, { builders })
    runScheduledMaintenance(context)
    expect(measured).toBe(0)
  })

  it('[V99] summaries left to the schedule are written by it: none stays stale', async () => {
    const here = corpus(['erarag'])
    const { context } = here.mortal
    const erarag = { ...context.config.settings.erarag, writing: 'lazy' as const }
    here.mortal = {
      ...here.mortal,
      context: { ...context, config: { ...context.config, settings: { ...context.config.settings, erarag } } },
    }
    const upserts = Array.from({ length: 24 }, (_, i) => ({
      id: `d${i}`,
      text: `Heron ${i} waits at pier ${i * 7}.`,
      title: '',
      url: null,
      metadata: {},
    }))
    accept(here.mortal.context, { kind: 'batch', upserts, deletes: [] })
    await work(here, false)
    const stale = () => context.graph.page('summary', '', 1000).filter((id) => context.graph.node(id)?.stale).length
    expect(stale()).toBeGreaterThan(0)
    for (let tick = 0; tick < 5; tick++) {
      runScheduledMaintenance(here.mortal.context)
      await work(here, false)
    }
    expect([context.graph.page('summary', '', 1000).length > 0, stale(), rows(here, 'task')]).toEqual([true, 0, 0])
  })
})
