/** What the objects of one isolate remember, all together. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { Cache } from '../../../durable-objects/graph/cache'
import { random } from '../../../src/core/random'
import { readingRoom } from '../../../src/http/reading-room'
import { IsolateMemory, occupantOf } from '../../../src/isolate-memory'

const ROOM = 320
const SPARE = ROOM / 16
const OWN = 120 // bytes that one object may remember by itself

interface Held {
  readonly owner: number
  readonly key: string
  readonly bytes: number
  turn: number
}

/** The same by its definition: one list of all that anybody remembers. */
class Naive {
  held: Held[] = []
  #turn = 0
  #last = -1

  use(owner: number, key: string): boolean {
    const one = this.held.find((held) => held.owner === owner && held.key === key)
    if (!one) return false
    one.turn = this.#turnOf(owner)
    this.held = [...this.held.filter((held) => held !== one), one]
    return true
  }

  set(owner: number, key: string, bytes: number): void {
    const turn = this.#turnOf(owner)
    this.drop(owner, key)
    this.held.push({ owner, key, bytes, turn })
    if (this.bytes > ROOM) this.#forget(() => this.bytes > ROOM - SPARE, this.held)
    this.#forget(() => this.bytesOf(owner) > OWN, this.of(owner))
  }

  drop(owner: number, key: string): void {
    this.held = this.held.filter((held) => held.owner !== owner || held.key !== key)
  }

  /** As they were used: the list is in that order within a turn, too. */
  #forget(isTooMuch: () => boolean, of: readonly Held[]): void {
    const waiting = [...of].sort((a, b) => a.turn - b.turn)
    while (isTooMuch()) {
      const oldest = waiting.shift()
      this.held = this.held.filter((held) => held !== oldest)
    }
  }

  #turnOf(owner: number): number {
    if (this.#last !== owner) this.#turn++
    this.#last = owner
    return this.#turn
  }

  of = (owner: number): readonly Held[] => this.held.filter((one) => one.owner === owner)
  bytesOf = (owner: number): number => sum(this.of(owner))
  get bytes(): number {
    return sum(this.held)
  }
}

const sum = (held: readonly Held[]): number => held.reduce((bytes, one) => bytes + one.bytes, 0)

describe('the memory of an isolate', () => {
  it('[G1940] what was not used for longest goes first, whoever’s it is, and every byte is counted', () => {
    const dice = random('isolate')
    const [memory, naive] = [new IsolateMemory(ROOM), new Naive()]
    const caches = Array.from({ length: 5 }, () => new Cache(OWN, occupantOf(memory)))
    let least = Number.POSITIVE_INFINITY
    for (let step = 0; step < 20_000; step++) {
      const owner = dice.below(caches.length)
      const cache = caches[owner] as Cache
      const key = String(dice.below(20))
      const what = dice.below(100)
      if (what < 40) expect(cache.held(key) !== undefined).toBe(naive.use(owner, key))
      else if (what < 90) {
        const bytes = 1 + dice.below(30)
        const before = naive.held.length
        cache.set(key, step, bytes)
        naive.set(owner, key, bytes)
        if (naive.held.length < before) least = Math.min(least, memory.bytes)
      } else if (what < 99) {
        cache.drop(key)
        naive.drop(owner, key)
      } else {
        cache.clear()
        naive.held = naive.held.filter((one) => one.owner !== owner)
      }
      expect(caches.map((one) => one.bytes)).toEqual(caches.map((_, of) => naive.bytesOf(of)))
      expect(memory.bytes).toBe(naive.bytes)
      expect(memory.bytes).toBeLessThanOrEqual(ROOM)
    }
    expect(least).toBeGreaterThan(ROOM / 2) // something was forgotten, and never much
    for (const cache of caches) cache.clear()
    expect(memory.bytes).toBe(0)
  })

  it('[G1940] an object that is gone leaves nothing, and costs those that are there nothing', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const memory = new IsolateMemory(ROOM)
    const mine = new Cache(ROOM, occupantOf(memory))
    mine.set('mine', 1, 100) // before any of the others
    filledAndLeft(memory)
    expect(memory.bytes).toBe(300)
    await new Promise((resolve) => setTimeout(resolve)) // what a weak reference was asked for is kept to the end of the turn
    collect()
    const other = new Cache(ROOM, occupantOf(memory))
    other.set('other', 2, 200)
    expect([memory.bytes, mine.has('mine'), other.has('other')]).toEqual([300, true, true])
  })

  it('[G1940] what is larger than all there is room for is not held', () => {
    const memory = new IsolateMemory(ROOM)
    const [one, other] = [new Cache(1000, occupantOf(memory)), new Cache(1000, occupantOf(memory))]
    one.set('small', 1, 10)
    other.set('large', 2, ROOM + 1)
    expect([one.has('small'), other.has('large'), memory.bytes]).toEqual([false, false, 0])
  })

  it('[G1942] what is lent is not remembered in, until it is given back or its time is over', () => {
    let now = 0
    const memory = new IsolateMemory(ROOM, () => now)
    const cache = new Cache(ROOM, occupantOf(memory))
    const fill = (): number => {
      for (let key = 0; key < 40; key++) cache.set(String(key), key, 10)
      return cache.bytes
    }
    expect(fill()).toBeGreaterThan(ROOM - 2 * SPARE)
    expect(memory.lendTo(200, () => [cache.bytes, fill()])).toEqual([100, 120].map((most) => expect.toSatisfy((bytes) => bytes <= most)))
    expect(() =>
      memory.lendTo(ROOM, () => {
        throw new Error('undone')
      }),
    ).toThrow('undone')
    expect([cache.bytes, fill() > 200]).toEqual([0, true])
    memory.lend(200, 1000)
    const end = memory.lend(2 * ROOM, 1000)
    expect(fill()).toBe(0)
    end()
    end()
    expect([fill() > 0, fill() <= ROOM - 200]).toEqual([true, true])
    now = 1000
    expect(fill()).toBeGreaterThan(200)
  })

  it('[G1942] a body that is read in its turn is lent what it may take', () => {
    let now = 0
    const memory = new IsolateMemory(ROOM, () => now)
    const cache = new Cache(ROOM, occupantOf(memory))
    const room = readingRoom(memory)
    cache.set('read', 1, 200)
    const leave = room.enter(200, now)
    expect(cache.bytes).toBe(0)
    cache.set('read', 1, 200)
    expect(cache.bytes).toBe(0)
    leave?.leave()
    cache.set('read', 1, 200)
    expect(cache.bytes).toBe(200)
    room.enter(200, now) // and nothing more is heard of it
    now = 60_000
    cache.set('read', 1, 200)
    expect(cache.bytes).toBe(200)
  })
})

/** No reference to it is left when this returns. */
function filledAndLeft(memory: IsolateMemory): void {
  const cache = new Cache(1000, occupantOf(memory))
  cache.set('theirs', 1, 200)
}
