/** What a key has used today. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOLD_MS } from '../../durable-objects/holds'
import { DAY_MS, type Day, keyDay, migrateDay } from '../../durable-objects/key-usage/day'
import { memorySql } from '../node-sqlite'

const LIMITS = { tokens_a_day: 1000, usd_a_day: 0.01, requests_a_day: 5 }
const NOON = DAY_MS * 20_000 + DAY_MS / 2

function aDay(): { day: Day; clock: { now: number } } {
  const clock = { now: NOON }
  const sql = memorySql()
  migrateDay(sql)
  migrateDay(sql) // an object that wakes again
  return { day: keyDay(sql, () => clock.now), clock }
}

const amount = fc.record({ tokens: fc.nat(400), usd: fc.double({ min: 0, max: 0.004, noNaN: true }) })
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('reserve' as const), who: fc.nat(6), max: amount }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('settle' as const), who: fc.nat(6), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('die' as const), who: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(HOLD_MS * 4) }) },
)

describe('the day of a key', () => {
  it('[H171] what is used and reserved stays within the limits of the day in any order, and no reservation stays', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const { day, clock } = aDay()
        const open = new Map<number, { id: string; tokens: number; usd: number }>()
        let made = 0
        for (const one of steps) {
          const work = 'who' in one ? (open.get(one.who) ?? { id: `${made++}`, tokens: 0, usd: 0 }) : undefined
          if (one.do === 'reserve' && work) {
            open.set(one.who, work)
            const max = { tokens: work.tokens + one.max.tokens, usd: work.usd + one.max.usd }
            if (day.reserve(work.id, max, LIMITS) === 'granted') Object.assign(work, max)
          }
          if (one.do === 'settle' && work && open.delete(one.who)) {
            day.settle(work.id, { tokens: Math.floor(work.tokens * one.share), usd: work.usd * one.share })
          }
          if (one.do === 'die' && 'who' in one) open.delete(one.who)
          if (one.do === 'wait') clock.now += one.ms
          const { tokens, usd, held } = day.today()
          expect(tokens + held.tokens).toBeLessThanOrEqual(LIMITS.tokens_a_day)
          expect(usd + held.usd).toBeLessThanOrEqual(LIMITS.usd_a_day + 1e-12)
        }
        clock.now += HOLD_MS
        expect(day.today().held).toEqual({ tokens: 0, usd: 0 })
      }),
      { numRuns: 200, seed: 3 },
    )
  })

  it('[H171] counts requests, names the limit that is used up and until when, and begins again at midnight', () => {
    const { day, clock } = aDay()
    for (let n = 0; n < 5; n++) expect(day.admit('request', LIMITS).usedUp).toBeNull()
    expect(day.admit('request', LIMITS).usedUp).toEqual({ limit: 'requests_a_day', value: 5, retryAfter: DAY_MS / 2000 })
    expect(day.admit('request', { requests_a_day: 6 }).usedUp).toBeNull() // raised
    expect(day.reserve('a', { tokens: 900, usd: 0 }, LIMITS)).toBe('granted')
    expect(day.reserve('b', { tokens: 200, usd: 0 }, LIMITS)).toBe('refused')
    day.settle('a', { tokens: 1000, usd: 0 })
    expect(day.reserve('b', { tokens: 1, usd: 0 }, LIMITS)).toMatchObject({ limit: 'tokens_a_day', value: 1000 })
    expect(day.reserve('c', { tokens: 10, usd: 0 }, { tokens_a_day: 2000 })).toBe('granted')
    clock.now += DAY_MS / 2
    expect(day.today()).toMatchObject({ requests: 0, tokens: 0, held: { tokens: 0 }, ends: clock.now + DAY_MS })
    day.settle('c', { tokens: 10, usd: 0 }) // of yesterday
    expect([day.today().tokens, day.admit('request', LIMITS).usedUp]).toEqual([0, null])
  })

  it('[J874] in no sixty seconds more than the limit, and never a refusal that waiting as told does not end', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40_000), { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 6 }), (pauses, most) => {
        const { day, clock } = aDay()
        const taken: number[] = []
        for (const pause of pauses) {
          clock.now += pause
          const { usedUp, standing } = day.admit('question', { questions_a_minute: most })
          if (usedUp) {
            clock.now += usedUp.retryAfter * 1000
            expect([usedUp.value, usedUp.retryAfter <= 65]).toEqual([most, true])
            expect(day.admit('question', { questions_a_minute: most }).usedUp).toBeNull()
          } else expect(standing[0]?.left).toBeLessThan(most)
          taken.push(clock.now)
          const recent = taken.filter((at) => at > clock.now - 60_000).length
          expect(recent).toBeLessThanOrEqual(most)
        }
      }),
    )
    const { day } = aDay()
    expect(day.admit('question', {})).toEqual({ usedUp: null, standing: [] })
    expect(day.admit('question', { questions_a_minute: 0 }).usedUp?.retryAfter).toBeGreaterThan(0)
  })
})
