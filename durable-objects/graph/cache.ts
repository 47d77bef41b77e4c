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
    /** Those of its shelf. */
    readonly among: Map<string, Held>,
    readonly key: string,
    /** Undefined: there is none. */
    readonly value: unknown,
    readonly bytes: number,
  ) {}
}

/** What a shelf asks of its cache. */
interface Ring {
  used(held: Held): void
  keep(held: Held): void
  forget(held: Held): void
}

/**
 * Things of one kind in a cache, by their own ids: an id that the graph holds is found by the hash it has already, where a key made of kind and id
 * would be built, hashed and compared letter by letter at each look.
 */
export class Shelf {
  protected readonly entries = new Map<string, Held>()
  readonly #ring: Ring

  constructor(ring: Ring) {
    this.#ring = ring
  }

  /** The result of `read`, remembered under the key unless it is undefined. `bytes` is the cost of keeping it. */
  getOrRead<T>(key: string, read: () => T | undefined, bytes: (value: T) => number): T | undefined {
    const known = this.entries.get(key)
    if (known) {
      this.#ring.used(known)
      return known.value as T | undefined
    }
    const value = read()
    if (value !== undefined) this.set(key, value, bytes(value))
    return value
  }

  /** The same, but nothing is remembered that was not put here. */
  peekOrRead<T>(key: string, read: () => T | undefined): T | undefined {
    const known = this.entries.get(key)
    return known ? (known.value as T | undefined) : read()
  }

  /** The remembered value, which becomes the most recently used. */
  held<T>(key: string): T | undefined {
    const known = this.entries.get(key)
    if (known) this.#ring.used(known)
    return known?.value as T | undefined
  }

  /** Is it known, even if only that it does not exist? */
  has(key: string): boolean {
    return this.entries.has(key)
  }

  drop(key: string): void {
    const held = this.entries.get(key)
    if (held) this.#ring.forget(held)
  }

  set(key: string, value: unknown, bytes: number): void {
    this.drop(key)
    const held = new Held(this.entries, key, value, bytes)
    this.entries.set(key, held)
    this.#ring.keep(held)
  }

  clear(): void {
    for (const held of this.entries.values()) this.#ring.forget(held)
  }
}

export class Cache extends Shelf implements Forgetful {
  readonly #maxBytes: number
  readonly #shelves = new Map<string, Shelf>()
  /** Its successor is the least recently used, its predecessor the most recently used. */
  readonly #end: Held
  readonly #share: Share

  constructor(
    most: number,
    readonly occupant = occupantOf(isolateMemory),
  ) {
    super({ used: (held) => this.#used(held), keep: (held) => this.#keep(held), forget: (held) => this.#forget(held) })
    this.#end = new Held(this.entries, '', undefined, 0)
    this.#maxBytes = most
    this.#share = occupant.memory.share(occupant, this)
  }

  /** The one of that name: within the same bound, in the same order of use. */
  shelf(name: string): Shelf {
    const known = this.#shelves.get(name)
    if (known) return known
    const made = new Shelf({ used: (held) => this.#used(held), keep: (held) => this.#keep(held), forget: (held) => this.#forget(held) })
    this.#shelves.set(name, made)
    return made
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

  /** All shelves, too. */
  override clear(): void {
    for (const shelf of this.#shelves.values()) shelf.clear()
    super.clear()
  }

  #used(held: Held): void {
    held.turn = this.#share.turn()
    if (held.after === this.#end) return
    cutOut(held)
    this.#append(held)
  }

  #append(held: Held): void {
    const last = this.#end.before
    last.after = held
    held.before = last
    held.after = this.#end
    this.#end.before = held
  }

  #forget(held: Held): void {
    held.among.delete(held.key)
    cutOut(held)
    this.#share.count(-held.bytes)
  }

  #keep(held: Held): void {
    held.turn = this.#share.turn()
    this.#append(held)
    this.#share.count(held.bytes)
    while (this.#share.bytes > this.#maxBytes && this.#end.after !== this.#end) this.#forget(this.#end.after)
  }
}

function cutOut({ before, after }: Held): void {
  before.after = after
  after.before = before
}
