import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Item, knapsack } from '../../../src/core/algorithms/knapsack'

/** The exact optimum by dynamic programming over capacities. */
function optimum(items: readonly Item[], capacity: number): number {
  const best = new Array<number>(capacity + 1).fill(0)
  for (const { value, cost } of items) {
    for (let room = capacity; room >= cost; room--) best[room] = Math.max(best[room] ?? 0, (best[room - cost] ?? 0) + value)
  }
  return best[capacity] ?? 0
}

const items = fc
  .array(fc.record({ value: fc.integer({ min: 0, max: 50 }), cost: fc.integer({ min: 1, max: 20 }) }), { maxLength: 14 })
  .map((list) => list.map((one, i): Item => ({ id: `i${i}`, ...one })))

describe('knapsack by density', () => {
  it('[Q15] never exceeds the capacity and is within one item of the exact optimum', () => {
    fc.assert(
      fc.property(items, fc.integer({ min: 0, max: 60 }), (list, capacity) => {
        const chosen = knapsack(list, capacity).map((id) => list.find((one) => one.id === id) as Item)
        const worth = chosen.reduce((sum, one) => sum + one.value, 0)
        const max = Math.max(0, ...list.filter((one) => one.cost <= capacity).map((one) => one.value))
        expect(chosen.reduce((sum, one) => sum + one.cost, 0)).toBeLessThanOrEqual(capacity)
        expect(worth).toBeGreaterThanOrEqual(optimum(list, capacity) - max)
        expect(2 * worth).toBeGreaterThanOrEqual(optimum(list, capacity))
      }),
      { seed: 15, numRuns: 300 },
    )
  })

  it('[Q15] does not depend on the order of the items', () => {
    const list: Item[] = [
      ['a', 3, 2],
      ['b', 3, 2],
      ['c', 9, 7],
    ].map(([id, value, cost]) => ({ id: String(id), value: Number(value), cost: Number(cost) }))
    expect(knapsack([...list].reverse(), 4)).toEqual(knapsack(list, 4))
  })
})
