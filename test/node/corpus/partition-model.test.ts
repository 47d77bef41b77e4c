/** A corpus in partitions moved to another embedding model, while documents come and go, and calls are lost, repeated and late. */
import { afterEach, expect, it } from 'vitest'
import { giveUpModelMove, isMovingModel, modelMoveOf } from '../../../durable-objects/corpus/division/model-move'
import { beginRepartition } from '../../../durable-objects/corpus/division/state'
import { commitNext } from '../../../durable-objects/corpus/indexing/commit'
import { commitRound, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { finishJobsAwaitingSinks } from '../../../durable-objects/corpus/jobs/finish-jobs'
import { findJob } from '../../../durable-objects/corpus/jobs/jobs'
import { followMove } from '../../../durable-objects/corpus/maintenance/follow-move'
import { cancelJob } from '../../../durable-objects/corpus/maintenance/job-actions'
import { leadMove, startMove } from '../../../durable-objects/corpus/maintenance/lead-move'
import { runMaintenanceSlice } from '../../../durable-objects/corpus/maintenance/maintain'
import { takeReports } from '../../../durable-objects/corpus/maintenance/take-reports'
import { pinProbes } from '../../../durable-objects/corpus/quality-gate/probes'
import { metaKeys, readMeta } from '../../../durable-objects/corpus/tables/meta'
import { readProbe } from '../../../durable-objects/corpus/tables/probe'
import { listTops } from '../../../durable-objects/corpus/tables/top'
import { partOf } from '../../../src/core/joint/part-of'
import type { Settings } from '../../../src/core/settings'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import { newUid, partitionUids } from '../../../src/corpus-uid'
import { CLOSED } from '../../../src/partition-layout'
import type { ModelAnswer, ModelOrder } from '../../../src/ports/migration'
import type { Report } from '../../../src/ports/reports'
import { DIMENSIONS, type Mortal, mortalWorld, OTHER_DIMENSIONS, type World } from './mortal-object'
import { answered, dice, embed, finish, noBill, send } from './working'

const PARTS = 2
const NEW = { id: 'new', dimensions: OTHER_DIMENSIONS }
const erarag = { ...defaultSettings.erarag, min: 3, max: 6 }
const OLD_SETTINGS: Partial<Settings> = { models: 'old none', erarag }
const NEW_SETTINGS: Partial<Settings> = { ...OLD_SETTINGS, embedding: 'new', dimensions: OTHER_DIMENSIONS }
const BIRDS = ['heron', 'kestrel', 'wren', 'plover', 'siskin']
const textOf = (n: number, version = 0): string =>
  `The ${BIRDS[n % 5]} of weir ${n} was counted on day ${n}, in version ${version}. It eats what the mill pond holds. Keeper ${n % 7} wrote it down.`

interface One {
  readonly uid: string
  readonly world: World
  readonly mortal: Mortal
}

const open: World[] = []
afterEach(() => {
  for (const world of open.splice(0)) world.close()
})

async function divided(count = 40) {
  const uid = newUid({ partitions: PARTS })
  const clock = { now: 1_000_000 }
  const oneOf = (own: string): One => {
    const world = mortalWorld(['erarag'], OLD_SETTINGS, { uid: own, clock })
    open.push(world)
    return { uid: own, world, mortal: world.wake() }
  }
  const whole = oneOf(uid)
  const parts = partitionUids(uid).map(oneOf)
  const docs = new Map<string, string>()
  const told: [string, readonly Report[]][] = []
  const reports = {
    takeReports: async (partition: string, some: readonly Report[]) => {
      told.push([partition, some])
      takeReports(whole.mortal.context, partition, some)
    },
    reserveFor: () => Promise.reject(new Error('there is no budget')),
  }
  const reporting = ({ mortal }: One): Mortal => ({ ...mortal, sinks: { ...mortal.sinks, whole: () => reports } })
  /** False: refused for a moment. */
  const write = (id: string, text: string | null): boolean => {
    const { context } = (parts[partOf(id, PARTS)] as One).mortal
    try {
      if (text === null) accept(context, { kind: 'delete', upserts: [], deletes: [id] })
      else accept(context, { kind: 'ingest', upserts: [{ id, text, title: '', url: null, metadata: {} }], deletes: [] })
      if (text === null) docs.delete(id)
      else docs.set(id, text)
      return true
    } catch (error) {
      if ((error as Error).message !== CLOSED) throw error
      return false
    }
  }
  const settle = async (): Promise<void> => {
    for (const one of [...parts, whole]) await finish(reporting(one), one.world, noBill())
  }
  for (let n = 0; n < count; n++) write(`d${n}`, textOf(n))
  await settle()
  let turns = 0
  /** One turn of each alarm and of a runner; the last partition is slower. `isBroken`: the other model gives no vectors. */
  const turn = async (isBroken = false): Promise<void> => {
    turns++
    for (const one of [whole, ...parts]) {
      const { context } = one.mortal
      if (one === parts.at(-1) && turns % 3 > 0) continue
      commitNext(context)
      runMaintenanceSlice(context)
      const round = openTasks(context, 'one', 64)
      if (round && round.tasks.length > 0) {
        const results = answered(round, noBill())
        const isNew = isBroken && round.embedded?.dimensions === OTHER_DIMENSIONS
        const refused = results.map((result) => {
          if (!isNew || result.reply.kind !== 'embed') return result
          const vectors = result.reply.vectors.map(() => new Int8Array(OTHER_DIMENSIONS))
          return { ...result, reply: { ...result.reply, vectors }, dropped: { refused: vectors.length } }
        })
        commitRound(context, 'one', refused)
      }
      await send(reporting(one))
      finishJobsAwaitingSinks(context)
    }
    clock.now += 1000
  }
  const obey = (own: string, order: ModelOrder): ModelAnswer => {
    const one = parts.find((part) => part.uid === own) as One
    return structuredClone(followMove(one.mortal.context, structuredClone(order)))
  }
  const models = (): number[] => parts.map(({ mortal }) => mortal.context.config.settings.dimensions)
  const begin = (): string => {
    const begun = startMove(whole.mortal.context, NEW, false)
    if (typeof begun === 'string' || begun.kind !== 'accepted') throw new Error(JSON.stringify(begun))
    return begun.job
  }
  /** Until it is done; `move` may interfere with each order. */
  const run = async (move = obey, between: () => void = () => undefined, isBroken = false): Promise<void> => {
    const partition = (own: string) => ({ moveModel: async (order: ModelOrder) => move(own, order) })
    const pause = async (): Promise<void> => {
      await turn(isBroken)
      clock.now -= 1000 * 0.9
    }
    for (let turns = 0; isMovingModel(whole.mortal.context); turns++) {
      expect(turns).toBeLessThan(600)
      await leadMove(whole.mortal.context, { partition, pause }, clock.now + 5000).catch((error: Error) => {
        if (error.message !== 'lost') throw error
      })
      await turn(isBroken)
      between()
    }
    await settle()
  }
  return { uid, clock, whole, parts, docs, told, write, settle, turn, obey, models, begin, run }
}

type Divided = Awaited<ReturnType<typeof divided>>

const idsIn = ({ rows }: World['index']): string[] => [...rows.keys()].filter((id) => !id.endsWith(':mark')).sort()
const [OLD, MOVED] = [
  [DIMENSIONS, DIMENSIONS],
  [OTHER_DIMENSIONS, OTHER_DIMENSIONS],
]

/** Each partition is as if it had been made with the model. */
async function expectMadeWith(that: Divided, settings: Partial<Settings>): Promise<void> {
  for (const [i, { mortal, world }] of that.parts.entries()) {
    const fresh = mortalWorld(['erarag'], settings, { uid: that.parts[i]?.uid ?? '' })
    open.push(fresh)
    const made = fresh.wake()
    const upserts = [...that.docs].flatMap(([id, text]) =>
      partOf(id, PARTS) === i ? [{ id, text, title: '', url: null, metadata: {} }] : [],
    )
    accept(made.context, { kind: 'batch', upserts, deletes: [] })
    const quiet = { takeReports: async () => undefined, reserveFor: () => Promise.reject(new Error('there is no budget')) }
    await finish({ ...made, sinks: { ...made.sinks, whole: () => quiet } }, fresh, noBill())
    expect(mortal.context.graph.state).toBe(made.context.graph.state)
    const isNew = settings.dimensions === OTHER_DIMENSIONS
    expect([idsIn(world.index), idsIn(world.other)]).toEqual(isNew ? [[], idsIn(fresh.other)] : [idsIn(fresh.index), []])
  }
}

it('[P2480] all partitions are served with the model before until each has everything, then all change; each is as if made with the other', async () => {
  const that = await divided()
  const job = that.begin()
  const seen = new Set<string>()
  const refused = new Set<boolean>()
  await that.run((own, order) => {
    const step = modelMoveOf(that.whole.mortal.context)?.step ?? ''
    if (step !== 'switch') expect([step, that.models()]).toEqual([step, OLD])
    if (step === 'close' && order.what === 'state') refused.add(that.write('late', textOf(99)))
    seen.add(step)
    return that.obey(own, order)
  })
  expect([...seen]).toEqual(['begin', 'wait', 'close', 'switch'])
  expect([...refused]).toEqual([false])
  expect(that.models()).toEqual(MOVED)
  expect(that.whole.mortal.context.config.settings).toMatchObject({ embedding: 'new', dimensions: OTHER_DIMENSIONS })
  expect(that.write('late', textOf(99))).toBe(true)
  await that.settle()
  await expectMadeWith(that, NEW_SETTINGS)
  for (const { mortal } of [that.whole, ...that.parts]) expect(findJob(mortal.context.sql, job)?.status).toBe('succeeded')
})

it('[P2480] [P2482] documents come and go, and calls are lost, repeated and late: before the change nobody has changed, after it everybody has, with all documents', async () => {
  for (let seed = 1; seed <= 6; seed++) {
    const roll = dice(seed)
    const that = await divided(16)
    that.begin()
    const late: [string, ModelOrder][] = []
    let trouble = 30
    await that.run(
      (own, order) => {
        const step = modelMoveOf(that.whole.mortal.context)?.step ?? ''
        if (step !== 'switch') expect([seed, step, that.models()]).toEqual([seed, step, OLD])
        const luck = trouble > 0 ? roll(6) : 6
        if (luck < 3) trouble--
        if (luck === 0) throw new Error('lost')
        const answer = that.obey(own, order)
        if (order.what !== 'cancel' && order.what !== 'close') late.push([own, order])
        if (luck === 1) throw new Error('lost') // it was carried out
        const again = luck === 2 ? late[roll(late.length)] : undefined
        if (again && again[1].what !== 'switch') that.obey(...again)
        return answer
      },
      () => {
        if (trouble > 0 && roll(2) === 0) that.write(`d${roll(20)}`, roll(3) === 0 ? null : textOf(roll(40), seed))
      },
    )
    expect([seed, that.models()]).toEqual([seed, MOVED])
    await expectMadeWith(that, NEW_SETTINGS)
  }
}, 120_000)

it('[P2480] what does not end within twenty seconds is opened again and tried later', async () => {
  const that = await divided(12)
  that.begin()
  const closings: number[] = []
  const openings: number[] = []
  let isSlow = true
  await that.run((own, order) => {
    const answer = that.obey(own, order)
    if (order.what === 'close' && own === that.parts[0]?.uid) {
      const known = order.isClosed ? closings : openings
      if (order.isClosed !== closings.length > openings.length) known.push(that.clock.now)
      if (openings.length === 1) isSlow = false
    }
    const isClosing = modelMoveOf(that.whole.mortal.context)?.step === 'close'
    return isSlow && isClosing && answer.kind === 'state' ? { kind: 'state', state: { ...answer.state, isBusy: true } } : answer
  })
  const [first = 0, second = 0] = closings
  const [opened = 0] = openings
  expect(opened - first).toBeGreaterThanOrEqual(20_000)
  expect(opened - first).toBeLessThan(25_000)
  expect(second - opened).toBeGreaterThanOrEqual(30_000)
  expect(that.models()).toEqual(MOVED)
})

it('[P2482] if one partition gets no vectors from the other model, all stay with theirs, and the job says why', async () => {
  const that = await divided()
  const job = that.begin()
  await that.run(undefined, undefined, true)
  expect(that.models()).toEqual(OLD)
  const ends = [that.whole, ...that.parts].map(({ mortal }) => findJob(mortal.context.sql, job))
  expect(ends.map((one) => one?.phase)).toEqual(['done', 'done', 'done'])
  expect(ends.map((one) => one?.status)).toContain('failed')
  expect(ends[0]).toMatchObject({ status: 'failed', error: expect.stringContaining('gave no vectors') })
  expect(that.write('late', textOf(99))).toBe(true)
  await that.settle()
  await expectMadeWith(that, OLD_SETTINGS)
  // It may be tried again.
  that.begin()
  await that.run()
  expect(that.models()).toEqual(MOVED)
})

it('[P2482] cancelled before the change it leaves all partitions as they were; after it, it cannot be; the number of partitions stays meanwhile', async () => {
  const that = await divided(20)
  const own = that.whole.mortal.context
  const cancel = (job: string): boolean => {
    if (!giveUpModelMove(own, job)) return false
    const found = findJob(own.sql, job)
    if (found) cancelJob(own, found)
    return true
  }
  const first = that.begin()
  expect(beginRepartition(own, { count: 3 }, undefined)).toEqual({ kind: 'busy' })
  let isCancelled = false
  await that.run((uid, order) => {
    if (!isCancelled && modelMoveOf(own)?.step === 'close') isCancelled = cancel(first)
    return that.obey(uid, order)
  })
  expect([isCancelled, that.models()]).toEqual([true, OLD])
  expect(own.config.settings.dimensions).toBe(DIMENSIONS)
  expect(that.write('late', textOf(99))).toBe(true)
  await that.settle()
  await expectMadeWith(that, OLD_SETTINGS)
  const second = that.begin()
  const late = new Set<boolean>()
  await that.run((uid, order) => {
    if (modelMoveOf(own)?.step === 'switch') late.add(cancel(second))
    return that.obey(uid, order)
  })
  expect([[...late], that.models()]).toEqual([[false], MOVED])
})

it('[P2484] its own object has summaries above and probes of the new model alone, and takes no report of the model before', async () => {
  const that = await divided()
  const own = that.whole.mortal.context
  pinProbes(own, [{ query: 'Who counts herons?', expect: ['d0'], vector: embed('Who counts herons?') }], { k: 3, tolerance: 0 })
  const sums = () => [...new Set(listTops(own.sql).map(({ top }) => top.sum.length))]
  expect(sums()).toEqual([DIMENSIONS])
  const before = that.told.filter(([, some]) => some.some(({ kind }) => kind === 'tops'))
  that.begin()
  await that.run((uid, order) => {
    const answer = that.obey(uid, order)
    if (modelMoveOf(own)?.step === 'switch') expect(sums()).not.toContain(DIMENSIONS)
    return answer
  })
  expect(sums()).toEqual([OTHER_DIMENSIONS])
  expect(new Set(listTops(own.sql).map(({ partition }) => partition)).size).toBe(PARTS)
  const [late] = before
  const again = (late?.[1] ?? []).map((report) => ({ ...report, n: 1_000_000 + report.n }))
  takeReports(own, late?.[0] ?? '', again)
  expect(sums()).toEqual([OTHER_DIMENSIONS])
  expect(readProbe(own.sql, 1)?.vector?.byteLength).toBe(OTHER_DIMENSIONS)
  expect(readMeta(own.sql, metaKeys.gateVerdict)).toBeUndefined()
})
