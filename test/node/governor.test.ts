/** Calls of the account: whose turn it is, how many a minute, what is not returned, and what happens without anybody to ask. */
import { describe, expect, it, vi } from 'vitest'
import { capacityOf, ratesOf } from '../../durable-objects/governor/capacity'
import { createRates, migrateRates } from '../../durable-objects/governor/rates'
import { createSlots, migrateSlots, type Slots } from '../../durable-objects/governor/slots'
import type { Sql } from '../../durable-objects/sql'
import { governing, withGovernor } from '../../src/adapters/governor'
import { createTally, questionCalls } from '../../src/adapters/question-calls'
import { workersAi } from '../../src/adapters/workers-ai'
import { aiLimits } from '../../src/platform-limits'
import type { GovernorObject, QuestionCalls } from '../../src/ports/call-slots'
import { memorySql } from '../node-sqlite'

const MODEL = 'writer'
const KEPT = 150_000

function memory(): Sql {
  const sql = memorySql()
  migrateSlots(sql)
  migrateRates(sql)
  return sql
}

interface World {
  readonly slots: Slots
  readonly clock: { now: number }
  /** Granted so far, oldest first. */
  readonly granted: { readonly party: string; readonly id: string }[]
  ask(party: string, model?: string): () => void
}

function world(capacity: number, sql = memory(), clock = { now: 1000 }, rate = 'text=1000000'): World {
  let made = 0
  const granted: World['granted'] = []
  const now = () => clock.now
  const rates = createRates(sql, { rate: ratesOf(rate), now })
  const slots = createSlots(sql, { capacity: () => capacity, kept: KEPT, rates, now, newId: () => `s${clock.now}-${++made}` })
  return {
    slots,
    clock,
    granted,
    ask: (party, model = MODEL) => slots.request({ model, kind: 'text', party }, (id) => granted.push({ party, id })),
  }
}

const parties = (of: World): string[] => of.granted.map((one) => one.party)

describe('turns', () => {
  it('[V67] a corpus with hundreds of open calls: another’s single call gets the very next slot', () => {
    const one = world(6)
    for (let i = 0; i < 500; i++) one.ask('big')
    expect(one.granted).toHaveLength(6)
    // It goes on for a while, then somebody else comes.
    for (let i = 0; i < 100; i++) one.slots.release(one.granted[i]?.id ?? '')
    const before = one.granted.length
    one.ask('small')
    expect(parties(one).slice(before)).toEqual([])
    one.slots.release(one.granted[before - 1]?.id ?? '')
    expect(parties(one).slice(before)).toEqual(['small'])
  })

  it('[V67] those who wait share the slots evenly, whatever each has to do', () => {
    const one = world(4)
    const wants = { vast: 400, big: 100, middle: 40, small: 8 }
    for (const [party, n] of Object.entries(wants)) for (let i = 0; i < n; i++) one.ask(party)
    const alone = one.granted.length // the first to come had all slots, as nobody else waited
    for (let i = 0; i < 40; i++) one.slots.release(one.granted[i]?.id ?? '')
    const served = ['vast', 'big', 'middle', 'small'].map(
      (party) =>
        parties(one)
          .slice(alone)
          .filter((name) => name === party).length,
    )
    expect(served[3]).toBe(8)
    expect(Math.max(...served.slice(0, 3)) - Math.min(...served.slice(0, 3))).toBeLessThanOrEqual(1)
    // A corpus of one document, three calls after each other, beside three others: at most so many slots go by.
    for (let call = 0; call < 3; call++) {
      const from = one.granted.length
      one.ask('letter')
      for (let at = from - 4; !parties(one).slice(from).includes('letter'); at++) one.slots.release(one.granted[at]?.id ?? '')
      expect(one.granted.length - from).toBeLessThanOrEqual(4) // one for each corpus that waits
    }
  })

  it('[V1770] among many that have much to do, the first calls of a single document follow one another; what comes after them takes turns', () => {
    const one = world(4)
    const many = Array.from({ length: 50 }, (_, at) => `busy-${at}`)
    for (const party of many) for (let n = 0; n < 40; n++) one.ask(party)
    let returned = 0
    const next = (): string => {
      one.slots.release(one.granted[returned++]?.id ?? '')
      return one.granted.at(-1)?.party ?? ''
    }
    for (let n = 0; n < 1000; n++) next()
    // Twelve calls, each asked for when the one before was granted: eight follow one another, the last two each wait for a turn of all others.
    const waits = Array.from({ length: 12 }, () => {
      one.ask('letter')
      for (let others = 0; ; others++) if (next() === 'letter') return others
    })
    expect(waits.slice(0, 8).every((others) => others <= 4)).toBe(true) // as many as there are slots: one call at a time
    expect(waits.slice(-2).every((others) => others >= 40 && others <= 60)).toBe(true)
    // Nobody who stayed has lost his place: all others were served as often, but for the four slots that the first had before others came.
    const served = many.map((party) => parties(one).filter((name) => name === party).length)
    expect(Math.max(...served) - Math.min(...served)).toBeLessThanOrEqual(4)
  })

  it('[V67] models have slots of their own, as many as are configured', () => {
    const one = world(2)
    for (let i = 0; i < 5; i++) one.ask('a')
    one.ask('a', 'embedder')
    expect(one.granted).toHaveLength(3)
    const capacity = capacityOf('24 @cf/baai/bge-m3=48')
    expect([capacity('x'), capacity('@cf/baai/bge-m3'), capacityOf(undefined)('x')]).toEqual([24, 48, 24])
    for (const bad of ['0', 'many', '24 x=', '24 x=-1', '1.5']) expect(() => capacityOf(bad)).toThrow('MODEL_SLOTS')
  })

  it('[V67] who leaves the queue is not served', () => {
    const one = world(1)
    one.ask('a')
    const leave = one.ask('b')
    one.ask('c')
    leave()
    one.slots.release(one.granted[0]?.id ?? '')
    expect(parties(one)).toEqual(['a', 'c'])
  })
})

