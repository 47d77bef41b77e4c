/** Batches too large for one piece of work: taken in by parts, and what is left caught up with. */
import { afterEach, describe, expect, it } from 'vitest'
import { processBacklog } from '../../../durable-objects/corpus/indexing/backlog'
import { commitNext } from '../../../durable-objects/corpus/indexing/commit'
import { integrateNextPart } from '../../../durable-objects/corpus/indexing/large'
import { commitRound, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { divideAhead, divisionOf } from '../../../durable-objects/corpus/ingest/divide-ahead'
import { document } from '../../../durable-objects/corpus/ingest/documents'
import { hasBacklog } from '../../../durable-objects/corpus/jobs/builders'
import { isIntegrating, readIntegration } from '../../../durable-objects/corpus/jobs/integration-state'
import { findJob } from '../../../durable-objects/corpus/jobs/jobs'
import { cancelJob } from '../../../durable-objects/corpus/maintenance/job-actions'
import { runMaintenanceSlice, startMaintenance } from '../../../durable-objects/corpus/maintenance/maintain'
import { drain } from '../../../durable-objects/corpus/outbox/drain'
import { receipts } from '../../../durable-objects/corpus/outbox/receipts'
import { writeConfig } from '../../../durable-objects/corpus/pending-config'
import { retrieve } from '../../../durable-objects/corpus/query/retrieve'
import { isBeingQueried } from '../../../durable-objects/corpus/query-load'
import { type AlarmRun, runAlarm } from '../../../durable-objects/corpus/schedule/run'
import { isCandidateOpen } from '../../../durable-objects/corpus/shadow-graph/tables'
import { type CorpusContext, contextOf } from '../../../durable-objects/corpus/store'
import { isFrozen } from '../../../durable-objects/graph/snapshot'
import type { Settings } from '../../../src/core/settings'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import { divide } from '../../../src/core/text/divide'
import type { DocumentInput } from '../../../src/ports/documents'
import { Death, type Mortal, mortalWorld, type World } from './mortal-object'
import { answered, finish, noBill } from './working'

const SMALL: Partial<Settings> = {
  chunking: { chunk: 60, overlap: 0, passage: 30 },
  models: 'none',
  archrag: { ...defaultSettings.archrag, piece: 16, max: 6, min: 2 },
}
const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

const letters = (from: number, to: number): DocumentInput[] =>
  Array.from({ length: to - from }, (_, i) => {
    const n = from + i
    const text = `Captain ${name(n)} met Pilot ${name(n + 7)} at Port ${name(n % 5)} and wrote of it on day ${n}.`
    return { id: `letter-${n}`, text, title: '', url: null, metadata: {} }
  })

/** A word of its own for each of a hundred numbers. */
function name(n: number): string {
  const [a = 'B', b = 'a'] = [[...'BDFGKLMNRS'][Math.floor(n / 10) % 10], [...'aeiou'][n % 5]]
  return `${a}${b}r${n % 10 < 5 ? 'ti' : 'mo'}n`
}

function begun(strategies: readonly string[], part?: number): { readonly world: World; readonly mortal: Mortal } {
  const world = mortalWorld(strategies, SMALL, part === undefined ? {} : { part })
  worlds.push(world)
  return { world, mortal: world.wake() }
}

/** The job, and all the model work done that it waits for, short of catching up. */
function takenIn({ context }: Mortal, upserts: readonly DocumentInput[], deletes: readonly string[] = []): string {
  const accepted = accept(context, { kind: 'batch', upserts, deletes })
  for (;;) {
    const round = openTasks(context, 'one', 1024)
    if (!round || round.tasks.length === 0) break
    commitRound(context, 'one', answered(round, noBill()))
  }
  return accepted.kind === 'accepted' ? accepted.job : ''
}

describe('a large batch', () => {
  it('[V107] goes in by parts and is one version, sent once, with the graph that its documents make one by one', async () => {
    const strategies = ['erarag', 'cluerag', 'ketrag']
    const [large, single] = [begun(strategies), begun(strategies)]
    const before = large.mortal.context.graph.version
    takenIn(large.mortal, letters(0, 160))
    await finish(large.mortal, large.world, noBill())
    const commits = receipts(large.mortal.context, null, 100).data.filter((one) => one.touched.documents > 0)
    expect(commits.map((one) => [one.version, one.touched.documents])).toEqual([[before + 1, 160]])
    for (const one of letters(0, 160)) takenIn(single.mortal, [one])
    await finish(single.mortal, single.world, noBill())
    expect(large.mortal.context.graph.state).toBe(single.mortal.context.graph.state)
    expect(large.world.told()).toEqual(single.world.told())
  })

  it('[V107] that moves texts to other documents embeds none of them again, whichever part they are in', async () => {
    const { world, mortal } = begun(['erarag'])
    takenIn(mortal, letters(0, 160))
    await finish(mortal, world, noBill())
    const { state } = mortal.context.graph
    const moved = letters(0, 160).map((one) => ({ ...one, id: `moved-${one.id}` }))
    const bill = noBill()
    accept(mortal.context, { kind: 'batch', upserts: moved, deletes: letters(0, 160).map((one) => one.id) })
    await finish(mortal, world, bill)
    expect([bill.tasks, mortal.context.graph.count('document')]).toEqual([0, 160])
    takenIn(
      mortal,
      letters(0, 160),
      moved.map((one) => one.id),
    )
    await finish(mortal, world, noBill())
    expect(mortal.context.graph.state).toBe(state)
  })
})

describe('a change that goes in by parts', () => {
  const EXACT = ['erarag', 'cluerag', 'ketrag']
  /** What callers see of the corpus. */
  const told = ({ context }: Mortal, ids: readonly string[]) => {
    const asked = (text: string) => {
      const found = retrieve(context, { strategy: 'keyword', text, near: {}, topK: 100, budget: 40_000, trace: false, options: {} })
      return found.kind === 'evidence' ? [found.version, found.evidence.map((one) => one.text).sort()] : found.kind
    }
    return {
      version: context.graph.version,
      state: context.graph.state,
      lines: [...context.graph.lines()].sort(),
      texts: ids.map((id) => [document(context, id)?.text, document(context, id)?.indexed_version]),
      found: ['Captain Bartin', 'Pilot Darmon', 'Port Bertin'].map(asked),
    }
  }

  it('[V107] is seen by nobody until it is complete: questions, documents and sinks are as they were', async () => {
    const { world, mortal } = begun(EXACT, 8)
    takenIn(mortal, letters(0, 20))
    await finish(mortal, world, noBill())
    const newer = letters(0, 12).map((one) => ({ ...one, text: one.text.replace('Captain', 'Admiral') }))
    const ids = ['letter-2', 'letter-15', 'letter-19']
    const [before, sinks] = [told(mortal, ids), world.told()]
    const job = takenIn(
      mortal,
      [...newer, ...letters(20, 40)],
      letters(14, 18).map((one) => one.id),
    )
    let parts = 0
    for (; isIntegrating(mortal.context); parts++) {
      expect(told(mortal, ids)).toEqual(before)
      await drain(mortal.context, mortal.sinks)
      expect(world.told()).toEqual(sinks)
      expect(told(world.wake(), ids)).toEqual(before)
      expect(findJob(mortal.context.sql, job)?.phase).toBe('settling')
      expect(commitNext(mortal.context)).toBe(true)
    }
    expect([parts > 5, mortal.context.graph.version]).toEqual([true, before.version + 1])
    await finish(mortal, world, noBill())
    const { world: other, mortal: single } = begun(EXACT)
    for (const one of [...letters(0, 20), ...newer, ...letters(20, 40)]) takenIn(single, [one])
    for (const one of letters(14, 18)) takenIn(single, [], [one.id])
    await finish(single, other, noBill())
    expect([mortal.context.graph.state, world.told()]).toEqual([single.context.graph.state, other.told()])
    const receipt = findJob(mortal.context.sql, job)?.receipt
    expect(receipt?.touched.documents).toBe(36)
    const commits = receipts(mortal.context, null, 100).data.filter((one) => one.touched.documents > 0)
    expect(commits.map((one) => [one.version, one.touched.documents]).at(-1)).toEqual([before.version + 1, 36])
  })

  it('[W2042] counts a document that is longer than a part once: added, replaced and deleted', async () => {
    const { world, mortal } = begun(EXACT, 8)
    const long = (from: number): DocumentInput => {
      const text = letters(from, from + 60).map((one) => one.text)
      return { id: 'long', text: text.join('\n\n'), title: '', url: null, metadata: {} }
    }
    const jobs: string[] = []
    for (const one of [long(0), long(30)]) {
      jobs.push(takenIn(mortal, [one]))
      await finish(mortal, world, noBill())
    }
    expect(document(mortal.context, 'long')?.chunks).toBeGreaterThan(16)
    jobs.push(takenIn(mortal, [], ['long']))
    await finish(mortal, world, noBill())
    expect(jobs.map((job) => findJob(mortal.context.sql, job)?.receipt?.touched.documents)).toEqual([1, 1, 1])
    const commits = receipts(mortal.context, null, 100).data.filter((one) => one.touched.documents > 0)
    expect(commits.map((one) => one.touched.documents)).toEqual([1, 1, 1])
  })

  it('[V107] [J8] what comes meanwhile waits its turn: newer versions, deletions and replies, each once', async () => {
    const { world, mortal } = begun(EXACT, 8)
    const { context } = mortal
    takenIn(mortal, letters(0, 20))
    await finish(mortal, world, noBill())
    // A runner has work in hand when a change that needs no vectors begins.
    const [last] = letters(60, 61)
    const out = { ...(last as DocumentInput), text: `${last?.text} He wrote it twice.` }
    accept(context, { kind: 'ingest', upserts: [out], deletes: [] })
    const bill = noBill()
    const round = openTasks(context, 'one', 1024)
    const results = round ? answered(round, bill) : []
    const moved = letters(0, 20).map((one) => ({ ...one, id: `moved-${one.id}` }))
    const large = accept(context, { kind: 'batch', upserts: moved, deletes: letters(0, 20).map((one) => one.id) })
    expect([isIntegrating(context), openTasks(context, 'two', 9)]).toEqual([true, null])
    for (let n = 0; n < 3; n++) commitNext(context)
    // Texts that the change takes away are placed again by one that comes while they can still be seen.
    const again = letters(3, 5)
    accept(context, { kind: 'batch', upserts: again, deletes: ['moved-letter-7'] })
    expect(context.sql.all(`SELECT node FROM task WHERE builder = 'base'`)).toHaveLength(results.length)
    expect(commitRound(context, 'one', results)).not.toBeNull()
    const job = large.kind === 'accepted' ? findJob(context.sql, large.job) : undefined
    if (!job) throw new Error('no job')
    expect(cancelJob(context, job)).toBe(false)
    await finish(mortal, world, bill)
    const { world: other, mortal: single } = begun(EXACT)
    for (const one of [...moved, ...again, out]) takenIn(single, [one])
    takenIn(single, [], ['moved-letter-7'])
    await finish(single, other, noBill())
    expect([context.graph.state, world.told()]).toEqual([single.context.graph.state, other.told()])
  })

  it('[L250] goes in by parts while a graph is derived anew: both graphs are what they are when it goes in at once', async () => {
    const ended = async (part: number): Promise<{ readonly state: string; readonly both: boolean }> => {
      const { world, mortal } = begun(['erarag', 'cluerag', 'ketrag'], part)
      const { context } = mortal
      accept(context, { kind: 'batch', upserts: letters(0, 8), deletes: [] })
      await finish(mortal, world, noBill())
      const settings = { ...context.config.settings, erarag: { ...defaultSettings.erarag, min: 2, max: 4 } }
      context.atomically(() => writeConfig(context, context.config, { ...context.config, settings }))
      Object.assign(context, contextOf(context))
      startMaintenance(context, 'reindex')
      while (!isCandidateOpen(context.sql)) if (!runMaintenanceSlice(context)) throw new Error('no graph is derived anew')
      takenIn(mortal, letters(8, 20), ['letter-3'])
      let both = false
      while (commitNext(context)) both ||= isIntegrating(context) && isFrozen(context.sql) && isCandidateOpen(context.sql)
      await finish(mortal, world, noBill())
      expect([isCandidateOpen(context.sql), isFrozen(context.sql)]).toEqual([false, false])
      return { state: context.graph.state, both }
    }
    const [once, parts] = [await ended(1000), await ended(3)]
    expect([once.both, parts.both, parts.state]).toEqual([false, true, once.state])
  })

  it('[V540] reads for a part what that part brings, and remembers nothing of one that was undone', async () => {
    const [whole, undone] = [begun(EXACT, 8), begun(EXACT, 8)]
    takenIn(whole.mortal, letters(0, 160))
    await finish(whole.mortal, whole.world, noBill())
    const { context } = undone.mortal
    let [versions, failsIn] = [0, 0]
    const watched = <T>(run: (query: string, ...bindings: never[]) => T) =>
      ((query: string, ...bindings: never[]): T => {
        if (query.includes('FROM revision')) versions++
        if (failsIn > 0 && --failsIn === 0) throw new Error('the disk is full')
        return run(query, ...bindings)
      }) as never
    const { sql } = context
    const failing = { ...context, sql: { ...sql, all: watched(sql.all), one: watched(sql.one), run: watched(sql.run) } }
    takenIn({ ...undone.mortal, context: failing }, letters(0, 160))
    for (const statements of [40, 150, 300]) {
      expect(integrateNextPart(failing)).toBe(true)
      versions = 0
      expect(integrateNextPart(failing)).toBe(true)
      expect(versions).toBe(0)
      failsIn = statements
      expect(() => integrateNextPart(failing)).toThrow('the disk is full')
    }
    await finish(undone.mortal, undone.world, noBill())
    expect(context.graph.state).toBe(whole.mortal.context.graph.state)
    expect([...context.graph.lines()].sort()).toEqual([...whole.mortal.context.graph.lines()].sort())
  })

  it('[V107] replies for builders that come meanwhile are kept, and added when it is in', async () => {
    const written: Partial<Settings> = { ...SMALL, writer: true, models: 'scripted', cluerag: { ...defaultSettings.cluerag, alpha: 1 } }
    const run = async (meanwhile: boolean) => {
      const world = mortalWorld(['cluerag'], written, { part: 8 })
      worlds.push(world)
      const mortal = world.wake()
      const { context } = mortal
      const bill = noBill()
      accept(context, { kind: 'batch', upserts: letters(0, 6), deletes: [] })
      const embeds = openTasks(context, 'one', 1024)
      if (embeds) commitRound(context, 'one', answered(embeds, bill))
      const extracts = openTasks(context, 'one', 1024)
      const results = extracts ? answered(extracts, bill) : []
      if (!meanwhile) commitRound(context, 'one', results)
      accept(context, {
        kind: 'batch',
        upserts: letters(0, 6).map((one) => ({ ...one, id: `m-${one.id}` })),
        deletes: letters(0, 6).map((one) => one.id),
      })
      if (meanwhile) {
        expect(isIntegrating(context)).toBe(true)
        commitNext(context)
        expect(commitRound(context, 'one', results)).not.toBeNull()
        expect(context.sql.all('SELECT n FROM late')).toHaveLength(results.length)
      }
      await finish(mortal, world, bill)
      return {
        state: context.graph.state,
        bill,
        kinds: new Set(results.map((one) => one.reply.kind)),
        late: context.sql.all('SELECT n FROM late'),
      }
    }
    const late = await run(true)
    expect(late).toEqual(await run(false))
    expect([late.kinds, late.late]).toEqual([new Set(['extract']), []])
  })

  it('[V107] a document longer than a part comes, is replaced and goes by parts of it', async () => {
    const long = (from: number, to: number): DocumentInput => ({
      id: 'book',
      text: letters(from, to)
        .map((one) => one.text)
        .join('\n\n'),
      title: 'JobUnitOfWork',
      url: null,
      metadata: {},
    })
    const [parted, whole] = [begun(EXACT, 4), begun(EXACT, 10_000)]
    for (const [upserts, deletes] of [
      [[long(0, 40)], []],
      [[long(20, 90)], []],
      [[long(10, 30)], []],
      [[], ['book']],
    ] as const) {
      const commits = () => receipts(parted.mortal.context, null, 100).data.filter((one) => one.touched.documents > 0).length
      const before = commits()
      for (const { world, mortal } of [parted, whole]) {
        takenIn(mortal, upserts, deletes)
        await finish(mortal, world, noBill())
      }
      const [one, other] = [parted.mortal.context.graph, whole.mortal.context.graph]
      expect([one.state, commits()]).toEqual([other.state, before + 1])
    }
    expect([parted.world.told(), parted.mortal.context.graph.count('chunk')]).toEqual([[], 0])
  })
})

describe('what was too much for one commit', () => {
  it('[V108] follows in commits of its own, no task is lent meanwhile, and the job is done when it is in', () => {
    const { mortal } = begun(['archrag'])
    const { context } = mortal
    const job = takenIn(mortal, letters(0, 60))
    const phase = (): string | undefined => findJob(context.sql, job)?.phase
    expect([hasBacklog(context), phase()]).toEqual([true, 'settling'])
    accept(context, { kind: 'ingest', upserts: letters(60, 61), deletes: [] })
    expect(openTasks(context, 'one', 10)?.tasks).toEqual([])
    let [pieces, last] = [0, context.graph.version]
    for (; hasBacklog(context); pieces++) {
      expect(phase()).toBe('settling')
      expect(processBacklog(context)).toBe(true)
      expect(context.graph.version).toBe(last + 1)
      last = context.graph.version
    }
    expect(pieces).toBeGreaterThan(2)
    expect([phase(), processBacklog(context)]).toEqual(['done', false])
    expect(findJob(context.sql, job)?.receipt?.touched.communities).toBeGreaterThan(0)
    expect(openTasks(context, 'one', 10)?.tasks).toHaveLength(1)
  })

  it('[V108] is neither lost nor done twice wherever the object dies', async () => {
    const { world, mortal } = begun(['archrag'])
    takenIn(mortal, letters(0, 40))
    await finish(mortal, world, noBill())
    const want = mortal.context.graph.state
    const { world: other, mortal: first } = begun(['archrag'])
    takenIn(first, letters(0, 40))
    let now = first
    let deaths = 0
    for (let at = 5; hasBacklog(now.context); at += 12) {
      now.doom({ write: at })
      try {
        processBacklog(now.context)
      } catch (error) {
        if (!(error instanceof Death)) throw error
        deaths++
        now = other.wake()
      }
    }
    expect(deaths).toBeGreaterThan(3)
    now.doom({})
    await finish(now, other, noBill())
    expect(now.context.graph.state).toBe(want)
  })
})

describe('questions beside a large batch', () => {
  it('[J134] while a corpus is asked, less goes in at a time, and the graph is the same', async () => {
    const asked = { at: 0 }
    const world = mortalWorld([], SMALL, { asked })
    worlds.push(world)
    const mortal = world.wake()
    asked.at = world.clock.now
    takenIn(mortal, letters(0, 20))
    let parts = 0
    while (isIntegrating(mortal.context)) {
      expect(commitNext(mortal.context)).toBe(true)
      if (!readIntegration(mortal.context)?.midway) parts++
    }
    expect(parts).toBe(21) // of a chunk each, and the one that makes them a version
    const calm = begun([])
    takenIn(calm.mortal, letters(0, 20))
    expect(isIntegrating(calm.mortal.context)).toBe(false)
    expect(mortal.context.graph.state).toBe(calm.mortal.context.graph.state)
  })

  describe('by steps of its parts', () => {
    const STRATEGIES = ['erarag', 'cluerag', 'ketrag', 'archrag']
    /** One change of additions, one that also replaces and deletes. */
    const changes = [
      { upserts: letters(0, 12), deletes: [] },
      { upserts: [...letters(3, 5).map((one) => ({ ...one, text: `${one.text} Twice.` })), ...letters(20, 26)], deletes: ['letter-7'] },
    ]
    const applied = async (commits: (mortal: Mortal, world: World) => Mortal, at: 'asked' | 'idle') => {
      const asked = { at: at === 'asked' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY }
      const world = mortalWorld(STRATEGIES, SMALL, { asked, part: 1 })
      worlds.push(world)
      let mortal = world.wake()
      for (const { upserts, deletes } of changes) {
        takenIn(mortal, upserts, deletes)
        for (let n = 0; isIntegrating(mortal.context); n++) {
          if (n > 2000) throw new Error('the change does not end')
          mortal = commits(mortal, world)
        }
        await finish(mortal, world, noBill())
      }
      const sent = receipts(mortal.context, null, 100).data.map(({ version, touched }) => ({ version, touched }))
      return { state: mortal.context.graph.state, lines: [...mortal.context.graph.lines()].sort(), commits: sent, told: world.told() }
    }

    it('[J2380] builders work a few at a time while a corpus is asked: the graph, the receipts and what the sinks are told are the same', async () => {
      let [steps, halfway] = [0, 0]
      const counting = (mortal: Mortal): Mortal => {
        expect(commitNext(mortal.context)).toBe(true)
        steps++
        if (readIntegration(mortal.context)?.midway) halfway++
        return mortal
      }
      const idle = await applied(counting, 'idle')
      expect([steps > 15, halfway]).toEqual([true, 0])
      const parts = steps
      steps = 0
      const asked = await applied(counting, 'asked')
      expect(asked).toEqual(idle)
      expect([halfway > 30, steps]).toEqual([true, parts + halfway])
    })

    it('[J2380] a step is neither lost nor done twice wherever the object dies, and one that wakes goes on from it', async () => {
      const idle = await applied((mortal) => {
        commitNext(mortal.context)
        return mortal
      }, 'idle')
      let [at, deaths] = [1, 0]
      const dying = (mortal: Mortal, world: World): Mortal => {
        at = at > 300 ? 1 : at + 13
        mortal.doom({ write: at })
        try {
          commitNext(mortal.context)
        } catch (error) {
          if (!(error instanceof Death)) throw error
          deaths++
        }
        return world.wake() // whether it died or only slept
      }
      const died = await applied(dying, 'asked')
      expect({ ...died, commits: died.commits.map((one) => one.version) }).toEqual({
        ...idle,
        commits: idle.commits.map((one) => one.version),
      })
      expect(deaths).toBeGreaterThan(10)
    })
  })

  it('[J270] texts are divided before the transaction that takes them in, and into the same', async () => {
    const asked = { at: 0 }
    const world = mortalWorld([], SMALL, { asked })
    worlds.push(world)
    const { context } = world.wake()
    const long = letters(0, 6).map((one, i) => ({
      ...one,
      text: Array.from({ length: 100 }, (_, n) => `${one.text} Entry ${n + 100 * i}.`).join(' '),
    }))
    expect(await divideAhead({ ...context, now: () => 3_600_000 }, long)).toBeUndefined() // nobody asks
    asked.at = world.clock.now
    const ahead = await divideAhead(context, long)
    expect([...(ahead?.texts.keys() ?? [])]).toEqual(long)
    accept(context, { kind: 'batch', upserts: long, deletes: [] }, ahead)
    const calm = begun([])
    accept(calm.mortal.context, { kind: 'batch', upserts: long, deletes: [] })
    const stagedIn = ({ sql }: CorpusContext) => sql.all('SELECT document, placed, waiting FROM revision ORDER BY n')
    expect(stagedIn(context)).toEqual(stagedIn(calm.mortal.context))
    const [first] = long
    const other = {
      config: { ...context.config, settings: { ...context.config.settings, chunking: { chunk: 90, overlap: 0, passage: 30 } } },
    }
    expect(first && divisionOf(other, first, ahead)).toEqual(first && divide(first, other.config.settings.chunking))
  })

  it('[J134] a corpus counts as asked until ten seconds after the last question', () => {
    const lastQuestion = { at: 5000 }
    expect([14_999, 15_000].map((now) => isBeingQueried({ lastQuestion, now: () => now }))).toEqual([true, false])
  })

  it('[J270] parts give way to questions, as long as these come', async () => {
    const asked = { at: 0 }
    const world = mortalWorld([], SMALL, { asked })
    worlds.push(world)
    const { context, ...mortal } = world.wake()
    asked.at = world.clock.now
    takenIn({ context, ...mortal }, letters(0, 20))
    const waits: (number | 'for questions')[] = []
    const parts: AlarmRun = {
      context: () => context,
      isClosed: () => false,
      now: () => 0,
      pause: async (ms) => void waits.push(ms),
      after: () => () => undefined,
      giveWay: async () => {
        waits.push('for questions')
        if (waits.length === 2) world.clock.now += 3_600_000 // nobody has asked for an hour
      },
      drain: async () => undefined,
      drainMeanwhile: () => undefined,
      startRunner: async () => undefined,
      isUpkeepDue: () => false,
    }
    await runAlarm(parts, 1)
    expect(waits.slice(0, 4)).toEqual(['for questions', 'for questions', 20, 20])
  })

  it('[J134] many that are ready at once go in one part after the other', async () => {
    const asked = { at: 0 }
    const world = mortalWorld([], SMALL, { asked })
    worlds.push(world)
    const mortal = world.wake()
    asked.at = world.clock.now
    for (const letter of letters(0, 20)) accept(mortal.context, { kind: 'ingest', upserts: [letter], deletes: [] })
    const round = openTasks(mortal.context, 'one', 1024)
    if (round) commitRound(mortal.context, 'one', answered(round, noBill()))
    const seen = [mortal.context.graph.count('document')]
    while (commitNext(mortal.context)) seen.push(mortal.context.graph.count('document'))
    expect(seen).toEqual(Array.from({ length: 10 }, (_, i) => 2 * (i + 1)))
    await finish(mortal, world, noBill())
    expect(mortal.context.graph.count('document')).toBe(20)
  })
})
