/** A corpus moved to another embedding model in place, while it is asked and changed, by a process that dies. */
import { afterEach, describe, expect, it } from 'vitest'
import { commitNext } from '../../../durable-objects/corpus/indexing/commit'
import { retriesOf, retryQuarantined } from '../../../durable-objects/corpus/indexing/quarantine'
import { commitRound, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { finishJobsAwaitingSinks } from '../../../durable-objects/corpus/jobs/finish-jobs'
import { viewOf } from '../../../durable-objects/corpus/jobs/job'
import { findJob } from '../../../durable-objects/corpus/jobs/jobs'
import { cancelJob } from '../../../durable-objects/corpus/maintenance/job-actions'
import { restartMaintenance, runMaintenanceSlice } from '../../../durable-objects/corpus/maintenance/maintain'
import { startMigration } from '../../../durable-objects/corpus/maintenance/migrate'
import { migrationState } from '../../../durable-objects/corpus/maintenance/migration-view'
import { isMaintenanceOpen } from '../../../durable-objects/corpus/maintenance/under-way'
import { isPending, writeConfig } from '../../../durable-objects/corpus/pending-config'
import { pinProbes, resultsOf } from '../../../durable-objects/corpus/quality-gate/probes'
import { labelsOf } from '../../../durable-objects/corpus/query/labels'
import { retrieve } from '../../../durable-objects/corpus/query/retrieve'
import { type CorpusContext, contextOf } from '../../../durable-objects/corpus/store'
import { insertQuarantined } from '../../../durable-objects/corpus/tables/quarantine'
import { BASE } from '../../../durable-objects/corpus/tables/task'
import { countVectorless } from '../../../durable-objects/corpus/tables/vectorless'
import type { Settings } from '../../../src/core/settings'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import type { DocumentInput } from '../../../src/ports/documents'
import { Death, DIMENSIONS, LEASE, type Mortal, mortalWorld, OTHER_DIMENSIONS, type World } from './mortal-object'
import { answered, dice, embed, finish, noBill, send } from './working'

const THINGS = ['heron', 'glacier', 'loom', 'violin', 'harbour', 'beehive', 'lantern', 'quarry']
const NAMES = ['Anna Berg', 'Otto Brandt', 'Mira Holt', 'Ida Quist', 'Jon Vale', 'Tove Lund', 'Karl Moss', 'Nils Roy']

function page(n: number, version = 0): DocumentInput {
  const text = `${NAMES[n % 8]} saw the ${THINGS[(n * 3) % 8]} of Port Ellis in year ${1900 + n}. It was seen by ${NAMES[(n + 1) % 8]} too, in version ${version}. The ${THINGS[(n + 3) % 8]} stayed.`
  return { id: `d${n}`, text, title: `Page ${n}`, url: null, metadata: {} }
}

const pages = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => page(from + i))
const ALL = ['erarag', 'cluerag', 'ketrag', 'archrag', 'gorag']
const EXACT: Partial<Settings> = {
  models: 'old none',
  archrag: { ...defaultSettings.archrag, growth: 'whole' },
  erarag: { ...defaultSettings.erarag, min: 3, max: 6 },
}
const WRITING: Partial<Settings> = {
  models: 'old scripted',
  writer: true,
  erarag: { ...defaultSettings.erarag, min: 3, max: 6 },
  cluerag: { ...defaultSettings.cluerag, alpha: 1 },
}
const SCHEDULES = Number(process.env.LOAM_SCHEDULES ?? 3)
const NEW = { id: 'new', dimensions: OTHER_DIMENSIONS }
const MOVED: Partial<Settings> = { embedding: 'new', dimensions: OTHER_DIMENSIONS }

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

interface Grown {
  readonly world: World
  readonly mortal: Mortal
  readonly context: CorpusContext
}

async function grown(strategies: readonly string[], documents: readonly DocumentInput[], more: Partial<Settings>): Promise<Grown> {
  const world = mortalWorld(strategies, more)
  worlds.push(world)
  const mortal = world.wake()
  accept(mortal.context, { kind: 'batch', upserts: documents, deletes: [] })
  await finish(mortal, world, noBill())
  return { world, mortal, context: mortal.context }
}

