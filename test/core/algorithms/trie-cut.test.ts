/** The trie cut against its definition, and its local update against cutting again. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Bounds, feasible, trieCut } from '../../../src/core/algorithms/trie-cut'
import { runAt, type Sorted, trieRecut } from '../../../src/core/algorithms/trie-recut'

interface Item {
  readonly key: string
}

const WIDTH = 6 // hexadecimal digits
const hex = (n: number): string => n.toString(16).padStart(WIDTH, '0')
/** Even, crowded in a corner, and in long shared prefixes: the tries an attacker would choose are among them. */
const key = fc.oneof(
  fc.nat(2 ** (4 * WIDTH) - 1),
  fc.nat(300),
  fc.nat(4 * WIDTH - 1).map((bit) => 2 ** bit),
  fc.nat(4 * WIDTH - 1).map((bit) => 2 ** (4 * WIDTH) - 2 ** bit),
)
const keys = (maxLength: number) => fc.uniqueArray(key, { maxLength }).map((list) => list.map(hex).sort())
const bounds: fc.Arbitrary<Bounds> = fc.oneof(
  fc.constant({ min: 6, max: 12 }),
  fc.constant({ min: 2, max: 3 }),
  fc.tuple(fc.integer({ min: 1, max: 5 }), fc.nat(4)).map(([min, more]) => ({ min, max: 2 * min - 1 + more })),
)

/** The definition, word for word: cut where two neighbours part highest among the places that leave enough on both sides. */
function naive(sorted: readonly string[], { min, max }: Bounds): string[][] {
  if (sorted.length === 0) return []
  if (sorted.length <= max) return [[...sorted]]
  const bits = sorted.map((one) => BigInt(`0x${one}`))
  const shared = (at: number): number => ((bits[at - 1] ?? 0n) ^ (bits[at] ?? 0n)).toString(2).length
  const places = Array.from({ length: sorted.length - 2 * min + 1 }, (_, i) => i + min)
  const at = places.reduce((best, one) => (shared(one) > shared(best) ? one : best))
  return [...naive(sorted.slice(0, at), { min, max }), ...naive(sorted.slice(at), { min, max })]
}

function runs(sorted: readonly string[], limits: Bounds): string[][] {
  const starts = trieCut(sorted, limits)
  return starts.map((start, i) => sorted.slice(start, starts[i + 1] ?? sorted.length))
}

function reader(sorted: readonly string[], reads: { rows: number } = { rows: 0 }): Sorted<Item> {
  const counted = (found: readonly string[]): Item[] => {
    reads.rows += found.length
    return found.map((one) => ({ key: one }))
  }
  return {
    up: (from, limit) => counted(sorted.filter((one) => one >= from).slice(0, limit)),
    down: (from, limit) =>
      counted(
        [...sorted]
          .reverse()
          .filter((one) => one <= from)
          .slice(0, limit),
      ),
  }
}

describe('the trie cut', () => {
  it('[E2] cuts at the shallowest branch that leaves enough keys on both sides', () => {
    fc.assert(
      fc.property(keys(120), bounds, (sorted, limits) => {
        expect(runs(sorted, limits)).toEqual(naive(sorted, limits))
      }),
      { seed: 11, numRuns: 400 },
    )
  })

  it('[E2] keeps every run within the bounds, but for one that is all there is', () => {
    fc.assert(
      fc.property(keys(200), bounds, (sorted, limits) => {
        const sizes = runs(sorted, limits).map((run) => run.length)
        for (const size of sizes) expect(size).toBeLessThanOrEqual(limits.max)
        if (sizes.length > 1) for (const size of sizes) expect(size).toBeGreaterThanOrEqual(limits.min)
      }),
      { seed: 12, numRuns: 400 },
    )
  })

  it('[E2] refuses bounds into which some number of keys cannot be cut', () => {
    expect([feasible({ min: 8, max: 12 }), feasible({ min: 6, max: 12 }), feasible({ min: 6, max: 11 })]).toEqual([false, true, true])
    expect(() => trieCut([hex(1)], { min: 8, max: 12 })).toThrow('trie cut')
  })

  it('[E3] finds the run of one key as cutting everything would', () => {
    fc.assert(
      fc.property(keys(150), bounds, fc.nat(), (sorted, limits, pick) => {
        fc.pre(sorted.length > 0)
        const one = sorted[pick % sorted.length] as string
        expect(runAt(reader(sorted), limits, one).map((item) => item.key)).toEqual(runs(sorted, limits).find((run) => run.includes(one)))
      }),
      { seed: 13, numRuns: 400 },
    )
  })

  it('[E3] brought up to date after any batch of changes, equals cutting again', () => {
    fc.assert(
      fc.property(keys(150), keys(40), fc.array(fc.nat(), { maxLength: 40 }), bounds, (old, come, picks, limits) => {
        const gone = new Set(old.length > 0 ? picks.map((pick) => old[pick % old.length] as string) : [])
        const fresh = come.filter((one) => !old.includes(one))
        const now = [...old.filter((one) => !gone.has(one)), ...fresh].sort()
        const parent = new Map(runs(old, limits).flatMap((run, i) => run.map((one) => [one, i] as const)))
        const parted = (a: Item, b: Item): boolean => parent.has(a.key) && parent.has(b.key) && parent.get(a.key) !== parent.get(b.key)
        const changed = trieRecut(reader(now), limits, [...gone, ...fresh], parted).map((run) => run.map((item) => item.key))
        const covered = new Set(changed.flat())
        const kept = runs(old, limits).filter((run) => !run.some((one) => covered.has(one) || gone.has(one)))
        const all = [...kept, ...changed].sort((a, b) => ((a[0] as string) < (b[0] as string) ? -1 : 1))
        expect(all).toEqual(runs(now, limits))
      }),
      { seed: 14, numRuns: 3000 },
    )
  })

  it('[E3] reads of one change do not grow with the number of keys but by a step for each halving', () => {
    const rows = [1000, 8000].map((n) => {
      const sorted = [...new Set(Array.from({ length: n }, (_, i) => hex(Math.imul(i + 1, 0x9e3779b1) >>> 8)))].sort()
      const one = sorted[n >> 1] as string
      const now = sorted.filter((other) => other !== one)
      const parent = new Map(runs(sorted, { min: 6, max: 12 }).flatMap((run, i) => run.map((item) => [item, i] as const)))
      const reads = { rows: 0 }
      trieRecut(reader(now, reads), { min: 6, max: 12 }, [one], (a, b) => parent.get(a.key) !== parent.get(b.key))
      return reads.rows
    })
    const [small = 0, large = 0] = rows
    expect(large).toBeLessThan(small + 4 * 19 * 4) // three more halvings, at most four runs looked at, 19 rows a step
  })
})
