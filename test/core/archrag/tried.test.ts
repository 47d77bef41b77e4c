/** A layer that is not worth one above it. */
import { expect, it } from 'vitest'
import { stateOf } from '../../../src/core/strategies/archrag/clustering-state'
import { rowsIn } from '../../../src/core/strategies/archrag/rows'
import { docs, settingsWith, world } from './worlds'

it('[A1652] a layer that gave too few communities is grouped again once it has doubled, and not linked meanwhile', () => {
  const one = world(settingsWith({ max: 4, min: 10 }))
  const tried = new Set<number>()
  let unlinked = 0
  for (const item of docs('tried', 60)) {
    one.change({ add: [item] })
    const size = one.graph.count('community', 1)
    const at = stateOf(one.graph, 1)?.size
    if (one.graph.count('community', 2) > 0) break
    if (at === undefined) continue
    tried.add(at)
    expect(size).toBeLessThan(2 * at)
    if (size > at)
      unlinked += rowsIn(one.graph)
        .ids(1)
        .filter((id) => rowsIn(one.graph).read(1, id)?.near.length === 0).length
  }
  const sizes = [...tried].sort((a, b) => a - b)
  expect(sizes.length).toBeGreaterThan(0)
  for (const [i, size] of sizes.slice(1).entries()) expect(size).toBeGreaterThanOrEqual(2 * (sizes[i] ?? 0))
  expect(unlinked).toBeGreaterThan(0)
  expect(one.graph.count('community', 2)).toBeGreaterThanOrEqual(10)
})

it('[A1652] what is deleted until too few are left is tried again at twice what was left', () => {
  const one = world(settingsWith({ max: 4, min: 10 }))
  const all = docs('shrunk', 60)
  one.change({ add: all })
  expect(one.graph.count('community', 2)).toBeGreaterThan(0)
  one.change({ remove: all.slice(8) })
  expect(one.graph.count('community', 2)).toBe(0)
  one.change({ add: all.slice(8) })
  expect(one.graph.count('community', 2)).toBeGreaterThan(0)
})
