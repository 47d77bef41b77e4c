/**
 * What was read recently, up to a number of bytes, and as far as there is room among all objects of the isolate; the least recently used
 * goes first. Only a cache: the object may drop it at any time.
 */
import { type Forgetful, isolateMemory, occupantOf, type Share } from '../../src/isolate-memory'

/** An element of a ring in order of use: using it again moves it in the ring, and the map stays unchanged. */
class Held {
  before: Held = this
  after: Held = this
  turn = 0

  constructor(
    readonly key: string,
    /** Undefined: there is none. */
    readonly value: unknown,
    readonly bytes: number,
  ) {}
}

export class Cache implements Forgetful {
  readonly #maxBytes: number
  readonly #held = new Map<string, Held>()
  /** Its successor is the least recently used, its predecessor the most recently used. */
  readonly #end = new Held('', undefined, 0)
  readonly #share: Share

  constructor(
    most: number,
    readonly occupant = occupantOf(isolateMemory),
  ) {
    this.#maxBytes = most
    this.#share = occupant.memory.share(occupant, this)
  }

  get bytes(): number {
    return this.#share.bytes
  }

  get oldest(): number {
    return this.#end.after === this.#end ? Number.POSITIVE_INFINITY : this.#end.after.turn
  }

  forgetOldest(): void {
    if (this.#end.after !== this.#end) this.#forget(this.#end.after)
  }

  /** The result of `read`, remembered under the key unless it is undefined. `bytes` is the cost of keeping it. */
  getOrRead<T>(key: string, read: () => T | undefined, bytes: (value: T) => number): T | undefined {
    const known = this.#latest(key)
    if (known) return known.value as T | undefined
    const value = read()
    if (value !== undefined) this.set(key, value, bytes(value))
    return value
  }

  /** The same, but nothing is remembered that was not put here. */
  peekOrRead<T>(key: string, read: () => T | undefined): T | undefined {
    const known = this.#held.get(key)
    return known ? (known.value as T | undefined) : read()
  }

  /** The remembered value, which becomes the most recently used. */
  held<T>(key: string): T | undefined {
    return this.#latest(key)?.value as T | undefined
  }

  /** Is it known, even if only that it does not exist? */
  has(key: string): boolean {
    return this.#held.has(key)
  }

  #latest(key: string): Held | undefined {
    const held = this.#held.get(key)
    if (!held) return undefined
    held.turn = this.#share.turn()
    if (held.after !== this.#end) {
      cutOut(held)
      this.#append(held)
    }
    return held
  }

  #append(held: Held): void {
    const last = this.#end.before
    last.after = held
    held.before = last
    held.after = this.#end
    this.#end.before = held
  }

  drop(key: string): void {
    const held = this.#held.get(key)
    if (held) this.#forget(held)
  }

  #forget(held: Held): void {
    this.#held.delete(held.key)
    cutOut(held)
    this.#share.count(-held.bytes)
  }

  clear(): void {
    this.#held.clear()
    this.#end.before = this.#end
    this.#end.after = this.#end
    this.#share.count(-this.#share.bytes)
  }

  set(key: string, value: unknown, bytes: number): void {
    this.drop(key)
    const held = new Held(key, value, bytes)
    held.turn = this.#share.turn()
    this.#append(held)
    this.#held.set(key, held)
    this.#share.count(bytes)
    while (this.#share.bytes > this.#maxBytes && this.#end.after !== this.#end) this.#forget(this.#end.after)
  }
}

function cutOut({ before, after }: Held): void {
  before.after = after
  after.before = before
}
