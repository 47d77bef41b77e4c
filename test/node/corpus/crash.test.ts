/**
 * Exactly once: seeded schedules in which the process dies (schedules.ts). `LOAM_SEED=n` runs one schedule, `LOAM_SCHEDULES=n` so
 * many. Changes that go in by several transactions have a file of their own.
 */
import { describe, expect, it } from 'vitest'
import { ALL, clean, EXACT, kindOf, STRATEGIES, started, survived, WRITING } from './schedules'

const SCHEDULES = Number(process.env.LOAM_SCHEDULES ?? 300)
const LIMIT = 900_000 // ms for all schedules together on a busy machine

describe('exactly once', () => {
  it('[V21] without a crash, every task is asked and paid for once, whatever events are repeated', async () => {
    const world = await started(ALL, EXACT)
    const one = await clean(world)
    const again = await clean(world)
    world.close()
    expect(again).toEqual(one)
    expect(one.ledgered).toBe(one.bill.tasks)
    expect(new Set(one.state.jobs)).toEqual(new Set(['succeeded']))
    expect(one.state.left.filter(([, n]) => n !== 0)).toEqual([])
  })

  it('[V21] the same with a model that writes: every text is asked for once, and a corpus with the same documents asks for none again', async () => {
    const world = await started(STRATEGIES, WRITING)
    const one = await clean(world)
    expect([await clean(world), one.ledgered]).toEqual([one, one.bill.tasks])
    expect(Object.keys(one.bill.kinds).sort()).toEqual(['embed', 'extract', 'summarize'])
    world.close()
  })

  it(
    `[V21] ${SCHEDULES} schedules with crashes after writes and awaits end where the run without a crash ends`,
    async () => {
      const worlds = { few: await started([]), full: await started(ALL, EXACT), text: await started(STRATEGIES, WRITING) }
      const expected = { few: await clean(worlds.few), full: await clean(worlds.full), text: await clean(worlds.text) }
      const only = process.env.LOAM_SEED
      const seeds = only ? [Number(only)] : Array.from({ length: SCHEDULES }, (_, n) => n + 1)
      const { ran, deaths } = await survived(seeds, kindOf, worlds, expected)
      if (!only) expect([ran, deaths > ran]).toEqual([SCHEDULES, true])
    },
    LIMIT,
  )
})
