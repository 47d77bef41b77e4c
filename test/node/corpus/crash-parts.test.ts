/** Exactly once, where every chunk that comes or goes is a part of its own: every event of two documents goes in by several transactions. */
import { expect, it } from 'vitest'
import { ALL, clean, EXACT, type Kind, STRATEGIES, started, survived, WRITING } from './schedules'

const SCHEDULES = Number(process.env.LOAM_SCHEDULES ?? 30)
const LIMIT = 900_000 // ms for all schedules together on a busy machine
const FULL = 50 // every so manieth schedule has strategies on, and as many of the others a model that writes

const kindOf = (seed: number): Kind => (seed % FULL === 0 ? 'full' : seed % FULL === FULL / 2 ? 'text' : 'few')

it(
  `[V21] [V107] ${SCHEDULES} schedules with crashes within a large change end where the run without a crash ends`,
  async () => {
    const worlds = { few: await started([], {}, 1), full: await started(ALL, EXACT, 1), text: await started(STRATEGIES, WRITING, 1) }
    const whole = { few: await started([]), full: await started(ALL, EXACT), text: await started(STRATEGIES, WRITING) }
    const expected = { few: await clean(whole.few), full: await clean(whole.full), text: await clean(whole.text) }
    expect({ few: await clean(worlds.few), full: await clean(worlds.full) }).toEqual({ few: expected.few, full: expected.full })
    const only = process.env.LOAM_SEED
    const seeds = only ? [Number(only)] : Array.from({ length: SCHEDULES }, (_, n) => n + 1)
    const { deaths, inside, ran } = await survived(seeds, kindOf, worlds, expected)
    if (!only) expect([deaths > ran, inside > ran / 10]).toEqual([true, true])
  },
  LIMIT,
)
