import { describe, expect, it } from 'vitest'
import { Cache } from '../../../durable-objects/graph/cache'
import { random } from '../../../src/core/random'
import { IsolateMemory, occupantOf } from '../../../src/isolate-memory'

/** In a memory of its own: files of tests share an isolate, and what others hold must not make it forget. */
const cacheOf = (most: number) => new Cache(most, occupantOf(new IsolateMemory()))

/** The same by its definition: a list, the least lately used first. */
class Naive {
  held: { key: string; value: number; bytes: number }[] = []
  constructor(readonly max: number) {}
  get(key: string): number | undefined {
    const one = this.held.find((held) => held.key === key)
    if (one) this.held = [...this.held.filter((held) => held !== one), one]
    return one?.value
  }
  set(key: string, value: number, bytes: number): void {
    this.held = [...this.held.filter((held) => held.key !== key), { key, value, bytes }]
    while (this.held.reduce((sum, one) => sum + one.bytes, 0) > this.max) this.held.shift()
  }
}

describe('the cache of the graph', () => {
  it('[A1650] the least lately used goes first, and no more is held than it may hold', () => {
    const numbers = random('cache')
    const [cache, naive] = [cacheOf(50), new Naive(50)]
    for (let step = 0; step < 5000; step++) {
      const key = String(numbers.below(20))
      const what = numbers.below(10)
      if (what < 5) expect(cache.held<number>(key)).toBe(naive.get(key))
      else if (what < 8) {
        const bytes = 1 + numbers.below(20)
        cache.set(key, step, bytes)
        naive.set(key, step, bytes)
      } else if (what < 9) {
        cache.drop(key)
        naive.held = naive.held.filter((one) => one.key !== key)
      } else expect(cache.has(key)).toBe(naive.held.some((one) => one.key === key))
    }
    cache.clear()
    expect(Array.from({ length: 20 }, (_, key) => cache.has(String(key)))).not.toContain(true)
  })

  it('[A1650] what is larger than the cache is not held, and leaves room for others', () => {
    const cache = cacheOf(10)
    cache.set('large', 1, 11)
    cache.set('small', 2, 1)
    expect([cache.has('large'), cache.has('small')]).toEqual([false, true])
    expect(
      cache.getOrRead(
        'none',
        () => undefined,
        () => 1,
      ),
    ).toBeUndefined()
    expect(cache.has('none')).toBe(false)
  })

  it('[A1650] its shelves share one bound and one order of use, and the same key is another thing on another shelf', () => {
    const dice = random('shelves')
    const cache = cacheOf(100)
    const shelves = [cache, cache.shelf('a'), cache.shelf('b')]
    let naive: { readonly shelf: number; readonly key: string; readonly value: number; readonly bytes: number }[] = []
    const same = (shelf: number, key: string) => (one: { readonly shelf: number; readonly key: string }) =>
      one.shelf === shelf && one.key === key
    for (let step = 0; step < 20_000; step++) {
      const [shelf, key, what] = [dice.below(3), String(dice.below(12)), dice.below(100)]
      const found = naive.find(same(shelf, key))
      naive = found && what < 95 ? naive.filter((one) => one !== found) : naive
      if (what < 40) {
        expect(shelves[shelf]?.held(key)).toBe(found?.value)
        if (found) naive.push(found)
      } else if (what < 90) {
        const bytes = 1 + dice.below(20)
        shelves[shelf]?.set(key, step, bytes)
        naive.push({ shelf, key, value: step, bytes })
        while (naive.reduce((sum, one) => sum + one.bytes, 0) > 100) naive.shift()
      } else if (what < 95) shelves[shelf]?.drop(key)
      else if (what < 99) expect(shelves[shelf]?.has(key)).toBe(found !== undefined)
      else {
        shelves[shelf]?.clear()
        naive = shelf === 0 ? [] : naive.filter((one) => one.shelf !== shelf)
      }
      expect(cache.bytes).toBe(naive.reduce((sum, one) => sum + one.bytes, 0))
    }
  })
})
