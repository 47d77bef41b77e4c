/** The channels of `auto` are measured in the object beside what comes in. */
import { afterEach, expect, it } from 'vitest'
import { commitNext } from '../../../durable-objects/corpus/indexing/commit'
import { beginDueBuilders, hasDueBuilder } from '../../../durable-objects/corpus/indexing/due-builders'
import { commitRound, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { findJob } from '../../../durable-objects/corpus/jobs/jobs'
import { scheduleStateOf } from '../../../durable-objects/corpus/schedule/state'
import { calibration, isTuning } from '../../../src/core/strategies/auto/calibration'
import { calibrationOf } from '../../../src/core/strategies/auto/weights'
import type { DocumentInput } from '../../../src/ports/documents'
import type { Round } from '../../../src/ports/tasks'
import { type Mortal, mortalWorld, type World } from './mortal-object'
import { answered, noBill } from './working'

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

function begun(shared: Parameters<typeof mortalWorld>[2] = {}): Mortal {
  const world = mortalWorld([], { chunking: { chunk: 60, overlap: 0, passage: 60 }, models: 'none' }, shared)
  worlds.push(world)
  return world.wake()
}

const notes = (from: number, to: number): DocumentInput[] =>
  Array.from({ length: to - from }, (_, i) => {
    const n = from + i
    const text = `The heron of day ${n} waits at pond ${n % 7} for carp. Its keeper, Anna Berg, counted ${n * 3} others near the northern weir.`
    return { id: `note-${n}`, text, title: `Note ${n}`, url: null, metadata: {} }
  })

function put({ context }: Mortal, from: number, to: number): string {
  const accepted = accept(context, { kind: 'batch', upserts: notes(from, to), deletes: [] })
  return accepted.kind === 'accepted' ? accepted.job : ''
}

/** So many tasks at most, as a round of the runner does them. */
function work({ context }: Mortal, texts: number): Round {
  const round = openTasks(context, 'one', texts)
  if (!round) throw new Error('no lease')
  commitRound(context, 'one', answered(round, noBill()))
  while (commitNext(context));
  return round
}

const isMeasured = ({ context }: Mortal): boolean => calibrationOf(context.graph) !== undefined
const tuning = ({ context }: Mortal): boolean => isTuning(context.graph, context.config.settings.models)
const isPut = ({ context }: Mortal, job: string): boolean => findJob(context.sql, job)?.open === 0

it('[Q281] measuring begins by itself at 64 passages, a few probes each round before all else, and no job waits for it', () => {
  const mortal = begun()
  const { context } = mortal
  const first = put(mortal, 0, 50)
  work(mortal, 4000)
  expect([isPut(mortal, first), hasDueBuilder(context), tuning(mortal)]).toEqual([true, false, false])
  put(mortal, 50, 80)
  work(mortal, 4000)
  expect([hasDueBuilder(context), beginDueBuilders(context), beginDueBuilders(context), tuning(mortal)]).toEqual([true, true, false, true])

  const second = put(mortal, 80, 90)
  const { tasks } = work(mortal, 24)
  expect(tasks[0]?.brief).toMatchObject({ kind: 'embed', texts: { length: 6 } }) // three probes, each with what is left of its passage
  expect(tasks.slice(1).map((task) => task.node.startsWith('c_'))).toEqual(tasks.slice(1).map(() => true))
  for (let rounds = 0; !isPut(mortal, second) && rounds < 20; rounds++) work(mortal, 24)
  expect([isPut(mortal, second), isMeasured(mortal), tuning(mortal)]).toEqual([true, false, true])

  for (let rounds = 0; !isMeasured(mortal) && rounds < 100; rounds++) expect(work(mortal, 4000).tasks).toHaveLength(1)
  expect([isMeasured(mortal), tuning(mortal), hasDueBuilder(context), work(mortal, 4000).tasks]).toEqual([true, false, false, []])
  expect(calibrationOf(context.graph)?.passages).toBe(80) // those that were there when it began: 90 are no fifth more
})

it('[Q28] a corpus that grows by a fifth keeps its weights until they are measured anew', () => {
  const mortal = begun()
  const { context } = mortal
  put(mortal, 0, 70)
  work(mortal, 4000)
  beginDueBuilders(context)
  for (let rounds = 0; tuning(mortal) && rounds < 100; rounds++) work(mortal, 4000)
  const before = calibrationOf(context.graph)
  put(mortal, 70, 90)
  work(mortal, 4000)
  expect([tuning(mortal), beginDueBuilders(context), calibrationOf(context.graph)]).toEqual([true, true, before])
  for (let rounds = 0; tuning(mortal) && rounds < 100; rounds++) work(mortal, 4000)
  expect([before?.passages, calibrationOf(context.graph)?.passages]).toEqual([70, 90])
})

it('[Q300] measuring stands still beside a job where the corpus is large, and goes on after it', () => {
  const mortal = begun()
  const { context } = mortal
  put(mortal, 0, 70)
  work(mortal, 4000)
  beginDueBuilders(context)
  put(mortal, 70, 90)
  const large = { ...context, builders: [{ ...calibration, isPostponed: () => true }] }
  const lent = () => openTasks(large, 'one', 4000)?.tasks.map((task) => task.node.slice(0, 2))
  expect([...new Set(lent())]).toEqual(['c_'])
  expect(openTasks(context, 'one', 4000)?.tasks[0]?.node).toBe('calibration')
  context.sql.run("UPDATE job SET phase = 'done', status = 'succeeded'")
  expect(lent()?.[0]).toBe('ca')
})

it('[Q300] in a large corpus measuring stands still for a second after the last job', () => {
  const clock = { now: 1_000_000 }
  const mortal = begun({ clock, asked: { at: 0 } })
  const { context } = mortal
  put(mortal, 0, 70)
  work(mortal, 4000)
  beginDueBuilders(context)
  const large = { ...context, builders: [{ ...calibration, isPostponed: () => true }] }
  const lent = (later: number): number => {
    clock.now += later
    return openTasks(large, 'one', 4000)?.tasks.filter(({ node }) => node === 'calibration').length ?? 0
  }
  const job = put(mortal, 70, 75)
  expect(hasDueBuilder(large)).toBe(false)
  work(mortal, 4000)
  expect([isPut(mortal, job), lent(999), lent(1)]).toEqual([true, 0, 1])
  const attempts = { failures: 0, failedAt: 0, starts: 0, startedAt: 0, isDraining: false, drainedAt: null }
  put(mortal, 75, 76)
  expect([hasDueBuilder(large), scheduleStateOf(large, attempts, 60_000).work.backgroundAt]).toEqual([false, null])
  work(mortal, 4000)
  expect(scheduleStateOf(large, attempts, 60_000).work).toMatchObject({ hasTasks: false, backgroundAt: clock.now + 1000 })
})

it('[Q300] measuring stands still for a second after a question; where they come all the time it goes on every five', () => {
  const clock = { now: 1_000_000 }
  const asked = { at: 0 }
  const mortal = begun({ clock, asked })
  const { context } = mortal
  put(mortal, 0, 70)
  work(mortal, 4000)
  beginDueBuilders(context)
  const lent = (later: number): number => {
    clock.now += later
    return work(mortal, 4000).tasks.length
  }
  expect(lent(1)).toBe(1)
  asked.at = clock.now
  const attempts = { failures: 0, failedAt: 0, starts: 0, startedAt: 0, isDraining: false, drainedAt: null }
  expect(scheduleStateOf(context, attempts, 60_000).work).toMatchObject({ hasTasks: false, backgroundAt: clock.now + 1000 })
  expect([lent(999), lent(1)]).toEqual([0, 1])
  const always = (later: number): number => {
    asked.at = clock.now + later
    return lent(later)
  }
  expect([always(900), always(4099), always(1), always(1)]).toEqual([0, 0, 1, 0])
})