describe('what is not returned', () => {
  it('[V67] a slot whose holder died ends by itself; its late return takes nobody’s', () => {
    const one = world(1)
    one.ask('dead')
    one.ask('next')
    expect(one.slots.lendFree()).toBe(1000 + KEPT)
    one.clock.now += KEPT
    one.slots.lendFree()
    expect(parties(one)).toEqual(['dead', 'next'])
    one.ask('third')
    one.slots.release(one.granted[0]?.id ?? '')
    expect(parties(one)).toEqual(['dead', 'next'])
  })

  it('[V67] a governor that dies remembers what it has lent', () => {
    const [sql, clock] = [memory(), { now: 1000 }]
    const before = world(2, sql, clock)
    for (let i = 0; i < 4; i++) before.ask('a')
    const after = world(2, sql, clock)
    after.ask('b')
    expect(after.granted).toEqual([])
    after.slots.release(before.granted[0]?.id ?? '')
    expect(parties(after)).toEqual(['b'])
    clock.now += KEPT
    after.ask('c')
    expect(parties(after)).toEqual(['b', 'c'])
  })
})

describe('the minute', () => {
  const text = { model: MODEL, kind: 'text' } as const
  const minute = (rates = 'text=300', sql = memory(), clock = { now: 1_000_000 }) => {
    const now = () => clock.now
    return { sql, clock, rates: createRates(sql, { rate: ratesOf(rates), now }) }
  }
  /** Begins as many as there may be. */
  const all = ({ rates, clock }: ReturnType<typeof minute>): number => {
    let n = 0
    for (; rates.opensAt(text) <= clock.now; n++) rates.begin(text)
    return n
  }

  it('[V130] indexing begins what the account may, less the fifth that is kept for questions, in any sixty seconds', () => {
    const one = minute()
    expect([aiLimits.textCallsPerMinute, all(one)]).toEqual([300, 240])
    const opens = one.rates.opensAt(text)
    expect([opens > one.clock.now + 60_000, opens <= one.clock.now + 61_000]).toEqual([true, true])
    one.clock.now += 59_000
    expect(all(one)).toBe(0)
    one.clock.now = opens
    expect(all(one)).toBe(240)
    // Counted by task type; a model with a rate of its own by itself.
    expect(one.rates.opensAt({ model: 'other', kind: 'text' })).toBeGreaterThan(opens)
    expect(one.rates.opensAt({ model: 'embedder', kind: 'embedding' })).toBe(opens)
    const own = minute('text=300 writer=10')
    expect([all(own), own.rates.opensAt({ model: 'other', kind: 'text' })]).toEqual([8, own.clock.now])
    for (const bad of ['300', 'text=', 'text=0', 'text=x']) expect(() => ratesOf(bad)).toThrow('MODEL_RATES')
  })

  it('[V130] questions beyond their fifth are made room for', () => {
    const one = minute()
    one.rates.noteQuestions(text, 8)
    expect(all(one)).toBe(240)
    const busy = minute()
    for (let n = 0; n < 60; n++) {
      busy.rates.noteQuestions(text, 2)
      busy.clock.now += 1000
    }
    expect(all(busy)).toBe(150) // 300 less a quarter more than the 120 they used
    busy.clock.now += 62_000
    expect(all(busy)).toBe(240)
    const sudden = minute()
    sudden.rates.noteQuestions(text, 20)
    expect(all(sudden)).toBe(150) // twenty at once may be a hundred and twenty a minute
    sudden.clock.now += 11_000
    expect(all(sudden)).toBe(90) // they were not
  })

  it('[V130] a refusal stops indexing for a minute, halves its rate, and is forgotten bit by bit', () => {
    const one = minute()
    expect(all(one)).toBe(240)
    one.rates.noteRefusal(text, 'rate')
    one.rates.noteRefusal(text, 'rate') // of a call under way beside it
    expect(one.rates.opensAt(text)).toBe(one.clock.now + 60_000)
    one.clock.now += 62_000
    expect(all(one)).toBe(90) // half of 300 less a fifth
    const after: number[] = []
    for (let n = 0; n < 5; n++) {
      one.clock.now += 61_000
      after.push(all(one))
    }
    expect(after).toEqual([127, 165, 202, 240, 240])
  })

  it('[V130] a model out of capacity is left alone, longer each time, until a call goes well', () => {
    const { rates, clock } = minute()
    const waits: number[] = []
    for (let n = 0; n < 6; n++) {
      rates.noteRefusal(text, 'capacity')
      waits.push(rates.opensAt(text) - clock.now)
      clock.now = rates.opensAt(text)
    }
    expect(waits).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000])
    expect(rates.opensAt({ model: 'other', kind: 'text' })).toBe(clock.now)
    rates.noteSuccess(MODEL)
    rates.noteRefusal(text, 'capacity')
    expect(rates.opensAt(text) - clock.now).toBe(2000)
  })

  it('[V130] a governor that dies does not spend a minute twice, and keeps no row longer than it counts', () => {
    const before = minute()
    expect(all(before)).toBe(240)
    const after = minute('text=300', before.sql, before.clock)
    expect(all(after)).toBe(0)
    for (let n = 0; n < 300; n++) {
      after.clock.now += 1000
      all(after)
    }
    expect(after.sql.one<{ n: number }>('SELECT count(*) AS n FROM begun')?.n).toBeLessThanOrEqual(62)
  })

  it('[V130] who waits is served when the minute has calls again, in turn', () => {
    const one = world(1000, memory(), { now: 1_000_000 }, 'text=10')
    for (let n = 0; n < 20; n++) one.ask('big')
    expect(one.granted).toHaveLength(8)
    one.ask('small')
    const again = one.slots.lendFree() ?? 0
    expect([again - one.clock.now > 60_000, again - one.clock.now <= 61_000]).toEqual([true, true])
    for (const { id } of [...one.granted]) one.slots.release(id)
    one.clock.now = again
    one.slots.lendFree()
    expect(parties(one).slice(8)).toHaveLength(8)
    expect(parties(one).slice(8, 10)).toContain('small')
  })

  it('[V130] what a slot is returned with is known before it is lent again', () => {
    const one = world(1, memory(), { now: 1_000_000 })
    one.ask('a')
    one.ask('b')
    one.slots.release(one.granted[0]?.id ?? '', 'rate')
    expect(parties(one)).toEqual(['a'])
    expect(one.slots.lendFree()).toBe(one.clock.now + 60_000)
  })
})

