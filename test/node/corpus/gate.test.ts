/** A graph derived anew beside the one that is served, and the gate between them. Rules V84–V89. */
import { afterEach, describe, expect, it } from 'vitest'
import { labelsOf } from '../../../durable-objects/corpus/asked/labels'
import { retrieve } from '../../../durable-objects/corpus/asked/retrieve'
import { health } from '../../../durable-objects/corpus/care/health'
import { beginAgain, cancel, maintain, maintenanceOpen, workOnce } from '../../../durable-objects/corpus/care/maintain'
import { isPending, writeConfig } from '../../../durable-objects/corpus/care/pending'
import { examine } from '../../../durable-objects/corpus/care/survey'
import { findings, scan } from '../../../durable-objects/corpus/gate/gate'
import { type Probe, pin } from '../../../durable-objects/corpus/gate/probes'
import { accept } from '../../../durable-objects/corpus/intake/accept'
import { type Ledger, ledgerOf } from '../../../durable-objects/corpus/store'
import { drain } from '../../../durable-objects/corpus/told/drain'
import { publish } from '../../../durable-objects/corpus/told/publish'
import { findJob, unfinished, viewOf } from '../../../durable-objects/corpus/work/jobs'
import { commit, openTasks } from '../../../durable-objects/corpus/work/runner'
import { packedSenses, SENSES } from '../../../src/core/builders/sense-list'
import { stateHash } from '../../../src/core/graph/fingerprint'
import type { Change } from '../../../src/core/graph/types'
import { defaultSettings, type Settings } from '../../../src/core/settings'
import type { CorpusConfig, DocumentInput } from '../../../src/ports'
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
const smaller: Partial<Settings> = { erarag: { ...defaultSettings.erarag, least: 3, most: 6 } }
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
  accept(mortal.ledger, { kind: 'batch', upserts: documents, deletes: [] })
  await finish(mortal, world, noBill())
  return { world, mortal, ledger: mortal.ledger }
}

/** As the object is configured. */
function configure(ledger: Ledger, settings: Partial<Settings>, strategies = ledger.config.strategies): void {
  const next: CorpusConfig = { ...ledger.config, strategies, settings: { ...ledger.config.settings, ...settings } }
  ledger.atomically(() => writeConfig(ledger, ledger.config, next))
  Object.assign(ledger, ledgerOf(ledger))
  if (isPending(ledger) && !beginAgain(ledger)) maintain(ledger, 'reindex')
}

function asked(ledger: Ledger, text: string, strategy = 'ketrag', topK = 5): string[] {
  const request = { strategy, text, near: {}, topK, budget: 9000, trace: false, options: { scorer: 'lexical' } }
  const result = retrieve(ledger, request)
  return result.kind === 'evidence' ? result.evidence.flatMap((one) => one.document ?? []) : [result.kind]
}

/** Questions whose present answers are what is expected of them. */
function pinPresent(ledger: Ledger): void {
  const queries = NAMES.slice(0, 5).map((name, i) => `What did ${name} see near Port ${PORTS[i]}?`)
  pin(
    ledger,
    queries.map((query) => ({ query, expect: [...new Set(asked(ledger, query))] })),
    { k: 5, tolerance: 0.02 },
  )
}

const hashOf = ({ graph }: Ledger): string => stateHash(graph.lines())
const last = (ledger: Ledger) => ledger.sql.one<{ id: string }>('SELECT id FROM job ORDER BY n DESC LIMIT 1')?.id ?? ''
const jobOf = (ledger: Ledger, id = last(ledger)) => {
  const job = findJob(ledger.sql, id)
  return job && viewOf(job)
}
const tablesLeft = (ledger: Ledger) =>
  ledger.sql.all<{ name: string }>(`SELECT name FROM sqlite_master WHERE name GLOB 'next_*' OR name GLOB 'served_*'`).length

