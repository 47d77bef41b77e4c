/**
 * Cuts sorted keys into runs of bounded size: at the shallowest branch of their trie that leaves at least `min` keys on both sides, again and
 * again, until a run holds at most `max`. Depends only on the set of keys; `trie-recut.ts` updates the cut after a change. With max ≥ 2·min − 1
 * every run is within the bounds, except when there is only one.
 */
import { branch } from './trie-branch'

export interface Bounds {
  readonly min: number
  readonly max: number
}

/** Can any number of keys from `min` up be cut into runs within these bounds? 8 to 12 cannot hold 13, 14 or 15. */
export function feasible({ min, max }: Bounds): boolean {
  return Number.isInteger(min) && Number.isInteger(max) && min >= 1 && max >= 2 * min - 1
}

/** Where each run begins, in order; empty if there are no keys. Keys are sorted and all different, as `trie-branch.ts` needs them. */
export function trieCut(keys: readonly string[], bounds: Bounds): number[] {
  if (!feasible(bounds)) throw new Error('trie cut: max must be at least 2·min − 1')
  if (keys.length === 0) return []
  const starts: number[] = []
  const open = [{ low: 0, high: keys.length }]
  for (let range = open.pop(); range; range = open.pop()) {
    const { low, high } = range
    if (high - low <= bounds.max) {
      starts.push(low)
      continue
    }
    const at = place(keys, low, high, bounds.min)
    open.push({ low: at, high }, { low, high: at }) // the left side comes first
  }
  return starts
}

/** A branch too near an end leaves only its larger side to be cut: the smaller one stays attached to it. */
function place(keys: readonly string[], low: number, high: number, min: number): number {
  let [a, b] = [low, high]
  for (;;) {
    const at = firstFrom(keys, branch(keys[a] as string, keys[b - 1] as string), a, b)
    if (at - low < min) a = at
    else if (high - at < min) b = at
    else return at
  }
}

/** Index of the first key not before `key`, within [low, high). */
function firstFrom(keys: readonly string[], key: string, low: number, high: number): number {
  let [a, b] = [low, high]
  while (a < b) {
    const middle = (a + b) >> 1
    if ((keys[middle] as string) < key) a = middle + 1
    else b = middle
  }
  return a
}