function begin(context: CorpusContext): string {
  const started = startMigration(context, NEW, isPending(context) || isMaintenanceOpen(context))
  if (typeof started === 'string' || started.kind !== 'accepted') throw new Error(JSON.stringify(started))
  return started.job
}

const stepOf = (context: CorpusContext) => migrationState(context).step
const idsIn = ({ rows }: World['index']): string[] => [...rows.keys()].filter((id) => !id.endsWith(':mark')).sort()

/** Asks as a Worker does that knows the model of `dimensions`. */
function ask(context: CorpusContext, text: string, dimensions = DIMENSIONS) {
  const embedded = dimensions === DIMENSIONS ? 'old' : 'new'
  return retrieve(context, {
    strategy: 'vector',
    text,
    vector: embed(text, dimensions),
    embedded,
    near: {},
    topK: 3,
    budget: 4000,
    trace: false,
    options: {},
  })
}

function answer(context: CorpusContext, text: string): string[] {
  const first = ask(context, text)
  const found = first.kind === 'moved' ? ask(context, text, first.embedding.dimensions) : first
  return found.kind === 'evidence' ? found.evidence.flatMap((one) => one.document ?? []) : [found.kind]
}

/** One turn of the alarm and of a runner. */
async function turn({ mortal, world }: Pick<Grown, 'mortal' | 'world'>, bill = noBill()): Promise<boolean> {
  const { context } = mortal
  const worked = commitNext(context) || runMaintenanceSlice(context)
  const round = openTasks(context, 'one', 64)
  if (round && round.tasks.length > 0) commitRound(context, 'one', answered(round, bill))
  await send(mortal)
  world.clock.now += 1000
  return worked || (round?.tasks.length ?? 0) > 0
}

const stateOf = (context: CorpusContext, id: string) =>
  context.sql.one<{ error: string | null }>(`SELECT error FROM revision WHERE document = ? AND state = 'live'`, id)

/** Until the job has ended, by a model that has no vectors for some chunks. `once`: done when the first of these has been refused. */
async function movedWith({ mortal, world }: Grown, job: string, isOdd: (chunk: string) => boolean, once = () => {}): Promise<void> {
  const { context } = mortal
  let isFirst = true
  for (let turns = 0; turns < 400 && findJob(context.sql, job)?.phase !== 'done'; turns++) {
    commitNext(context)
    runMaintenanceSlice(context)
    const round = openTasks(context, 'one', 64)
    const isNew = round?.embedded?.dimensions === OTHER_DIMENSIONS
    const results = round ? answered(round, noBill()) : []
    const refusing = results.map((one) => {
      if (!isNew || one.reply.kind !== 'embed' || !isOdd(one.reply.node)) return one
      const vectors = one.reply.vectors.map(() => new Int8Array(OTHER_DIMENSIONS))
      return { ...one, reply: { ...one.reply, vectors }, dropped: { refused: vectors.length } }
    })
    if (round) commitRound(context, 'one', refusing)
    if (isFirst && refusing.some((one) => one.dropped)) {
      isFirst = false
      once()
    }
    await send(mortal)
    world.clock.now += 1000
  }
  await finish(mortal, world, noBill())
}

