/**
 * One large value, computed from a graph and computed again if dropped: its size counts among everything that the isolate remembers. Kept
 * as long as its key is the same.
 */
import type { Occupant } from '../../src/isolate-memory'
import { Cache } from './cache'

export class Kept<Key extends WeakKey, T> {
  readonly #caches = new WeakMap<Key, Cache>()

  /** Marks it as the most recently used. */
  get(key: Key): T | undefined {
    return this.#caches.get(key)?.held<T>('')
  }

  set(key: Key, thing: T, bytes: number, occupant: Occupant): void {
    const own = this.#caches.get(key) ?? new Cache(Number.POSITIVE_INFINITY, occupant)
    this.#caches.set(key, own)
    own.set('', thing, bytes)
  }

  delete(key: Key): void {
    this.#caches.get(key)?.clear()
  }
}
