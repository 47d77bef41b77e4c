/** A graph derived anew beside the one that is served, and the gate between them. */
import { afterEach, describe, expect, it } from 'vitest'
import { commitRound, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { viewOf } from '../../../durable-objects/corpus/jobs/job'
import { findJob, unfinishedJobs } from '../../../durable-objects/corpus/jobs/jobs'
import { publish } from '../../../durable-objects/corpus/jobs/publish'
import { health } from '../../../durable-objects/corpus/maintenance/health'
import { cancelJob } from '../../../durable-objects/corpus/maintenance/job-actions'
import { restartMaintenance, runMaintenanceSlice, startMaintenance } from '../../../durable-objects/corpus/maintenance/maintain'
import { surveySlice } from '../../../durable-objects/corpus/maintenance/survey'
import { isMaintenanceOpen } from '../../../durable-objects/corpus/maintenance/under-way'
import { drain } from '../../../durable-objects/corpus/outbox/drain'
import { isPending, writeConfig } from '../../../durable-objects/corpus/pending-config'
import { findings, scan } from '../../../durable-objects/corpus/quality-gate/gate'
import { type Probe, pinProbes } from '../../../durable-objects/corpus/quality-gate/probes'
import { labelsOf } from '../../../durable-objects/corpus/query/labels'
import { retrieve } from '../../../durable-objects/corpus/query/retrieve'
import { type CorpusContext, contextOf } from '../../../durable-objects/corpus/store'
import { packedSenses, SENSES } from '../../../src/core/builders/sense-list'
import { stateHash } from '../../../src/core/graph/fingerprint'
import { memberEdges } from '../../../src/core/graph/members'
import type { Change } from '../../../src/core/graph/types'
import type { Settings } from '../../../src/core/settings'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import type { CorpusConfig } from '../../../src/ports/corpus'
import type { DocumentInput } from '../../../src/ports/documents'
import { until } from '../../core/until'
import { Death, type Mortal, mortalWorld, type World } from './mortal-object'
import { answered, finish, noBill } from './working'

const PLACES = ['heron', 'glacier', 'loom', 'violin', 'harbour', 'beehive', 'lantern', 'quarry']
const NAMES = ['Anna Berg', 'Otto Brandt', 'Mira Holt', 'Ida Quist', 'Jon Vale', 'Tove Lund', 'Karl Moss', 'Nils Roy']
const PORTS = ['Ellis', 'Arbor', 'Mole', 'Sand', 'Reed']

function page(n: number, version = 0): DocumentInput {
  const text = `${NAMES[n % 8]} saw the ${PLACES[(n * 3) % 8]} of Port ${PORTS[n % 5]} in year ${1900 + n}. It was seen by ${NAMES[(n + 1) % 8]} too, in version ${version}. The ${PLACES[(n + 3) % 8]} stayed.`
  return { id: `d${n}`, text, title: `Page ${n}`, url: null, metadata: {} }
}

const pages = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => page(from + i))
const smaller: Partial<Settings> = { erarag: { ...defaultSettings.erarag, min: 3, max: 6 } }
const worse: Partial<Settings> = { ketrag: { ...defaultSettings.ketrag, theta: 1 } } // no keyword channel
const harmless: Partial<Settings> = { ketrag: { ...defaultSettings.ketrag, knn: 4 } } // asked of a text model alone

const decision = [{ op: 'put-value' as const, space: 'resolution/audit', key: '0', value: { by: 'caller' } }]

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

async function grown(strategies: readonly string[], documents: readonly DocumentInput[], more: Partial<Settings> = {}) {
  const world = mortalWorld(strategies, more)
  worlds.push(world)
  const mortal = world.wake()
  accept(mortal.context, { kind: 'batch', upserts: documents, deletes: [] })
  await finish(mortal, world, noBill())
  return { world, mortal, context: mortal.context }
}

/** As the object is configured. */
function configure(context: CorpusContext, settings: Partial<Settings>, strategies = context.config.strategies): void {
  const next: CorpusConfig = { ...context.config, strategies, settings: { ...context.config.settings, ...settings } }
  context.atomically(() => writeConfig(context, context.config, next))
  Object.assign(context, contextOf(context))
  if (isPending(context) && !restartMaintenance(context)) startMaintenance(context, 'reindex')
}

