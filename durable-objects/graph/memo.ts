/** Small answers that are asked for again and again, up to a number of them: cheaper than a cache, since they are used all together and what was found first goes first. */
import type { Forgetful, Occupant, Share } from '../../src/isolate-memory'

export class Memo<T extends number | string | object> implements Forgetful {
  readonly #max: number
  readonly #bytes: number
  readonly #known = new Map<string, T>()
  readonly #share: Share
  #used = 0 // the turn

  /** `bytes`: what one of them takes, about. */
  constructor({ max, bytes }: { readonly max: number; readonly bytes: number }, occupant: Occupant) {
    this.#max = max
    this.#bytes = bytes
    this.#share = occupant.memory.share(occupant, this)
  }

  get oldest(): number {
    return this.#known.size > 0 ? this.#used : Number.POSITIVE_INFINITY
  }

  forgetOldest(): void {
    for (const [first] of this.#known) {
      this.delete(first)
      return
    }
  }

  getOrFind(key: string, find: () => T): T {
    this.#used = this.#share.turn()
    const known = this.#known.get(key)
    if (known !== undefined) return known
    if (this.#known.size >= this.#max) this.forgetOldest()
    const found = find()
    const isNew = !this.#known.has(key) // finding may have asked for the same
    this.#known.set(key, found)
    if (isNew) this.#share.count(this.#bytes)
    return found
  }

  delete(key: string): void {
    if (this.#known.delete(key)) this.#share.count(-this.#bytes)
  }

  clear(): void {
    this.#known.clear()
    this.#share.count(-this.#share.bytes)
  }
}
