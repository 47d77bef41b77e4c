/** Call slots: whose turn it is, what is not returned, and what happens without anybody to ask. Rules V67–V69. */
import { createRequire } from 'node:module'
import { describe, expect, it, vi } from 'vitest'
import { capacityOf } from '../../durable-objects/governor/capacity'
import { createSlots, migrateSlots, type Slots } from '../../durable-objects/governor/slots'
import { counted, type Sql } from '../../durable-objects/sql'
import { governed, governing } from '../../src/adapters/governor'
import { workersAi } from '../../src/adapters/workers-ai'
import type { GovernorObject } from '../../src/ports'

const MODEL = 'writer'
const KEPT = 150_000

function memory(): Sql {
  const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as {
    DatabaseSync: new (path: string) => { prepare(query: string): { all(...bindings: unknown[]): object[] } }
  }
  const db = new DatabaseSync(':memory:')
  const sql = counted({
    exec: (query, ...bindings) => {
      const rows = db.prepare(query).all(...bindings)
      return { toArray: () => rows, rowsWritten: 0 }
    },
  })
  migrateSlots(sql)
  return sql
}

interface World {
  readonly slots: Slots
  readonly clock: { now: number }
  /** Granted so far, oldest first. */
  readonly granted: { readonly party: string; readonly id: string }[]
  ask(party: string, model?: string): () => void
}

function world(capacity: number, sql = memory(), clock = { now: 1000 }): World {
  let made = 0
  const granted: World['granted'] = []
  const slots = createSlots(sql, { capacity: () => capacity, kept: KEPT, now: () => clock.now, newId: () => `s${clock.now}-${++made}` })
  return { slots, clock, granted, ask: (party, model = MODEL) => slots.ask(model, party, (id) => granted.push({ party, id })) }
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
    for (let i = 0; i < 40; i++) one.slots.release(one.granted[i]?.id ?? '')
    const served = (party: string): number => parties(one).filter((name) => name === party).length
    expect(served('small')).toBe(8)
    expect(
      Math.max(served('vast'), served('big'), served('middle')) - Math.min(served('vast'), served('big'), served('middle')),
    ).toBeLessThan(5)
    // A corpus of one document, three calls after each other, beside three others: at most so many slots go by.
    for (let call = 0; call < 3; call++) {
      const from = one.granted.length
      one.ask('letter')
      for (let at = from - 4; !parties(one).slice(from).includes('letter'); at++) one.slots.release(one.granted[at]?.id ?? '')
      expect(one.granted.length - from).toBeLessThanOrEqual(4) // one for each corpus that waits
    }
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

  it('[V68] who leaves the queue is not served', () => {
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
  it('[V68] a slot whose holder died ends by itself; its late return takes nobody’s', () => {
    const one = world(1)
    one.ask('dead')
    one.ask('next')
    expect(one.slots.turn()).toBe(1000 + KEPT)
    one.clock.now += KEPT
    one.slots.turn()
    expect(parties(one)).toEqual(['dead', 'next'])
    one.ask('third')
    one.slots.release(one.granted[0]?.id ?? '')
    expect(parties(one)).toEqual(['dead', 'next'])
  })

  it('[V68] a governor that dies remembers what it has lent', () => {
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
    const models = workersAi(binding, config, still, governed(namespace, 'corpus', still))
    const messages = [{ role: 'user' as const, content: 'Hello' }]
    expect((await models.write(messages, { tokens: 5 })).text).toBe('Fine.')
    await expect(models.write(messages, { tokens: 5 })).rejects.toThrow('missing')
    expect([calls, asked.acquired, asked.released]).toEqual([2, 4, ['s2', 's4']])
  })

  it('[V69] goes on with two calls at a time while the governor cannot be reached, and asks again later', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    let up = false
    const { asked, namespace } = object((call) => (up ? `s${call}` : new Error('Durable Object reset')))
    const slots = governed(namespace, 'corpus', still)
    let [running, most, done] = [0, 0, 0]
    const call = async (): Promise<void> => {
      most = Math.max(most, ++running)
      await Promise.resolve()
      running--
      done++
    }
    await Promise.all(Array.from({ length: 20 }, () => slots.with(MODEL, call)))
    expect([done, most, warned.mock.calls.length]).toEqual([20, governing.alone, 1])
    const asking = asked.acquired
    await slots.with(MODEL, call)
    expect(asked.acquired).toBe(asking) // blind for a while
    up = true
    clock.now += governing.blind
    await Promise.all(Array.from({ length: 6 }, () => slots.with(MODEL, call)))
    expect([most, asked.released.length]).toEqual([6, 6])
    warned.mockRestore()
  })
})
