/**
 * The trie cut, updated where keys have come and gone, without counting or reading the rest: sizes matter only up to `max` + 1, so every step down
 * the trie is one short read. Why it may stop where it does: the cut on one side of a boundary does not depend on the keys on the other side, so a
 * boundary that stood before and stands now leaves everything beyond it unchanged.
 */
import { before, branch } from './trie-branch'
import type { Bounds } from './trie-cut'

/** Keys in order, read a few at a time from either side. */
export interface Sorted<T extends { readonly key: string }> {
  /** At most `limit`, ascending, from `key` on (inclusive). */
  up(key: string, limit: number): readonly T[]
  /** At most `limit`, descending, from `key` down (inclusive). */
  down(key: string, limit: number): readonly T[]
}

export const FIRST = '' // before every key
export const LAST = 'g' // after every hexadecimal key

/**
 * Runs of the present cut that may differ from the former one, by first key: every new run is among them.
 * `changed` are keys that have come and keys that have gone; `parted` says whether two present neighbours were there before, in different runs.
 */
export function trieRecut<T extends { readonly key: string }>(
  keys: Sorted<T>,
  bounds: Bounds,
  changed: Iterable<string>,
  parted: (left: T, right: T) => boolean,
): (readonly T[])[] {
  const runs: (readonly T[])[] = []
  const covered = new Set<string>()
  const open = [...changed].flatMap((key) => around(keys, key))
  for (let next = open.pop(); next; next = open.pop()) {
    if (covered.has(next.key)) continue
    const run = runAt(keys, bounds, next.key)
    runs.push(run)
    for (const one of run) covered.add(one.key)
    const [first, last] = [run[0] as T, run[run.length - 1] as T]
    const left = keys.down(first.key, 2)[1]
    const right = keys.up(last.key, 2)[1]
    if (left && !parted(left, first)) open.push(left)
    if (right && !parted(last, right)) open.push(right)
  }
  return runs.sort((a, b) => ((a[0] as T).key < (b[0] as T).key ? -1 : 1))
}

/** The key itself if it is present, else its neighbours. */
function around<T extends { readonly key: string }>(keys: Sorted<T>, key: string): T[] {
  const [after] = keys.up(key, 1)
  if (after?.key === key) return [after]
  return [...keys.down(key, 1), ...(after ? [after] : [])]
}

/** The run that holds a present key. Reads at most `max` + 1 keys per step, and the trie has one step for each halving. */
export function runAt<T extends { readonly key: string }>(keys: Sorted<T>, { min, max }: Bounds, key: string): readonly T[] {
  let end = LAST
  let head = keys.up(FIRST, max + 1)
  let tail = head.length > max ? keys.down(LAST, min) : []
  while (head.length > max) {
    const pivot = placeBetween(head, tail, min)
    if (key < pivot) {
      end = before(pivot)
      head = head.filter((one) => one.key < pivot)
      if (head.length > max) tail = keys.down(end, min)
    } else {
      const last = end
      head = keys.up(pivot, max + 1).filter((one) => one.key <= last)
    }
  }
  return head
}

/** `head` are the first `max` + 1 keys of a range, `tail` its last `min`, last one first: enough to tell whether a side is too small. */
function placeBetween<T extends { readonly key: string }>(head: readonly T[], tail: readonly T[], min: number): string {
  let a = (head[0] as T).key
  let b = (tail[0] as T).key
  for (;;) {
    const pivot = branch(a, b)
    if ((head[min - 1] as T).key >= pivot) a = (head.find((one) => one.key >= pivot) as T).key
    else if ((tail[min - 1] as T).key < pivot) b = (tail.find((one) => one.key < pivot) as T).key
    else return pivot
  }
}
