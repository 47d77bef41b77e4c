/**
 * How EraRAG itself maintains size-bounded runs (arXiv 2506.20963, Algorithms 2 and 3): a run begins as a bucket, the items with one hash code;
 * runs that are too long are split, runs that are too short are merged with a neighbour, and a run within the bounds is left as it is. Repaired
 * where the official code breaks its bounds: a split gives as many parts as needed, the first run can be merged too, and a short run beside full
 * ones borrows. The result depends on the order of arrival.
 */
import type { Bounds } from './trie-cut'

/** How a run finds its neighbours. */
export interface Line<T> {
  /** The item before or after one in the order of all items. */
  before(item: T): T | undefined
  after(item: T): T | undefined
  /** The run that an untouched item is in. */
  run(item: T): readonly T[]
  /** The distance between two neighbouring items: the nearer neighbour takes in a short run. Absent: the smaller one does. */
  distance?(a: T, b: T): number
}

/**
 * Runs within the bounds (except when there is only one), made of the items of the `touched` runs and of the neighbours that had to take some in.
 * Runs are in order of key; touched ones are disjoint, and none is empty.
 */
export function splitMerge<T extends { readonly key: string }>(
  touched: readonly (readonly T[])[],
  bounds: Bounds,
  line: Line<T>,
): (readonly T[])[] {
  const runs = new Map<string, readonly T[]>() // by each of their keys
  const put = (run: readonly T[]): void => {
    for (const one of run) runs.set(one.key, run)
  }
  const at = (item: T | undefined): readonly T[] | undefined => item && (runs.get(item.key) ?? line.run(item))
  const short: (readonly T[])[] = []
  for (const run of touched) {
    put(run)
    if (run.length < bounds.min) short.push(run)
  }
  for (let next = 0; next < short.length; next++) {
    const run = short[next] as readonly T[]
    if (runs.get((run[0] as T).key) !== run) continue // a neighbour has taken it in
    const taken = neighbourOf(run, line, at)
    if (!taken) continue
    const items = [...run, ...taken].sort(byKey)
    for (const part of parts(items, bounds)) {
      put(part)
      if (part.length < bounds.min) short.push(part)
    }
  }
  const whole = [...new Set(runs.values())].flatMap((run) => (run.length > bounds.max ? parts(run, bounds) : [run]))
  return whole.sort((a, b) => byKey(a[0] as T, b[0] as T))
}

/** Even parts, each within the bounds and as near to their middle as possible; one part if there are too few items for two. */
export function parts<T>(items: readonly T[], { min, max }: Bounds): T[][] {
  const n = items.length
  const wanted = Math.round((2 * n) / (min + max))
  const count = Math.max(1, Math.ceil(n / max), Math.min(wanted, Math.floor(n / min)))
  return Array.from({ length: count }, (_, i) => items.slice(Math.floor((i * n) / count), Math.floor(((i + 1) * n) / count)))
}

/** The run that a short one is merged with: the nearer one if distances are known; otherwise, or if they are equal, the smaller one. */
function neighbourOf<T>(run: readonly T[], line: Line<T>, at: (item: T | undefined) => readonly T[] | undefined): readonly T[] | undefined {
  const [first, last] = [run[0] as T, run[run.length - 1] as T]
  const [before, after] = [line.before(first), line.after(last)]
  if (line.distance && before !== undefined && after !== undefined) {
    const gap = line.distance(before, first) - line.distance(last, after)
    if (gap !== 0) return at(gap < 0 ? before : after)
  }
  return smaller(at(before), at(after))
}

function smaller<T>(a: readonly T[] | undefined, b: readonly T[] | undefined): readonly T[] | undefined {
  if (!a || !b) return a ?? b
  return b.length < a.length ? b : a
}

function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
}