function asked(context: CorpusContext, text: string, strategy = 'ketrag', topK = 5): string[] {
  const request = { strategy, text, near: {}, topK, budget: 9000, trace: false, options: { scorer: 'lexical' } }
  const result = retrieve(context, request)
  return result.kind === 'evidence' ? result.evidence.flatMap((one) => one.document ?? []) : [result.kind]
}

/** Questions whose present answers are what is expected of them. */
function pinPresent(context: CorpusContext): void {
  const queries = NAMES.slice(0, 5).map((name, i) => `What did ${name} see near Port ${PORTS[i]}?`)
  pinProbes(
    context,
    queries.map((query) => ({ query, expect: [...new Set(asked(context, query))] })),
    { k: 5, tolerance: 0.02 },
  )
}

const hashOf = ({ graph }: CorpusContext): string => stateHash(graph.lines())
const last = (context: CorpusContext) => context.sql.one<{ id: string }>('SELECT id FROM job ORDER BY n DESC LIMIT 1')?.id ?? ''
const jobOf = (context: CorpusContext, id = last(context)) => {
  const job = findJob(context.sql, id)
  return job && viewOf(job)
}
const tablesLeft = (context: CorpusContext) =>
  context.sql.all<{ name: string }>(`SELECT name FROM sqlite_master WHERE name GLOB 'next_*'`).length