describe('a graph derived anew', () => {
  it('[V84] is built beside the one that is served, takes in what comes meanwhile, and ends as one made so from the beginning', async () => {
    const all = ['erarag', 'cluerag', 'ketrag']
    const { world, mortal, ledger } = await grown(all, pages(0, 50))
    labelsOf(() => ledger).put({ id: 'birds', description: 'On birds', examples: [{ id: 'x', text: 'A heron by the harbour' }] })
    maintain(ledger, 'consolidate')
    await finish(mortal, world, noBill())
    ledger.graph.apply(decision, ledger.graph.version)
    configure(ledger, smaller)
    const before = {
      graph: hashOf(ledger),
      answer: asked(ledger, 'Who saw the heron?', 'erarag'),
      segments: ledger.config.settings.erarag.most,
    }
    let slices = 0
    while (workOnce(ledger) && slices < 4) {
      slices++
      expect([hashOf(ledger), asked(ledger, 'Who saw the heron?', 'erarag'), ledger.config.settings.erarag.most]).toEqual(
        Object.values(before),
      )
    }
    expect([slices, tablesLeft(ledger)]).toEqual([4, 6])
    accept(ledger, { kind: 'batch', upserts: [page(3, 1), page(60), { ...page(40), id: 'a copy' }], deletes: ['d1', 'd45'] })
    await finish(mortal, world, noBill())
    expect([ledger.config.settings.erarag.most, isPending(ledger), tablesLeft(ledger)]).toEqual([6, false, 0])
    expect(ledger.sql.all<{ status: string }>(`SELECT status FROM job WHERE status <> 'succeeded'`)).toEqual([])
    const kept = [
      ...pages(0, 50).filter(({ id }) => !['d1', 'd3', 'd45'].includes(id)),
      page(3, 1),
      page(60),
      { ...page(40), id: 'a copy' },
    ]
    const fresh = await grown(all, kept, smaller)
    maintain(fresh.ledger, 'consolidate')
    fresh.ledger.graph.apply(decision, fresh.ledger.graph.version)
    labelsOf(() => fresh.ledger).put({ id: 'birds', description: 'On birds', examples: [{ id: 'x', text: 'A heron by the harbour' }] })
    await finish(fresh.mortal, fresh.world, noBill())
    expect([...ledger.graph.lines()].sort()).toEqual([...fresh.ledger.graph.lines()].sort())
    expect(ledger.graph.state).toBe(fresh.ledger.graph.state)
    expect(world.told()).toEqual(fresh.world.told())
  })

  it('[V126] is compared a page of rows at a time, whatever comes meanwhile, and what either graph changed is told, too', async () => {
    const all = ['erarag', 'cluerag', 'ketrag']
    const { world, mortal, ledger } = await grown(all, pages(0, 40))
    const most = { rows: 0 }
    const { sql } = ledger
    Object.assign(ledger, {
      page: 4,
      sql: {
        ...sql,
        all: (query: string, ...bindings: never[]) => {
          const rows = sql.all(query, ...bindings)
          if (/served_(node|edge|value)/.test(query)) most.rows = Math.max(most.rows, rows.length)
          return rows
        },
      },
    })
    configure(ledger, smaller)
    const job = last(ledger)
    const step = () => JSON.parse(findJob(ledger.sql, job)?.progress ?? '{}').step
    const before = ledger.graph.version
    until(
      () => step() === 'compare',
      () => {
        if (workOnce(ledger)) return
        const { round } = openTasks(ledger, 'one', 64)
        if (round) commit(ledger, 'one', answered(round, noBill()))
      },
    )
    const changes = [
      () => accept(ledger, { kind: 'batch', upserts: [page(3, 1), page(60)], deletes: ['d1'] }),
      () => accept(ledger, { kind: 'ingest', upserts: [page(61)], deletes: [] }),
      () => labelsOf(() => ledger).put({ id: 'birds', description: 'On birds', examples: [{ id: 'x', text: 'A heron by the harbour' }] }),
      () => accept(ledger, { kind: 'delete', upserts: [], deletes: ['d45', 'd7'] }),
    ]
    let slices = 0
    for (; step() === 'compare'; slices++) {
      changes[slices]?.()
      const { round } = openTasks(ledger, 'one', 64)
      if (round) commit(ledger, 'one', answered(round, noBill()))
      await drain(ledger, mortal.sinks)
      expect(ledger.config.settings.erarag.most).toBe(defaultSettings.erarag.most)
      workOnce(ledger)
    }
    // When all is compared, the last comes.
    accept(ledger, { kind: 'batch', upserts: [page(62), page(63), page(64)], deletes: ['d9'] })
    const { round } = openTasks(ledger, 'one', 64)
    if (round) commit(ledger, 'one', answered(round, noBill()))
    expect(step()).toBe('promote')
    await finish(mortal, world, noBill())
    expect([slices > 4, most.rows > 0, most.rows <= 4, ledger.graph.version > before]).toEqual([true, true, true, true])
    expect([isPending(ledger), tablesLeft(ledger), ledger.sql.all('SELECT n FROM differing')]).toEqual([false, 0, []])
    const kept = [...pages(0, 40).filter(({ id }) => !['d1', 'd3', 'd7', 'd9'].includes(id)), page(3, 1), ...pages(60, 65)]
    const fresh = await grown(all, kept, smaller)
    labelsOf(() => fresh.ledger).put({ id: 'birds', description: 'On birds', examples: [{ id: 'x', text: 'A heron by the harbour' }] })
    await finish(fresh.mortal, fresh.world, noBill())
    expect(ledger.graph.state).toBe(fresh.ledger.graph.state)
    expect(world.told()).toEqual(fresh.world.told())
  })

  it('[V84] tells the sinks what differs, and nothing else', async () => {
    const { world, mortal, ledger } = await grown(['erarag', 'ketrag'], pages(0, 30), smaller)
    const clean = world.told()
    const [one, other] = ledger.graph.values('mentions', '', 2)
    if (!one || !other) throw new Error('no mentions')
    // As if rules that hold no more had made it so.
    const [edge] = ledger.graph.page('entity', '', 500).flatMap((id) => ledger.graph.edges('relates', id))
    const [summary] = ledger.graph.page('summary', '', 500).flatMap((id) => ledger.graph.edgesTo('member', id))
    if (!edge || !summary) throw new Error('no edges')
    const [named = '', another = ''] = ledger.graph.page('entity', '', 2)
    const key = String(ledger.graph.node(named)?.data.key)
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
    ledger.graph.apply(changes, ledger.graph.version + 1)
    publish(ledger, [], changes)
    await finish(mortal, world, noBill())
    expect(world.told()).not.toEqual(clean)
    maintain(ledger, 'reindex')
    const step = () => {
      if (workOnce(ledger)) return
      const { round } = openTasks(ledger, 'one', 64)
      if (round) commit(ledger, 'one', answered(round, noBill()))
    }
    until(() => !maintenanceOpen(ledger), step)
    const entries = ledger.sql.all<{ entries: string }>('SELECT entries FROM outbox').flatMap((row) => JSON.parse(row.entries))
    expect(entries.sort()).toEqual([
      ['e', 'member', summary.target, summary.source],
      ['e', 'relates', edge.source, edge.target],
      ['s', named],
    ])
    await finish(mortal, world, noBill())
    expect(jobOf(ledger)?.receipt?.touched.edges).toBe(2)
    expect(world.told()).toEqual(clean)
  })

  it('[V85] that loses more of the probes than is tolerated is refused, and the old one is served under its settings', async () => {
    const { world, mortal, ledger } = await grown(['ketrag'], pages(0, 40))
    pinPresent(ledger)
    const [graph, answer] = [hashOf(ledger), asked(ledger, 'What did Anna Berg see?')]
    configure(ledger, worse)
    const job = last(ledger)
    await finish(mortal, world, noBill())
    const view = jobOf(ledger, job)
    expect([view?.status, view?.error]).toEqual([
      'failed',
      expect.stringMatching(/^refused: recall@5 of ketrag would fall from 1\.000 to 0\.\d+/),
    ])
    expect([hashOf(ledger), asked(ledger, 'What did Anna Berg see?'), ledger.config.settings.ketrag.theta]).toEqual([graph, answer, 0.4])
    expect(health(ledger)).toMatchObject({
      pending: true,
      gate: { job, kind: 'reindex', promoted: false, recall: { ketrag: { before: 1 } } },
    })
    expect(tablesLeft(ledger)).toBe(0)
    // What is taken in goes on, and so do other settings.
    accept(ledger, { kind: 'ingest', upserts: [page(70)], deletes: [] })
    configure(ledger, { ...harmless, ketrag: { ...defaultSettings.ketrag, knn: 4 } })
    await finish(mortal, world, noBill())
    expect(jobOf(ledger)).toMatchObject({ kind: 'reindex', status: 'succeeded' })
    expect([ledger.config.settings.ketrag.knn, health(ledger).pending, health(ledger).gate?.promoted]).toEqual([4, false, true])
  })

  it('[V85] a consolidation that loses more than is tolerated writes nothing, and the others of its job go on', async () => {
    const { world, mortal, ledger } = await grown(['ketrag'], pages(0, 40))
    pinPresent(ledger)
    const mentions = [...ledger.graph.values('mentions', '', 500)].map(({ key }) => ({ op: 'drop-value' as const, space: 'mentions', key }))
    const edges = ledger.graph.page('entity', '', 500).flatMap((id) => ledger.graph.edgesTo('mentions', id))
    const patch = [...mentions, ...edges.map(({ kind, source, target }) => ({ op: 'drop-edge' as const, kind, source, target }))]
    const before = ledger.graph.value('mentions', mentions[0]?.key ?? '')
    const builders = ledger.builders.map((one) => (one.name === 'mentions' ? { ...one, consolidate: () => ({ patch, tasks: [] }) } : one))
    maintain(ledger, 'consolidate')
    const job = last(ledger)
    for (let more = true; more; ) {
      Object.assign(ledger, { builders }) // as long as they are not read anew
      more = workOnce(ledger)
    }
    await finish(mortal, world, noBill())
    expect(jobOf(ledger, job)).toMatchObject({ status: 'failed', error: expect.stringMatching(/^refused: recall@5 of/) })
    expect(ledger.graph.value('mentions', mentions[0]?.key ?? '')).toEqual(before)
    expect(ledger.graph.page('keyword', '', 5).length).toBeGreaterThan(0) // what another builder published stands
    expect(health(ledger).gate).toMatchObject({ job, kind: 'consolidate', promoted: false })
    pin(ledger, [], { k: 5, tolerance: 0.02 }) // no probes, no gate
    maintain(ledger, 'consolidate')
    Object.assign(ledger, { builders })
    await finish(mortal, world, noBill())
    expect(jobOf(ledger)?.status).toBe('succeeded')
  })

  it('[V86] wherever it dies, and if it is given up, nothing is left of it but what was promoted', async () => {
    const { world, mortal } = await grown(['erarag'], pages(0, 14))
    world.base()
    configure(mortal.ledger, smaller)
    await finish(mortal, world, noBill())
    const clean = { hash: hashOf(mortal.ledger), told: world.told() }
    for (let seed = 1; seed <= 4; seed++) {
      world.again()
      let now: Mortal = world.wake()
      configure(now.ledger, smaller)
      for (let n = 0; n < 30 && unfinished(now.ledger.sql).length > 0; n++) {
        now.doom({ write: 1 + ((seed * 37 + n * 101) % 90) })
        try {
          if (!workOnce(now.ledger)) {
            world.clock.now += 400_000
            const { round } = openTasks(now.ledger, `r${n}`, 16)
            if (round) commit(now.ledger, `r${n}`, answered(round, noBill()))
          }
        } catch (error) {
          if (!(error instanceof Death)) throw error
          now = world.wake()
        }
        now.doom({})
      }
      await finish(now, world, noBill())
      expect([seed, hashOf(now.ledger), tablesLeft(now.ledger)]).toEqual([seed, clean.hash, 0])
      expect(world.told()).toEqual(clean.told)
    }
    world.again()
    const given = world.wake()
    const before = hashOf(given.ledger)
    configure(given.ledger, smaller)
    for (let n = 0; n < 3; n++) workOnce(given.ledger)
    const job = findJob(given.ledger.sql, last(given.ledger))
    if (job) cancel(given.ledger, job)
    expect([jobOf(given.ledger)?.status, tablesLeft(given.ledger), hashOf(given.ledger)]).toEqual(['cancelled', 0, before])
    expect(given.ledger.sql.one('SELECT 1 FROM task')).toBeUndefined()
  })
})

