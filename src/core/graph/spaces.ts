/** Ordered maps by name: made when first written to, removed when empty; and how a range of one is read. */
import { compareText, OrderedMap } from './ordered-map'
import type { Range } from './reader'

export class Spaces<V> {
  readonly #spaces = new Map<string, OrderedMap<V>>()

  get(space: string, key: string): V | undefined {
    return this.#spaces.get(space)?.get(key)
  }

  has(space: string, key: string): boolean {
    return this.#spaces.get(space)?.has(key) ?? false
  }

  set(space: string, key: string, value: V): void {
    const known = this.#spaces.get(space)
    const map = known ?? new OrderedMap<V>()
    map.set(key, value)
    if (!known) this.#spaces.set(space, map)
  }

  delete(space: string, key: string): void {
    const map = this.#spaces.get(space)
    if (map?.delete(key) && map.size === 0) this.#spaces.delete(space)
  }

  /** Entries of a space within a range, in key order or its reverse; the range's limit is ignored. */
  *within(space: string, range: Omit<Range, 'limit'>): Generator<readonly [string, V]> {
    const map = this.#spaces.get(space)
    if (!map) return
    for (const entry of range.descending ? map.down(range.to) : map.from(range.from ?? '')) {
      if (beyond(range, entry[0])) return
      yield entry
    }
  }

  keys(): { readonly space: string; readonly keys: readonly string[] }[] {
    return [...this.#spaces].map(([space, map]) => ({ space, keys: [...map].map(([key]) => key) }))
  }

  *all(): Generator<readonly [space: string, key: string, value: V]> {
    for (const [space, map] of this.#spaces) for (const [key, value] of map) yield [space, key, value]
  }
}

export function taken<T>(items: Iterable<T>, limit: number): T[] {
  const out: T[] = []
  if (limit <= 0) return out
  for (const item of items) {
    out.push(item)
    if (out.length >= limit) break
  }
  return out
}

function beyond(range: Omit<Range, 'limit'>, key: string): boolean {
  if (range.descending) return range.from !== undefined && compareText(key, range.from) < 0
  return range.to !== undefined && compareText(key, range.to) > 0
}
