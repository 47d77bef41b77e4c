/** Split and merge keeps its bounds under any touched runs. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitMerge } from '../../../src/core/algorithms/split-merge'
import { feasible } from '../../../src/core/algorithms/trie-cut'

const limits = { min: 6, max: 12 }
interface Item {
  readonly key: string
}

it('[E40] after any changes split and merge keeps every item once and every run within the bounds', () => {
  expect(feasible(limits)).toBe(true)
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.boolean()), { minLength: 1, maxLength: 12 }), (sizes) => {
      let next = 0
      const all = sizes.map(([size, touch]) => {
        const whole = touch ? size : 6 + (size % 7)
        return { touch, items: Array.from({ length: whole }, (): Item => ({ key: String(next++).padStart(4, '0') })) }
      })
      const items = all.flatMap((run) => run.items)
      const indexOf = (item: Item): number => Number(item.key)
      const made = splitMerge(
        all.filter((run) => run.touch).map((run) => run.items),
        limits,
        {
          before: (item) => items[indexOf(item) - 1],
          after: (item) => items[indexOf(item) + 1],
          run: (item) => all.find((run) => run.items.includes(item))?.items ?? [],
        },
      )
      const covered = new Set(made.flat().map((item) => item.key))
      const kept = all.filter((run) => !run.items.some((item) => covered.has(item.key))).map((run) => run.items)
      const runs = [...kept, ...made].sort((a, b) => indexOf(a[0] as Item) - indexOf(b[0] as Item))
      expect(runs.flat()).toEqual(items)
      for (const run of runs) expect(run.length).toBeLessThanOrEqual(limits.max)
      if (runs.length > 1) for (const run of runs) expect(run.length).toBeGreaterThanOrEqual(limits.min)
    }),
    { seed: 21, numRuns: 1000 },
  )
})

/** Runs of so many items, all touched, as a layer is built. */
function built(sizes: readonly number[], distance?: (a: Item, b: Item) => number): number[] {
  const all = Array.from({ length: sizes.reduce((sum, size) => sum + size, 0) }, (_, i): Item => ({ key: String(i).padStart(4, '0') }))
  const ends = sizes.map((_, i) => sizes.slice(0, i + 1).reduce((sum, size) => sum + size, 0))
  const runs = sizes.map((size, i) => all.slice((ends[i] ?? 0) - size, ends[i]))
  const beside = (step: number) => (item: Item) => all[Number(item.key) + step]
  const line = { before: beside(-1), after: beside(1), run: () => [], ...(distance ? { distance } : {}) }
  return splitMerge(runs, limits, line).map((run) => run.length)
}

it('[E40] a bucket within the bounds stays a segment; a small one joins its smaller neighbour, a large one is split', () => {
  expect(built([6, 11, 6])).toEqual([6, 11, 6])
  expect(built([6, 3, 9])).toEqual([9, 9])
  expect(built([12, 25, 7])).toEqual([12, 8, 8, 9, 7])
  expect(built([1, 1, 1, 1, 1, 1, 8])).toEqual([6, 8])
})

it('[E40] with the distances of neighbours, a small bucket joins the nearer one, and the smaller where both are as near', () => {
  const beyond = (key: number) => (a: Item, b: Item) => (Number(a.key) < key && Number(b.key) >= key ? 5 : 1)
  expect(built([7, 3, 6], beyond(10))).toEqual([10, 6]) // far from what follows
  expect(built([7, 3, 6], beyond(7))).toEqual([7, 9])
  expect(built([7, 3, 6], () => 1)).toEqual([7, 9])
})

it('[E40] thirteen to seventeen items are split in two, and undersized neighbours in a row lose nothing', () => {
  const run = (from: number, size: number): Item[] => Array.from({ length: size }, (_, i) => ({ key: String(from + i).padStart(4, '0') }))
  const none = { before: () => undefined, after: () => undefined, run: () => [] }
  expect([13, 17].map((size) => splitMerge([run(0, size)], limits, none).map((one) => one.length))).toEqual([
    [6, 7],
    [8, 9],
  ])
  const all = [...run(0, 6), ...run(6, 4), ...run(10, 5), ...run(15, 10)]
  const line = { before: (item: Item) => all[Number(item.key) - 1], after: (item: Item) => all[Number(item.key) + 1], run: () => [] }
  const made = splitMerge([run(0, 6), run(6, 4), run(10, 5), run(15, 10)], limits, line)
  expect(made.flat()).toEqual(all)
})