describe('a graph derived anew', () => {
  it('[V84] is built beside the one that is served, includes what comes meanwhile, and equals one made so from the beginning', async () => {
    const all = ['erarag', 'cluerag', 'ketrag']
    const { world, mortal, context } = await grown(all, pages(0, 50))
    labelsOf(() => context).put({ id: 'birds', description: 'On birds', examples: [{ id: 'x', text: 'A heron by the harbour' }] })
    startMaintenance(context, 'consolidate')
    await finish(mortal, world, noBill())
    context.graph.apply(decision, context.graph.version)
    configure(context, smaller)
    const before = {
      graph: hashOf(context),
      answer: asked(context, 'Who saw the heron?', 'erarag'),
      segments: context.config.settings.erarag.max,
    }
    let slices = 0
    while (runMaintenanceSlice(context) && slices < 4) {
      slices++
      expect([hashOf(context), asked(context, 'Who saw the heron?', 'erarag'), context.config.settings.erarag.max]).toEqual(
        Object.values(before),
      )
    }
    expect([slices, tablesLeft(context)]).toEqual([4, 6])
    accept(context, { kind: 'batch', upserts: [page(3, 1), page(60), { ...page(40), id: 'a copy' }], deletes: ['d1', 'd45'] })
    await finish(mortal, world, noBill())
    expect([context.config.settings.erarag.max, isPending(context), tablesLeft(context)]).toEqual([6, false, 0])
    expect(context.sql.all<{ status: string }>(`SELECT status FROM job WHERE status <> 'succeeded'`)).toEqual([])
    const kept = [
      ...pages(0, 50).filter(({ id }) => !['d1', 'd3', 'd45'].includes(id)),
      page(3, 1),
      page(60),
      { ...page(40), id: 'a copy' },
    ]
    const fresh = await grown(all, kept, smaller)
    startMaintenance(fresh.context, 'consolidate')
    fresh.context.graph.apply(decision, fresh.context.graph.version)
    labelsOf(() => fresh.context).put({ id: 'birds', description: 'On birds', examples: [{ id: 'x', text: 'A heron by the harbour' }] })
    await finish(fresh.mortal, fresh.world, noBill())
    expect([...context.graph.lines()].sort()).toEqual([...fresh.context.graph.lines()].sort())
    expect(context.graph.state).toBe(fresh.context.graph.state)
    expect(world.told()).toEqual(fresh.world.told())
  })

  it('[V126] is compared a page of rows at a time, whatever comes meanwhile, and what either graph changed is sent to the sinks too', async () => {
    const all = ['erarag', 'cluerag', 'ketrag']
    const { world, mortal, context } = await grown(all, pages(0, 40))
    const max = { rows: 0 }
    const { sql } = context
    Object.assign(context, {
      comparedRows: 4,
      sql: {
        ...sql,
        all: (query: string, ...bindings: never[]) => {
          const rows = sql.all(query, ...bindings)
          if (/FROM (next_)?(node|edge|value) a LEFT JOIN/.test(query)) max.rows = Math.max(max.rows, rows.length)
          return rows
        },
      },
    })
    configure(context, smaller)
    const job = last(context)
    const step = () => JSON.parse(findJob(context.sql, job)?.progress ?? '{}').step
    const before = context.graph.version
    until(
      () => step() === 'compare',
      () => {
        if (runMaintenanceSlice(context)) return
        const round = openTasks(context, 'one', 64)
        if (round) commitRound(context, 'one', answered(round, noBill()))
      },
    )
    const changes = [
      () => accept(context, { kind: 'batch', upserts: [page(3, 1), page(60)], deletes: ['d1'] }),
      () => accept(context, { kind: 'ingest', upserts: [page(61)], deletes: [] }),
      () => labelsOf(() => context).put({ id: 'birds', description: 'On birds', examples: [{ id: 'x', text: 'A heron by the harbour' }] }),
      () => accept(context, { kind: 'delete', upserts: [], deletes: ['d45', 'd7'] }),
    ]
    let slices = 0
    for (; step() === 'compare'; slices++) {
      changes[slices]?.()
      const round = openTasks(context, 'one', 64)
      if (round) commitRound(context, 'one', answered(round, noBill()))
      await drain(context, mortal.sinks)
      expect(context.config.settings.erarag.max).toBe(defaultSettings.erarag.max)
      runMaintenanceSlice(context)
    }
    // When all is compared, the last comes.
    accept(context, { kind: 'batch', upserts: [page(62), page(63), page(64)], deletes: ['d9'] })
    const round = openTasks(context, 'one', 64)
    if (round) commitRound(context, 'one', answered(round, noBill()))
    expect(step()).toBe('promote')
    await finish(mortal, world, noBill())
    expect([slices > 4, max.rows > 0, max.rows <= 4, context.graph.version > before]).toEqual([true, true, true, true])
    expect([isPending(context), tablesLeft(context), context.sql.all('SELECT n FROM differing')]).toEqual([false, 0, []])
    const kept = [...pages(0, 40).filter(({ id }) => !['d1', 'd3', 'd7', 'd9'].includes(id)), page(3, 1), ...pages(60, 65)]
    const fresh = await grown(all, kept, smaller)
    labelsOf(() => fresh.context).put({ id: 'birds', description: 'On birds', examples: [{ id: 'x', text: 'A heron by the harbour' }] })
    await finish(fresh.mortal, fresh.world, noBill())
    expect(context.graph.state).toBe(fresh.context.graph.state)
    expect(world.told()).toEqual(fresh.world.told())
  })

  it('[V84] sends the sinks what differs, and nothing else', async () => {
    const { world, mortal, context } = await grown(['erarag', 'ketrag'], pages(0, 30), smaller)
    const clean = world.told()
    const [one, other] = context.graph.values('mentions', '', 2)
    if (!one || !other) throw new Error('no mentions')
    // As if rules that hold no more had made it so.
    const [edge] = context.graph.page('entity', '', 500).flatMap((id) => context.graph.edges('relates', id))
    const [summary] = context.graph.page('summary', '', 500).flatMap((id) => memberEdges(context.graph, id))
    if (!edge || !summary) throw new Error('no edges')
    const [named = '', another = ''] = context.graph.page('entity', '', 2)
    const key = String(context.graph.node(named)?.data.key)
    const senses = packedSenses(key, [
      { entity: named, documents: ['d1'] },
      { entity: another, documents: ['d2'] },
    ])
    const changes: Change[] = [
      { op: 'put-value', space: SENSES, key: named, value: senses },
      { op: 'put-value', space: 'mentions', key: one.key, value: other.value },
      { op: 'drop-edge', kind: 'relates', source: edge.source, target: edge.target },
      { op: 'put-edge', edge: { ...summary, source: summary.target, target: summary.source } },
    ]
    context.graph.apply(changes, context.graph.version + 1)
    publish(context, [], changes)
    await finish(mortal, world, noBill())
    expect(world.told()).not.toEqual(clean)
    startMaintenance(context, 'reindex')
    const step = () => {
      if (runMaintenanceSlice(context)) return
      const round = openTasks(context, 'one', 64)
      if (round) commitRound(context, 'one', answered(round, noBill()))
    }
    until(() => !isMaintenanceOpen(context), step)
    const entries = context.sql.all<{ entries: string }>('SELECT entries FROM outbox').flatMap((row) => JSON.parse(row.entries))
    expect(entries.sort()).toEqual([
      ['e', 'member', summary.target, summary.source],
      ['e', 'relates', edge.source, edge.target],
      ['s', named],
    ])
    await finish(mortal, world, noBill())
    expect(jobOf(context)?.receipt?.touched.edges).toBe(2)
    expect(world.told()).toEqual(clean)
  })

  it('[V85] that loses more of the probes than is tolerated is refused, and the old one is served under its settings', async () => {
    const { world, mortal, context } = await grown(['ketrag'], pages(0, 40))
    pinPresent(context)
    const [graph, answer] = [hashOf(context), asked(context, 'What did Anna Berg see?')]
    configure(context, worse)
    const job = last(context)
    await finish(mortal, world, noBill())
    const view = jobOf(context, job)
    expect([view?.status, view?.error]).toEqual([
      'failed',
      expect.stringMatching(/^refused: recall@5 of ketrag would fall from 1\.000 to 0\.\d+/),
    ])
    expect([hashOf(context), asked(context, 'What did Anna Berg see?'), context.config.settings.ketrag.theta]).toEqual([graph, answer, 0.4])
    expect(health(context)).toMatchObject({
      pending: true,
      gate: { job, kind: 'reindex', promoted: false, recall: { ketrag: { before: 1 } } },
    })
    expect(tablesLeft(context)).toBe(0)
    // What is taken in goes on, and so do other settings.
    accept(context, { kind: 'ingest', upserts: [page(70)], deletes: [] })
    configure(context, { ...harmless, ketrag: { ...defaultSettings.ketrag, knn: 4 } })
    await finish(mortal, world, noBill())
    expect(jobOf(context)).toMatchObject({ kind: 'reindex', status: 'succeeded' })
    expect([context.config.settings.ketrag.knn, health(context).pending, health(context).gate?.promoted]).toEqual([4, false, true])
  })

  it('[V85] a consolidation that loses more than is tolerated writes nothing, and the others of its job go on', async () => {
    const { world, mortal, context } = await grown(['ketrag'], pages(0, 40))
    pinPresent(context)
    const mentions = [...context.graph.values('mentions', '', 500)].map(({ key }) => ({
      op: 'drop-value' as const,
      space: 'mentions',
      key,
    }))
    const edges = context.graph.page('entity', '', 500).flatMap((id) => context.graph.edgesTo('mentions', id))
    const patch = [...mentions, ...edges.map(({ kind, source, target }) => ({ op: 'drop-edge' as const, kind, source, target }))]
    const before = context.graph.value('mentions', mentions[0]?.key ?? '')
    const builders = context.builders.map((one) => (one.name === 'mentions' ? { ...one, consolidate: () => ({ patch, tasks: [] }) } : one))
    startMaintenance(context, 'consolidate')
    const job = last(context)
    for (let more = true; more; ) {
      Object.assign(context, { builders }) // as long as they are not read anew
      more = runMaintenanceSlice(context)
    }
    await finish(mortal, world, noBill())
    expect(jobOf(context, job)).toMatchObject({ status: 'failed', error: expect.stringMatching(/^refused: recall@5 of/) })
    expect(context.graph.value('mentions', mentions[0]?.key ?? '')).toEqual(before)
    expect(context.graph.page('keyword', '', 5).length).toBeGreaterThan(0) // what another builder published stands
    expect(health(context).gate).toMatchObject({ job, kind: 'consolidate', promoted: false })
    pinProbes(context, [], { k: 5, tolerance: 0.02 }) // no probes, no gate
    startMaintenance(context, 'consolidate')
    Object.assign(context, { builders })
    await finish(mortal, world, noBill())
    expect(jobOf(context)?.status).toBe('succeeded')
  })

  it('[V84] wherever it dies, and when it is cancelled, nothing is left of it but what was promoted', async () => {
    const { world, mortal } = await grown(['erarag'], pages(0, 14))
    world.base()
    configure(mortal.context, smaller)
    await finish(mortal, world, noBill())
    const clean = { hash: hashOf(mortal.context), told: world.told() }
    for (let seed = 1; seed <= 4; seed++) {
      world.again()
      let now: Mortal = world.wake()
      configure(now.context, smaller)
      for (let n = 0; n < 30 && unfinishedJobs(now.context.sql).length > 0; n++) {
        now.doom({ write: 1 + ((seed * 37 + n * 101) % 90) })
        try {
          if (!runMaintenanceSlice(now.context)) {
            world.clock.now += 400_000
            const round = openTasks(now.context, `r${n}`, 16)
            if (round) commitRound(now.context, `r${n}`, answered(round, noBill()))
          }
        } catch (error) {
          if (!(error instanceof Death)) throw error
          now = world.wake()
        }
        now.doom({})
      }
      await finish(now, world, noBill())
      expect([seed, hashOf(now.context), tablesLeft(now.context)]).toEqual([seed, clean.hash, 0])
      expect(world.told()).toEqual(clean.told)
    }
    world.again()
    const given = world.wake()
    const before = hashOf(given.context)
    configure(given.context, smaller)
    for (let n = 0; n < 3; n++) runMaintenanceSlice(given.context)
    const job = findJob(given.context.sql, last(given.context))
    if (job) cancelJob(given.context, job)
    expect([jobOf(given.context)?.status, tablesLeft(given.context), hashOf(given.context)]).toEqual(['cancelled', 0, before])
    expect(given.context.sql.one('SELECT 1 FROM task')).toBeUndefined()
  })
})

