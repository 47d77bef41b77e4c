/** When a corpus wakes, and what happens when its alarm fails or is lost. */
import { describe, expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { runScheduledMaintenance } from '../../../durable-objects/corpus/maintenance/scheduled-maintenance'
import { drain } from '../../../durable-objects/corpus/outbox/drain'
import { Alarm, type AlarmStorage } from '../../../durable-objects/corpus/schedule/alarm'
import { dueTimes, isUpkeepDue, nextAlarm, pauses, type ScheduleState } from '../../../durable-objects/corpus/schedule/due-times'
import { type AlarmRun, runAlarm } from '../../../durable-objects/corpus/schedule/run'
import { scheduleStateOf } from '../../../durable-objects/corpus/schedule/state'
import { expectedBy } from '../../../durable-objects/corpus/schedule/watch'
import { addSource } from '../../../durable-objects/corpus/sources/sources'
import { requeueOverdue } from '../../../durable-objects/corpus/webhooks/message-queue'
import { sweep } from '../../../src/flows/sweep'
import { objectErrors, objectLimits } from '../../../src/platform-limits'
import { mortalWorld } from './mortal-object'
import { finish, noBill } from './working'

const NOW = 1_800_000_000_000
const HOUR = 3_600_000

const IDLE: ScheduleState = {
  patience: 60_000,
  attempts: { failures: 0, failedAt: 0, starts: 0, startedAt: 0, isDraining: false, drainedAt: null },
  drop: null,
  closedUntil: null,
  work: {
    hasSlice: false,
    hasTasks: false,
    backgroundAt: null,
    leaseUntil: null,
    hasBudgetMoved: false,
    hasUnsent: false,
    invisibleSince: null,
    sinkCheckAt: null,
    nextDeliveryAt: null,
    nextSourceAt: null,
  },
  upkeep: {
    visitedAt: NOW - 10 * HOUR,
    isBusy: false,
    hasLazyTasks: false,
    unwrittenAt: null,
    quarantineAt: null,
    isRenewalDue: false,
    hasUnkeptFiles: false,
    isConsolidationDue: false,
    isQualityWanted: false,
    survey: 'current',
    surveyedAt: NOW - 10 * HOUR,
    retentionAt: null,
  },
}

type Changes = { readonly [part in 'attempts' | 'work' | 'upkeep']?: Partial<ScheduleState[part]> }

function state(changes: Changes): ScheduleState {
  const { attempts, work, upkeep } = IDLE
  return {
    ...IDLE,
    attempts: { ...attempts, ...changes.attempts },
    work: { ...work, ...changes.work },
    upkeep: { ...upkeep, ...changes.upkeep },
  }
}

/** Name and milliseconds from now. */
function next(changes: Changes): readonly [string, number] | null {
  const alarm = nextAlarm(state(changes), NOW)
  return alarm && [alarm.name, alarm.at - NOW]
}

describe('the next alarm', () => {
  it('[V120] there is none while nothing is due', () => {
    expect(next({})).toBeNull()
    expect(Object.values(dueTimes(IDLE, NOW)).every((at) => at === null)).toBe(true)
  })

  it('[V120] of everything that is due it is the earliest', () => {
    expect(next({ work: { nextSourceAt: NOW + 7, nextDeliveryAt: NOW + 5 }, upkeep: { quarantineAt: NOW + 9 } })).toEqual(['delivery', 5])
    expect(next({ work: { nextSourceAt: NOW - 7 } })).toEqual(['source', 0])
  })

  it('[V120] a runner is due at once, then when its lease ends, and is waited for ever longer where none takes the lease', () => {
    const hasTasks = true
    const started = (starts: number) => next({ work: { hasTasks }, attempts: { starts, startedAt: NOW - 1000 } })
    expect(next({ work: { hasTasks } })).toEqual(['runner', 0])
    expect(next({ work: { hasTasks, leaseUntil: NOW + 300_000 } })).toEqual(['runner', 300_000])
    expect(next({ work: { hasTasks, leaseUntil: NOW - 1 } })).toEqual(['runner', 0])
    expect([started(1), started(2), started(3), started(9)]).toEqual([14_000, 29_000, 59_000, 59_000].map((ms) => ['runner', ms]))
  })

  it('[V120] sinks are due at once, and again should the object die over them; an index that shows nothing is looked at ever more rarely', () => {
    expect(next({ work: { hasUnsent: true } })).toEqual(['sinks', 0])
    expect(next({ work: { hasUnsent: true }, attempts: { isDraining: true } })).toEqual(['sinks', 60_000])
    const looked = (since: number) => next({ work: { invisibleSince: NOW - since }, attempts: { drainedAt: NOW } })
    expect([looked(1000), looked(600_000), looked(50 * HOUR)]).toEqual([60_000, 600_000, HOUR].map((ms) => ['visibility', ms]))
  })

  it('[V120] maintenance comes five minutes after the last visit, waits for open jobs, and a survey for an hour after the last', () => {
    const visitedAt = NOW - 60_000
    expect(next({ upkeep: { hasLazyTasks: true, visitedAt } })).toEqual(['lazyTexts', pauses.upkeep - 60_000])
    expect(next({ upkeep: { hasLazyTasks: true, isBusy: true } })).toBeNull()
    expect(next({ upkeep: { hasUnkeptFiles: true, isBusy: true, visitedAt } })).toEqual(['files', pauses.upkeep - 60_000])
    expect(next({ upkeep: { unwrittenAt: NOW + HOUR, visitedAt } })).toEqual(['unwrittenTexts', HOUR])
    expect(next({ upkeep: { survey: 'stale', visitedAt, surveyedAt: visitedAt } })).toEqual(['survey', pauses.survey - 60_000])
    expect(next({ upkeep: { survey: 'unasked probes', visitedAt } })).toEqual(['survey', pauses.upkeep - 60_000])
    expect(next({ upkeep: { survey: 'under way', visitedAt } })).toEqual(['survey', 0])
    expect(next({ upkeep: { survey: 'under way' }, work: { hasTasks: true, leaseUntil: NOW + 9 } })).toEqual(['runner', 9])
    expect(next({ upkeep: { retentionAt: NOW - HOUR, visitedAt } })).toEqual(['retention', pauses.retention - 60_000])
    expect([isUpkeepDue(state({ upkeep: { hasLazyTasks: true } }), NOW), isUpkeepDue(state({ work: { hasSlice: true } }), NOW)]).toEqual([
      true,
      false,
    ])
  })

  it('[V120] a corpus that is being forgotten has nothing else to do, and waits for the index', () => {
    const dropped = (since: number | null) =>
      nextAlarm({ ...state({ work: { hasUnsent: true }, attempts: { drainedAt: NOW } }), drop: { since } }, NOW)
    expect([dropped(null), dropped(NOW - 1000), dropped(NOW - 30_000)].map((one) => (one ? [one.name, one.at - NOW] : one))).toEqual(
      [0, 5000, 30_000].map((ms) => ['drop', ms]),
    )
  })

  it('[V121] after runs that failed it comes later each time, up to a minute', () => {
    const after = (failures: number) => next({ work: { hasSlice: true }, attempts: { failures, failedAt: NOW } })?.[1]
    expect([1, 2, 3, 4, 5, 50].map(after)).toEqual([5000, 10_000, 20_000, 40_000, 60_000, 60_000])
  })
})

/** An object's storage: one alarm, gone while it runs. */
function storage() {
  const here = { at: null as number | null, sets: 0, fails: false }
  const change = async (at: number | null): Promise<void> => {
    if (here.fails) throw new Error(objectErrors.updated[0])
    here.sets++
    here.at = at
  }
  const port: AlarmStorage = { getAlarm: async () => here.at, setAlarm: change, deleteAlarm: () => change(null) }
  return { here, port }
}

function alarm(of: () => ScheduleState | undefined) {
  const { here, port } = storage()
  const failed: string[] = []
  const made = new Alarm({ storage: port, now: () => NOW, state: of, watch: () => undefined, failed: (error) => failed.push(error) })
  return { here, failed, made }
}

describe('the alarm', () => {
  it('[V120] is set to what is due, left where it is early enough, and taken away when nothing is', async () => {
    let now: Changes = { work: { hasUnsent: true }, attempts: { isDraining: true } }
    const { here, made } = alarm(() => state(now))
    await made.set()
    expect([here.at, here.sets]).toEqual([NOW + 60_000, 1])
    now = { work: { hasTasks: true, leaseUntil: NOW + 75_000 } }
    await made.set() // a quarter of a minute too early: not worth a row
    expect([here.at, here.sets]).toEqual([NOW + 60_000, 1])
    now = { work: { hasTasks: true, leaseUntil: NOW + 300_000 } }
    await made.set()
    expect([here.at, here.sets]).toEqual([NOW + 300_000, 2])
    now = {}
    await made.set()
    await made.set()
    expect([here.at, here.sets]).toEqual([null, 3])
  })

  it('[V121] a run that throws is caught, logged by name alone, and repeated by an alarm that the object sets', async () => {
    const { here, failed, made } = alarm(() => ({ ...state({ work: { hasUnsent: true } }), attempts: made.attempts }))
    const error = Object.assign(new Error('quotes a document'), { name: 'VectorError' })
    for (let time = 0; time < 2; time++) {
      here.at = null // as the platform has it while an alarm runs
      await made.run(0, () => Promise.reject(error))
    }
    expect([failed, here.at]).toEqual([['VectorError', 'VectorError'], NOW + 10_000])
    await made.run(0, async () => undefined)
    expect([made.attempts.failures, here.at]).toEqual([0, NOW])
  })

  it('[V121] the platform deletes an alarm that has failed seven times: before the last try the object sets another', async () => {
    for (const [retries, at] of [
      [objectLimits.maxAlarmRetries - 2, null],
      [objectLimits.maxAlarmRetries - 1, NOW + 600_000],
    ] as const) {
      const { here, made } = alarm(() => {
        throw new Error('the state cannot be read')
      })
      await expect(made.run(retries, async () => undefined)).rejects.toThrow()
      expect(here.at).toBe(at)
    }
  })

  it('[V121] on replaced code a run is given back to the platform, which begins it anew there', async () => {
    for (const message of objectErrors.updated) {
      const { here, failed, made } = alarm(() => state({ work: { hasSlice: true } }))
      await expect(made.run(0, () => Promise.reject(new Error(`${message}.`)))).rejects.toThrow(message)
      expect([here.sets, failed]).toEqual([0, []])
    }
  })
})

describe('a run', () => {
  it('[V120] ends in time, whatever a sink takes, and leaves what is left to the next', async () => {
    const world = mortalWorld([])
    const { context } = world.wake()
    const calls: string[] = []
    let now = 0
    let timers = 0
    const parts: AlarmRun = {
      context: () => context,
      isClosed: () => false,
      now: () => now,
      pause: async (ms) => {
        now += Math.max(0, ms)
      },
      after: (ms, then) => {
        timers++
        const timer = setTimeout(() => {
          now += Math.max(0, ms)
          then()
        }, 1)
        return () => {
          timers--
          clearTimeout(timer)
        }
      },
      giveWay: async () => undefined,
      drain: () => new Promise(() => undefined), // never answers
      drainMeanwhile: () => undefined,
      startRunner: async () => void calls.push('runner'),
      isUpkeepDue: () => {
        calls.push('upkeep')
        return true
      },
    }
    await runAlarm(parts, 30_000)
    expect([now, calls]).toEqual([30_000, ['runner']])
    now = 0
    await runAlarm({ ...parts, drain: async () => undefined }, 30_000)
    expect([now >= 30_000, now < 30_100]).toEqual([true, true])
    expect(timers).toBe(0) // one that is left keeps an idle object awake
    world.close()
  })
})

describe('an idle corpus', () => {
  it('[V120] wakes for its maintenance, and once that is done only for rows to be deleted later', async () => {
    const world = mortalWorld(['erarag', 'ketrag', 'cluerag'])
    const mortal = world.wake()
    const { context } = mortal
    const due = () => nextAlarm(scheduleStateOf(context, IDLE.attempts, 60_000), world.clock.now)
    expect(due()).toBeNull()
    const upserts = Array.from({ length: 20 }, (_, i) => ({
      id: `d${i}`,
      text: `Anna Berg counted ${i} herons.`,
      title: '',
      url: null,
      metadata: {},
    }))
    accept(context, { kind: 'batch', upserts, deletes: [] })
    expect(due()?.name).toBe('runner')
    await finish(mortal, world, noBill())
    let visits = 0
    for (let alarm = due(); alarm && alarm.name !== 'retention'; alarm = due()) {
      if (++visits > 20) throw new Error(`${alarm.name} is due for ever`)
      world.clock.now = alarm.at
      if (alarm.name === 'look')
        await drain(context, mortal.sinks) // a day after the last change: do the sinks hold it all?
      else runScheduledMaintenance(context)
    }
    expect([visits < 8, due()?.name]).toEqual([true, 'retention'])
    for (const days of [31, 402]) {
      // the job and its receipt, then what its day has cost
      world.clock.now += days * 24 * HOUR
      runScheduledMaintenance(context)
    }
    expect(due()).toBeNull()
    world.close()
  })
})

describe('a message that a queue has lost', () => {
  it('[V120] is sent again after ten minutes, and not before ten more', async () => {
    const world = mortalWorld([])
    const { context, sinks } = world.wake()
    const record = { id: 's', url: 'https://x.test/', document: 'd', every: HOUR, onGone: 'keep' as const, metadata: {}, created: 0 }
    addSource(context, record)
    const minutes: number[] = []
    for (let time = 0; time < 3; time++) {
      requeueOverdue(context)
      await drain(context, sinks)
      const alarm = nextAlarm(scheduleStateOf(context, IDLE.attempts, 60_000), world.clock.now)
      minutes.push(((alarm?.at ?? 0) - world.clock.now) / 60_000)
      world.clock.now = alarm?.at ?? 0
    }
    expect([minutes, world.owed]).toEqual([
      [10, 10, 10],
      ['fetch s', 'fetch s', 'fetch s'],
    ])
    world.close()
  })
})

describe('a lost alarm', () => {
  it('[V121] D1 is given the time by which the corpus should report when something becomes due, about once an hour, and when nothing is', () => {
    const at = (ms: number) => ({ name: 'runner' as const, at: NOW + ms })
    const first = expectedBy(null, at(0))
    expect(first).toBe(NOW + HOUR)
    expect([expectedBy(first, at(5000)), expectedBy(first, at(HOUR - 700_000)), expectedBy(first, at(HOUR))]).toEqual([
      first,
      first,
      NOW + 2 * HOUR,
    ])
    expect([expectedBy(NOW + 30 * 24 * HOUR, at(0)), expectedBy(first, null), expectedBy(null, null)]).toEqual([NOW + HOUR, null, null])
  })

  it('[V120] the cron trigger wakes overdue corpora only, and one that cannot be woken delays no other', async () => {
    const due = new Map(Array.from({ length: 130 }, (_, i) => [`c${i}`, i < 100 ? 0 : NOW + 1]))
    const woken: string[] = []
    const watch = {
      expect: async (uid: string, by: number | null) => void (by === null ? due.delete(uid) : due.set(uid, by)),
      overdue: async (now: number, until: number, limit: number) => {
        const late = [...due].filter(([, by]) => by < now).map(([uid]) => uid)
        for (const uid of late.slice(0, limit)) due.set(uid, until)
        return late.slice(0, limit)
      },
    }
    const corpus = (uid: string) => ({
      reconcile: async () => 'open' as const,
      recover: async () => null,
      tend: async () => {
        woken.push(uid)
        if (uid === 'c1') throw new Error('dead')
        return uid !== 'c2'
      },
    })
    const deletions = { due: async () => [], cleared: async () => [], forget: async () => undefined }
    const readModel = { forget: async () => undefined }
    const audit = { forget: async () => undefined }
    const recoveries = { open: async () => [] }
    const deps = { deletions, recoveries, readModel, answers: { sweep: async () => undefined }, audit, watch, corpus, now: () => NOW }
    expect([await sweep(deps), woken.length, due.has('c2'), due.get('c1')]).toEqual([{ woken: 100, failed: 1 }, 100, false, NOW + HOUR / 2])
    expect(await sweep(deps)).toEqual({ woken: 0, failed: 0 })
  })
})