describe('the health of a corpus', () => {
  it('[V88] is looked at a page a tick and says what is amiss', async () => {
    const { world, ledger } = await grown(['erarag', 'ketrag'], pages(0, 30))
    pinPresent(ledger)
    expect(health(ledger)).toMatchObject({ last_tend: null, nodes: null, drift: null, quarantined: 0, probes: { count: 5, at: null } })
    const tick = () => ledger.atomically(() => examine(ledger))
    for (let n = 0; n < 5; n++) tick()
    const well = health(ledger)
    expect(well).toMatchObject({
      nodes: { orphans: 0, stale: 0 },
      drift: { size: 0, degree: 0 },
      outbox: { entries: 0, versions_behind: 0 },
    })
    expect(well.probes.recall.ketrag).toBe(1)
    expect(well.head?.state).toBe(ledger.graph.state)
    expect(well.nodes?.seen).toBe(ledger.graph.count('entity') + ledger.graph.count('summary'))
    const [summary = ''] = ledger.graph.page('summary', '', 1)
    const members = ledger.graph.edgesTo('member', summary)
    ledger.graph.apply(
      members.map(({ source }) => ({ op: 'drop-edge' as const, kind: 'member' as const, source, target: summary })),
      ledger.graph.version + 1,
    )
    ledger.sql.run(`UPDATE revision SET error = 'quarantined: invalid' WHERE document = 'd1'`)
    for (let n = 0; n < 5; n++) tick()
    expect(health(ledger)).toMatchObject({ nodes: { orphans: 0 }, quarantined: 1 }) // not again within the hour
    world.clock.now += 3_600_000
    for (let n = 0; n < 5; n++) tick()
    expect(health(ledger)).toMatchObject({ nodes: { orphans: 1 }, quarantined: 1 })
    expect(health(ledger).drift?.size).toBeGreaterThan(0)
  })

  it('[V87] a probe is asked of every strategy, and one whose documents are all gone is not held against anybody', async () => {
    const { ledger } = await grown(['erarag', 'ketrag'], pages(0, 12))
    const probe: Probe = { n: 1, query: 'What did Anna Berg see?', expect: ['d0', 'gone'] }
    const found = findings(ledger, probe, scan(ledger.graph, undefined), 10)
    expect([...found.keys()].sort()).toEqual(['auto', 'erarag', 'ketrag'])
    expect(found.get('ketrag')).toEqual({ recall: 1, rank: 2 }) // the best piece is of another document
    expect([...findings(ledger, { ...probe, expect: ['gone'] }, scan(ledger.graph, undefined), 10)]).toEqual([])
  })
})