describe('the health of a corpus', () => {
  it('[V88] is surveyed a page a visit and shows what is wrong', async () => {
    const { world, context } = await grown(['erarag', 'ketrag'], pages(0, 30))
    pinPresent(context)
    expect(health(context)).toMatchObject({ last_tend: null, nodes: null, drift: null, quarantined: 0, probes: { count: 5, at: null } })
    const tick = () => context.atomically(() => surveySlice(context))
    for (let n = 0; n < 5; n++) tick()
    const well = health(context)
    expect(well).toMatchObject({
      nodes: { orphans: 0, stale: 0 },
      drift: { size: 0, degree: 0 },
      outbox: { entries: 0, versions_behind: 0 },
    })
    expect(well.probes.recall.ketrag).toBe(1)
    expect(well.head?.state).toBe(context.graph.state)
    expect(well.nodes?.seen).toBe(context.graph.count('entity') + context.graph.count('summary'))
    const [summary = ''] = context.graph.page('summary', '', 1)
    const members = memberEdges(context.graph, summary)
    context.graph.apply(
      members.map(({ source }) => ({ op: 'drop-edge' as const, kind: 'member' as const, source, target: summary })),
      context.graph.version + 1,
    )
    context.sql.run(`UPDATE revision SET error = 'quarantined: invalid' WHERE document = 'd1'`)
    for (let n = 0; n < 5; n++) tick()
    expect(health(context)).toMatchObject({ nodes: { orphans: 0 }, quarantined: 1 }) // not again within the hour
    world.clock.now += 3_600_000
    for (let n = 0; n < 5; n++) tick()
    expect(health(context)).toMatchObject({ nodes: { orphans: 1 }, quarantined: 1 })
    expect(health(context).drift?.size).toBeGreaterThan(0)
  })

  it('[V102] a probe is asked of every strategy, and one whose documents are all gone is not counted', async () => {
    const { context } = await grown(['erarag', 'ketrag'], pages(0, 12))
    const probe: Probe = { n: 1, query: 'What did Anna Berg see?', expect: ['d0', 'gone'] }
    const found = findings(context, probe, scan(context.graph, undefined), 10)
    expect([...found.keys()].sort()).toEqual(['auto', 'erarag', 'ketrag', 'ppr'])
    expect(found.get('ketrag')).toEqual({ recall: 1, rank: 2 }) // the best piece is of another document
    expect([...findings(context, { ...probe, expect: ['gone'] }, scan(context.graph, undefined), 10)]).toEqual([])
  })
})
