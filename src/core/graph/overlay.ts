/** Sorted things with sorted changes laid over them, read one at a time so that a short answer costs little. Knows no graph. */
import { compareText } from './ordered-map'

/** A key and what it holds; undefined if a change has removed it. */
export type Entry<T> = readonly [key: string, held: T]

/** Entries of `below`, replaced by those of `above` with the same key, in the order of both; removed ones are left out. */
export function* overlaid<T>(below: Iterable<Entry<T>>, above: Iterable<Entry<T | undefined>>, descending = false): Generator<Entry<T>> {
  const sign = descending ? -1 : 1
  const changes = above[Symbol.iterator]()
  let change = changes.next()
  for (const entry of below) {
    while (!change.done && sign * compareText(change.value[0], entry[0]) < 0) {
      yield* present(change.value)
      change = changes.next()
    }
    if (!change.done && change.value[0] === entry[0]) {
      yield* present(change.value)
      change = changes.next()
    } else yield entry
  }
  for (; !change.done; change = changes.next()) yield* present(change.value)
}

/** Reads everything in pages: `read` gives at most `limit` entries from a key on (inclusive; undefined: from the beginning). */
export function* paged<T>(read: (from: string | undefined, limit: number) => readonly Entry<T>[], limit: number): Generator<Entry<T>> {
  let last: string | undefined
  for (;;) {
    const page = read(last, limit + 1)
    for (const entry of page) if (entry[0] !== last) yield entry
    if (page.length <= limit) return
    last = page[page.length - 1]?.[0]
  }
}

function* present<T>([key, held]: Entry<T | undefined>): Generator<Entry<T>> {
  if (held !== undefined) yield [key, held]
}
