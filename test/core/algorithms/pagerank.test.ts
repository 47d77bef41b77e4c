import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Neighbour, pagerank } from '../../../src/core/algorithms/pagerank'
import { random } from '../../../src/core/random'

const exact = { restart: 0.4, tolerance: 1e-9, pushes: 1000 }

function graphFrom(seed: number, n: number): Map<string, Neighbour[]> {
  const rng = random(seed)
  const near = new Map(Array.from({ length: n }, (_, i) => [`n${i}`, [] as Neighbour[]]))
  for (const list of near.values()) for (let i = rng.below(4); i > 0; i--) list.push({ id: `n${rng.below(n)}`, weight: rng.below(3) })
  return near
}

/** p = restart · s + (1 − restart) · pW, iterated; mass at dead ends is lost. */
function naive(seeds: ReadonlyMap<string, number>, near: ReadonlyMap<string, readonly Neighbour[]>, restart: number): Map<string, number> {
  const scores = new Map<string, number>()
  let front = new Map(seeds)
  for (let round = 0; round < 200; round++) {
    const next = new Map<string, number>()
    for (const [id, mass] of front) {
      scores.set(id, (scores.get(id) ?? 0) + restart * mass)
      const list = near.get(id) ?? []
      const total = list.reduce((sum, one) => sum + one.weight, 0)
      for (const one of list) if (total > 0) next.set(one.id, (next.get(one.id) ?? 0) + ((1 - restart) * mass * one.weight) / total)
    }
    front = next
  }
  return scores
}

/** The same rounds with ids in place of numbers: what the product's must not differ from in a single bit. */
function byIds(
  seeds: ReadonlyMap<string, number>,
  near: (id: string) => readonly Neighbour[],
  walk: { restart: number; tolerance: number; pushes: number },
): Map<string, number> {
  const total = [...seeds.values()].reduce((sum, mass) => sum + mass, 0)
  const scores = new Map<string, number>()
  let front = new Map([...seeds].filter(([, mass]) => mass > 0).map(([id, mass]) => [id, mass / total]))
  const read = new Map<string, readonly Neighbour[]>()
  while (front.size > 0) {
    const next = new Map<string, number>()
    for (const [id, mass] of [...front].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))) {
      scores.set(id, (scores.get(id) ?? 0) + walk.restart * mass)
      if (mass < walk.tolerance || (!read.has(id) && read.size >= walk.pushes)) continue
      const around = read.get(id) ?? near(id)
      read.set(id, around)
      const usable = around.filter((one) => one.weight > 0)
      const weight = usable.reduce((sum, one) => sum + one.weight, 0)
      for (const one of usable) next.set(one.id, (next.get(one.id) ?? 0) + ((1 - walk.restart) * mass * one.weight) / weight)
    }
    front = next
  }
  return scores
}

describe('personalised PageRank by local push', () => {
  it('[Q630] gives the very numbers of the plain rounds, whatever it keeps in between', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 20 }), (seed, pushes) => {
        const near = graphFrom(seed, 30)
        const seeds = new Map(Array.from({ length: 5 }, (_, i) => [`n${i * 5}`, 1 / (i + 1)]))
        const around = (id: string) => near.get(id) ?? []
        for (const walk of [{ restart: 0.1, tolerance: 0.0005, pushes }, exact]) {
          const [one, other] = [pagerank(seeds, around, walk), byIds(seeds, around, walk)]
          expect(new Map([...one].sort())).toEqual(new Map([...other].sort()))
        }
      }),
      { seed: 630, numRuns: 60 },
    )
  })

  it('[Q14] gives the scores of the iteration to the fixed point', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const near = graphFrom(seed, 12)
        const seeds = new Map([
          ['n0', 0.75],
          ['n1', 0.25],
        ])
        const pushed = pagerank(seeds, (id) => near.get(id) ?? [], exact)
        for (const [id, score] of naive(seeds, near, exact.restart)) expect(pushed.get(id) ?? 0).toBeCloseTo(score, 6)
      }),
      { seed: 14, numRuns: 40 },
    )
  })

  it('[Q14] expands at most as many nodes as allowed, the heaviest first, whatever the order of the seeds', () => {
    const asked: string[] = []
    const around = (id: string): Neighbour[] => {
      asked.push(id)
      return [{ id: `${id}x`, weight: 1 }]
    }
    const seeds = [
      ['a', 1],
      ['b', 3],
      ['c', 2],
    ] as const
    const first = pagerank(new Map(seeds), around, { restart: 0.5, tolerance: 1e-6, pushes: 2 })
    expect(asked).toEqual(['b', 'c'])
    expect(pagerank(new Map([...seeds].reverse()), around, { restart: 0.5, tolerance: 1e-6, pushes: 2 })).toEqual(first)
  })

  it('[Q1730] is told before each round whose neighbours will be asked for, and finds the same', () => {
    const near = (id: string): Neighbour[] => ['x', 'y'].map((next) => ({ id: `${id}${next}`, weight: 1 }))
    const seeds = new Map([
      ['a', 2],
      ['b', 1],
    ])
    const walk = { restart: 0.5, tolerance: 1e-3, pushes: 9 }
    const [told, asked] = [[] as string[], [] as string[]]
    const ask = (id: string): Neighbour[] => {
      asked.push(id)
      expect(told).toContain(id)
      return near(id)
    }
    const scores = pagerank(seeds, ask, walk, (ids) => told.push(...ids))
    expect(told).toEqual(asked)
    expect(asked).toHaveLength(9)
    expect(scores).toEqual(pagerank(seeds, near, walk))
  })

  it('[Q14] ends where no neighbour has any weight, and without seeds', () => {
    expect([...pagerank(new Map([['a', 1]]), () => [{ id: 'b', weight: 0 }], exact)]).toEqual([['a', 0.4]])
    expect(pagerank(new Map(), () => [], exact).size).toBe(0)
  })
})
