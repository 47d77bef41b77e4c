/** What was read lately, up to a number of bytes; the least lately used goes first. Only a cache: the object may forget it at any time. */

/** One of a ring in order of use: to use it again is to hang it elsewhere, and the map stays as it is. */
class Held {
  before: Held = this
  after: Held = this

  constructor(
    readonly key: string,
    /** Undefined: there is none. */
    readonly value: unknown,
    readonly bytes: number,
  ) {}
}

export class Cache {
  readonly #maxBytes: number
  readonly #held = new Map<string, Held>()
  /** What follows it is the least lately used, what stands before it the latest. */
  readonly #end = new Held('', undefined, 0)
  #bytes = 0

  constructor(most: number) {
    this.#maxBytes = most
  }

  /** What `read` gives, remembered under the key unless it is undefined. `bytes` is what it costs to keep. */
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

  /** What is remembered, which is now the latest used. */
  held<T>(key: string): T | undefined {
    return this.#latest(key)?.value as T | undefined
  }

  /** Is it known, if only that there is none? */
  has(key: string): boolean {
    return this.#held.has(key)
  }

  #latest(key: string): Held | undefined {
    const held = this.#held.get(key)
    if (!held) return undefined
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
    this.#bytes -= held.bytes
  }

  clear(): void {
    this.#held.clear()
    this.#end.before = this.#end
    this.#end.after = this.#end
    this.#bytes = 0
  }

  set(key: string, value: unknown, bytes: number): void {
    this.drop(key)
    const held = new Held(key, value, bytes)
    this.#append(held)
    this.#held.set(key, held)
    this.#bytes += bytes
    while (this.#bytes > this.#maxBytes && this.#end.after !== this.#end) this.#forget(this.#end.after)
  }
}

function cutOut({ before, after }: Held): void {
  before.after = after
  after.before = before
}