describe('questions', () => {
  const text = { model: MODEL, kind: 'text' } as const
  const counting = () => {
    const noted: QuestionCalls[] = []
    const at = { now: 0 }
    const later: Promise<unknown>[] = []
    const governor: GovernorObject = {
      acquire: () => Promise.reject(new Error('a question asks nobody')),
      release: () => Promise.reject(new Error('a question holds nothing')),
      note: async (calls) => void noted.push(...calls),
    }
    const slots = questionCalls({
      tally: createTally(),
      governor: () => governor,
      later: (work) => void later.push(work),
      now: () => at.now,
    })
    return { slots, noted, at, later }
  }

  it('[V130] start at once, and are reported by the batch beside the answer', async () => {
    const { slots, noted, at, later } = counting()
    for (let n = 0; n < 5; n++) expect(await slots.with(text, async () => n)).toBe(n)
    expect(noted).toEqual([])
    let begun = false
    const sixth = slots.with(text, async () => {
      begun = true
    })
    expect(begun).toBe(true) // in the same turn: nothing was awaited
    await sixth
    expect([noted, later.length]).toEqual([[{ ...text, calls: 6 }], 1])
    for (let n = 0; n < 5; n++) await slots.with(text, async () => undefined)
    at.now += 60_000 // older than a minute: of no interest any more
    for (let n = 0; n < 6; n++) await slots.with(text, async () => undefined)
    expect(noted.map((one) => one.calls)).toEqual([6, 6])
  })

  it('[V130] report a refusal at once; a report that gets lost is nobody’s trouble', async () => {
    const { slots, noted } = counting()
    const refused = slots.with(text, () => Promise.reject(new Error('3021: rate limiting: inference request per min rate reached')))
    await expect(refused).rejects.toThrow('3021')
    expect(noted).toEqual([{ ...text, calls: 1, trouble: 'rate' }])
    const lost: GovernorObject = {
      acquire: async () => null,
      release: async () => undefined,
      note: () => Promise.reject(new Error('gone')),
    }
    const later: Promise<unknown>[] = []
    const deaf = questionCalls({ tally: createTally(), governor: () => lost, later: (work) => void later.push(work), now: () => 0 })
    for (let n = 0; n < 6; n++) await deaf.with(text, async () => undefined)
    await expect(Promise.all(later)).resolves.toEqual([undefined])
  })
})