describe('moving a corpus to another embedding model', () => {
  it('[L510] ends as if the corpus had been made with it, is served by the one before until then, and leaves nothing in its index', async () => {
    const moving = await grown(ALL, pages(0, 24), EXACT)
    const { context, world } = moving
    const question = 'Anna Berg saw the heron of Port Ellis'
    expect(answer(context, question)).not.toEqual([])
    const job = begin(context)
    const models = new Set<string>()
    for (let turns = 0; turns < 400 && findJob(context.sql, job)?.phase !== 'done'; turns++) {
      const first = ask(context, question)
      models.add(`${stepOf(context)} ${first.kind === 'moved' ? 'new' : 'old'}`)
      expect(answer(context, question)).toHaveLength(3)
      await turn(moving)
    }
    await finish(moving.mortal, world, noBill())
    expect(models).toContain('fill old')
    expect(models).toContain('clear new')
    const fresh = await grown(ALL, pages(0, 24), { ...EXACT, ...MOVED })
    expect(context.graph.state).toBe(fresh.context.graph.state)
    expect([...context.graph.lines()].sort()).toEqual([...fresh.context.graph.lines()].sort())
    expect([idsIn(world.index), idsIn(world.other)]).toEqual([[], idsIn(fresh.world.other)])
    for (const [id, row] of fresh.world.other.rows) if (!id.endsWith(':mark')) expect(world.other.rows.get(id)?.values).toEqual(row.values)
    expect(answer(context, question)).toEqual(answer(fresh.context, question))
    expect(viewOf(findJob(context.sql, job) as never).status).toBe('succeeded')
  })

  it('[L511] documents come and go at every step: what is deleted is in neither index, what came is in the new', async () => {
    const moving = await grown(ALL, pages(0, 20), EXACT)
    const { context, world } = moving
    const job = begin(context)
    const steps = new Set<string>()
    let n = 0
    for (let turns = 0; turns < 800 && findJob(context.sql, job)?.phase !== 'done'; turns++) {
      const step = String(stepOf(context))
      if (!steps.has(step)) {
        steps.add(step)
        accept(context, { kind: 'batch', upserts: [page(100 + n), page(n + 10, 1)], deletes: [`d${n}`] })
        n++
      }
      await turn(moving)
    }
    await finish(moving.mortal, world, noBill())
    expect([...steps]).toEqual(
      expect.arrayContaining(['vectors', 'await', 'feed', 'write', 'settle', 'measure', 'compare', 'fill', 'promote']),
    )
    const kept = [
      ...pages(n, 20).filter((one) => Number(one.id.slice(1)) < 10 || Number(one.id.slice(1)) >= 10 + n),
      ...Array.from({ length: n }, (_, i) => page(100 + i)),
      ...Array.from({ length: n }, (_, i) => page(i + 10, 1)),
    ].filter(({ id }) => Number(id.slice(1)) >= n)
    const fresh = await grown(ALL, kept, { ...EXACT, ...MOVED })
    expect(context.graph.state).toBe(fresh.context.graph.state)
    expect([idsIn(world.index), idsIn(world.other)]).toEqual([[], idsIn(fresh.world.other)])
  })

  it('[L511] a deletion that has succeeded while the new index is being filled has left nothing in it', async () => {
    const moving = await grown(['erarag'], pages(0, 12), EXACT)
    const { context, world } = moving
    begin(context)
    for (let turns = 0; turns < 400 && idsIn(world.other).length === 0; turns++) await turn(moving)
    const chunk = context.graph.document('d3')?.chunks[0]?.chunk.slice(2) ?? 'none'
    expect(idsIn(world.other).some((id) => id.includes(chunk))).toBe(true)
    const gone = accept(context, { kind: 'delete', upserts: [], deletes: ['d3'] })
    if (gone.kind !== 'accepted') throw new Error(gone.kind)
    for (let turns = 0; turns < 400 && findJob(context.sql, gone.job)?.phase !== 'done'; turns++) {
      commitNext(context)
      const round = openTasks(context, 'one', 64)
      if (round) commitRound(context, 'one', answered(round, noBill()))
      await send(moving.mortal)
      finishJobsAwaitingSinks(context)
    }
    expect(idsIn(world.index).some((id) => id.includes(chunk))).toBe(false)
    expect(idsIn(world.other).some((id) => id.includes(chunk))).toBe(false)
  })

  it('[L512] what a text model has written is embedded anew and not asked for again', async () => {
    const moving = await grown(['cluerag', 'ketrag'], pages(0, 12), WRITING)
    const job = begin(moving.context)
    const bill = noBill()
    for (let turns = 0; turns < 400 && findJob(moving.context.sql, job)?.phase !== 'done'; turns++) await turn(moving, bill)
    await finish(moving.mortal, moving.world, bill)
    expect(Object.keys(bill.kinds)).toEqual(['embed'])
    const fresh = await grown(['cluerag', 'ketrag'], pages(0, 12), { ...WRITING, ...MOVED })
    expect(moving.context.graph.state).toBe(fresh.context.graph.state)
  })

  it('[L512] dying at any write or await, it ends as without', async () => {
    const { world } = await grown(['erarag'], pages(0, 6), EXACT)
    const fresh = await grown(['erarag'], [...pages(1, 6), page(50)], { ...EXACT, ...MOVED })
    world.base()
    let deaths = 0
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      world.again()
      const roll = dice(seed)
      const changesAt = roll(24)
      let mortal = world.wake()
      const job = begin(mortal.context)
      const isDone = () => findJob(mortal.context.sql, job)?.phase === 'done'
      let hasChanged = false
      for (let turns = 0; turns < 900 && !(hasChanged && isDone()); turns++) {
        try {
          if (roll(4) === 0) mortal.doom(roll(2) ? { write: 1 + roll(60) } : { await: 1 + roll(6), late: roll(2) === 0 })
          if (!hasChanged && turns >= changesAt) {
            accept(mortal.context, { kind: 'batch', upserts: [page(50)], deletes: ['d0'] })
            hasChanged = true
          }
          await turn({ mortal, world })
        } catch (error) {
          if (!(error instanceof Death) && !mortal.dead()) throw error
          deaths++
          mortal = world.wake()
          world.clock.now += LEASE
        }
      }
      mortal = world.wake()
      await finish(mortal, world, noBill())
      const { context } = mortal
      expect([seed, findJob(context.sql, job)?.status, context.graph.dimensions]).toEqual([seed, 'succeeded', OTHER_DIMENSIONS])
      expect([seed, context.graph.state]).toEqual([seed, fresh.context.graph.state])
      expect([seed, idsIn(world.index), idsIn(world.other)]).toEqual([seed, [], idsIn(fresh.world.other)])
    }
    expect(deaths).toBeGreaterThan(SCHEDULES)
  })

  it('[L513] cancelled before the switch, at any step, it leaves the corpus as it was and nothing in the other index', async () => {
    const { world } = await grown(ALL, pages(0, 10), EXACT)
    world.base()
    for (const wanted of ['vectors', 'await', 'feed', 'settle', 'compare', 'fill', 'promote'] as const) {
      world.again()
      const mortal = world.wake()
      const { context } = mortal
      const before = { lines: [...context.graph.lines()].sort(), index: idsIn(world.index) }
      const job = begin(context)
      for (let turns = 0; turns < 400 && stepOf(context) !== wanted; turns++) await turn({ mortal, world })
      expect(stepOf(context)).toBe(wanted)
      expect(cancelJob(context, findJob(context.sql, job) as never)).toBe(true)
      await finish(mortal, world, noBill())
      expect([wanted, isPending(context), idsIn(world.other)]).toEqual([wanted, false, []])
      expect({ lines: [...context.graph.lines()].sort(), index: idsIn(world.index) }).toEqual(before)
      expect(begin(context)).not.toBe(job) // and may be begun again
    }
  })

  it('[L513] a budget that is used up pauses it; raised, it goes on', async () => {
    const moving = await grown(['erarag'], pages(0, 10), EXACT)
    const { context, world } = moving
    const configure = (tokens: number) => {
      context.atomically(() => writeConfig(context, context.config, { ...context.config, budget: { tokens } }))
      Object.assign(context, contextOf(context))
    }
    configure(1)
    const job = begin(context)
    for (let turns = 0; turns < 20; turns++) await turn(moving)
    expect(viewOf(findJob(context.sql, job) as never).status).toBe('paused_budget')
    expect(answer(context, 'the heron')).toHaveLength(3)
    configure(1_000_000)
    for (let turns = 0; turns < 400 && findJob(context.sql, job)?.phase !== 'done'; turns++) await turn(moving)
    await finish(moving.mortal, world, noBill())
    expect([viewOf(findJob(context.sql, job) as never).status, context.graph.dimensions]).toEqual(['succeeded', OTHER_DIMENSIONS])
  })

  it('[L516] settings sent meanwhile, by somebody who knows the model before, change no model; the graph moves with them', async () => {
    const moving = await grown(['erarag'], pages(0, 12), EXACT)
    const { context, world } = moving
    const job = begin(context)
    for (let turns = 0; turns < 400 && stepOf(context) !== 'fill'; turns++) await turn(moving)
    const wider = { ...defaultSettings.erarag, min: 2, max: 4 }
    const sent = { ...context.config, settings: { ...context.config.settings, erarag: wider } }
    expect(context.atomically(() => writeConfig(context, context.config, sent))).toBe(true)
    Object.assign(context, contextOf(context))
    restartMaintenance(context)
    for (let turns = 0; turns < 400 && findJob(context.sql, job)?.phase !== 'done'; turns++) await turn(moving)
    await finish(moving.mortal, world, noBill())
    const again = { ...sent, budget: { tokens: 5_000_000 } } // still of the model before
    context.atomically(() => writeConfig(context, context.config, again))
    Object.assign(context, contextOf(context))
    expect([context.config.settings.embedding, context.config.settings.dimensions, isPending(context)]).toEqual([
      'new',
      OTHER_DIMENSIONS,
      false,
    ])
    const fresh = await grown(['erarag'], pages(0, 12), { ...EXACT, erarag: wider, ...MOVED })
    expect(context.graph.state).toBe(fresh.context.graph.state)
    expect([idsIn(world.index), idsIn(world.other)]).toEqual([[], idsIn(fresh.world.other)])
  })

  it('[L517] probes are weighed with both models, and probes and labels have vectors of the new one afterwards', async () => {
    const moving = await grown(ALL, pages(0, 12), EXACT)
    const { context, world } = moving
    const query = 'Who saw the heron?'
    pinProbes(context, [{ query, expect: ['d0', 'd8'], vector: embed(query) }], { k: 10, tolerance: 1 })
    const label = {
      id: 'birds',
      description: 'On birds',
      examples: [{ id: 'x', text: 'A heron by the harbour', vector: embed('A heron by the harbour') }],
    }
    const labels = labelsOf(() => context)
    labels.put({ ...label, vector: embed('birds: On birds') })
    await finish(moving.mortal, world, noBill())
    const job = begin(context)
    for (let turns = 0; turns < 400 && findJob(context.sql, job)?.phase !== 'done'; turns++) await turn(moving)
    await finish(moving.mortal, world, noBill())
    expect(viewOf(findJob(context.sql, job) as never).status).toBe('succeeded')
    const [result] = resultsOf(context)
    expect(Object.keys(result?.gate?.found ?? {})).toContain('erarag')
    expect(context.sql.all<{ n: number }>('SELECT length(vector) AS n FROM probe')).toEqual([{ n: OTHER_DIMENSIONS }])
    const lengths = context.graph.values('gorag/vector', '', 10).map(({ value }) => (value as Uint8Array).length)
    expect(lengths).toEqual([OTHER_DIMENSIONS, OTHER_DIMENSIONS])
    expect(context.graph.node(context.graph.page('label', '', 1)[0] ?? '')?.vector).toHaveLength(OTHER_DIMENSIONS)
    expect(labels.classify({ text: 'A heron', vector: embed('A heron', OTHER_DIMENSIONS) }).label).toBe('birds')
  })

  it('[L517] where it would lose more of the probes than the corpus tolerates it is refused, and the corpus stays as it was', async () => {
    const moving = await grown(['erarag'], pages(0, 12), EXACT)
    const { context, world } = moving
    const found = answer(context, 'the glacier')
    const vector = embed('the glacier')
    pinProbes(context, [{ query: 'zzz', expect: found, vector }], { k: 3, tolerance: 0 })
    const job = begin(context)
    for (let turns = 0; turns < 400 && findJob(context.sql, job)?.phase !== 'done'; turns++) await turn(moving)
    await finish(moving.mortal, world, noBill())
    const { status, error } = viewOf(findJob(context.sql, job) as never)
    if (status === 'succeeded') return // the other model lost nothing by chance
    expect([status, error?.startsWith('refused'), isPending(context), context.graph.dimensions]).toEqual([
      'failed',
      true,
      false,
      DIMENSIONS,
    ])
    expect(idsIn(world.other)).toEqual([])
  })

  it('[V611] a text that the other model refuses is found by words, its document says so after the switch, and it is asked for again', async () => {
    const moving = await grown(['erarag'], pages(0, 24), EXACT)
    const { context, world } = moving
    const odd = context.graph.document('d3')?.chunks[0]?.chunk ?? 'none'
    const job = begin(context)
    await movedWith(moving, job, (chunk) => chunk === odd)
    expect(viewOf(findJob(context.sql, job) as never).status).toBe('succeeded')
    expect(context.graph.vector(context.graph.chunk(odd)?.passages[0]?.id ?? '')?.some(Boolean)).toBe(false)
    expect(stateOf(context, 'd3')).toEqual({ error: 'quarantined: invalid' })
    expect([stateOf(context, 'd4'), retriesOf(context, 10).waiting, countVectorless(context.sql)]).toEqual([{ error: null }, 1, 0])
    expect(idsIn(world.other).some((id) => id.includes(odd.slice(2)))).toBe(false)
    world.clock.now += 3_700_000
    expect(retryQuarantined(context)).toBe(true)
    await finish(moving.mortal, world, noBill())
    const fresh = await grown(['erarag'], pages(0, 24), { ...EXACT, ...MOVED })
    expect([stateOf(context, 'd3'), retriesOf(context, 10).waiting]).toEqual([{ error: null }, 0])
    expect([context.graph.state, idsIn(world.other)]).toEqual([fresh.context.graph.state, idsIn(fresh.world.other)])
  })

  it('[V611] what the model before had no vector for and the other has is whole after the switch; what was refused and went is forgotten', async () => {
    const moving = await grown(['erarag'], pages(0, 6), EXACT)
    const { context } = moving
    const [odd, gone] = ['d2', 'd4'].map((id) => context.graph.document(id)?.chunks[0]?.chunk ?? 'none')
    insertQuarantined(context.sql, { builder: BASE, kind: 'embed', node: odd ?? '', input: 'of the model before' }, 1e15)
    const job = begin(context)
    await movedWith(
      moving,
      job,
      (chunk) => chunk === gone,
      () => void accept(context, { kind: 'delete', upserts: [], deletes: ['d4'] }),
    )
    expect(viewOf(findJob(context.sql, job) as never).status).toBe('succeeded')
    expect([retriesOf(context, 10).waiting, countVectorless(context.sql)]).toEqual([0, 0])
  })

  it('[V611] a model that gives no vectors for more than a tenth of the chunks is refused, and the corpus stays as it was', async () => {
    const moving = await grown(['erarag'], pages(0, 24), EXACT)
    const { context, world } = moving
    const before = [...context.graph.lines()].sort()
    const job = begin(context)
    await movedWith(moving, job, () => true)
    const { status, error } = viewOf(findJob(context.sql, job) as never)
    expect([status, error]).toEqual(['failed', 'refused: the other embedding model gave no vectors for texts of 24 of 24 chunks'])
    expect([isPending(context), countVectorless(context.sql), idsIn(world.other)]).toEqual([false, 0, []])
    expect([...context.graph.lines()].sort()).toEqual(before)
  })

  it('[L515] says what it comes to, and is not begun twice, nor to the model it has', async () => {
    const { context } = await grown(['cluerag'], pages(0, 10), EXACT)
    const { texts, tokens, job } = migrationState(context)
    expect([texts >= context.graph.count('passage'), tokens > 100, job]).toEqual([true, true, null])
    expect(startMigration(context, { id: 'old', dimensions: DIMENSIONS }, false)).toBe('same')
    begin(context)
    expect(startMigration(context, NEW, isPending(context) || isMaintenanceOpen(context))).toBe('busy')
  })
})