/** A governor that counts. */
function object(answer: (call: number) => string | null | Error) {
  const asked = { acquired: 0, released: [] as string[] }
  const governor: GovernorObject = {
    acquire: async () => {
      const said = answer(++asked.acquired)
      if (said instanceof Error) throw said
      return said
    },
    release: async (id) => void asked.released.push(id),
    note: async () => undefined,
  }
  return { asked, namespace: { getByName: () => governor } }
}

const clock = { now: 0 }
const still = { now: () => clock.now, sleep: async () => undefined, after: () => () => undefined, random: () => 0 }

describe('a runner', () => {
  it('[V69] asks before each call of a model and returns the slot, also when the call fails', async () => {
    const { asked, namespace } = object((call) => (call % 2 ? null : `s${call}`)) // "none came free in time": asked again
    let calls = 0
    const binding = {
      run: async () => {
        calls++
        if (calls === 2) throw new Error('5007: No such model')
        return { response: 'Fine.' }
      },
    }
    const config = { embedding: { id: 'e', dimensions: 8, window: 128 }, text: { id: 'w', window: 8000 }, reranker: null }
    const models = workersAi({ ai: binding }, config, still, withGovernor(namespace, 'corpus', still))
    const messages = [{ role: 'user' as const, content: 'Hello' }]
    expect((await models.write(messages, { tokens: 5 })).text).toBe('Fine.')
    await expect(models.write(messages, { tokens: 5 })).rejects.toThrow('missing')
    expect([calls, asked.acquired, asked.released]).toEqual([2, 4, ['s2', 's4']])
  })

  it('[V69] goes on with two calls at a time while the governor cannot be reached, and asks again later', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    let up = false
    const { asked, namespace } = object((call) => (up ? `s${call}` : new Error('Durable Object reset')))
    const slots = withGovernor(namespace, 'corpus', still)
    let [running, max, done] = [0, 0, 0]
    const call = async (): Promise<void> => {
      max = Math.max(max, ++running)
      await Promise.resolve()
      running--
      done++
    }
    await Promise.all(Array.from({ length: 20 }, () => slots.with({ model: MODEL, kind: 'text' }, call)))
    expect([done, max, warned.mock.calls.length]).toEqual([20, governing.alone, 1])
    const asking = asked.acquired
    await slots.with({ model: MODEL, kind: 'text' }, call)
    expect(asked.acquired).toBe(asking) // blind for a while
    up = true
    clock.now += governing.blind
    await Promise.all(Array.from({ length: 6 }, () => slots.with({ model: MODEL, kind: 'text' }, call)))
    expect([max, asked.released.length]).toEqual([6, 6])
    warned.mockRestore()
  })
})
