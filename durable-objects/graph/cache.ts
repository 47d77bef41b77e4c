/** What was read lately, up to a number of bytes; the least lately used goes first. Only a cache: the object may forget it at any time. */

interface Held {
  /** Undefined: there is none. */
  readonly value: unknown
  readonly bytes: number
}

export class Cache {
  readonly #maxBytes: number
  /** Least lately used first. */
  readonly #held = new Map<string, Held>()
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
    this.#held.delete(key)
    this.#held.set(key, held)
    return held
  }

  drop(key: string): void {
    const held = this.#held.get(key)
    if (!held) return
    this.#held.delete(key)
    this.#bytes -= held.bytes
  }

  clear(): void {
    this.#held.clear()
    this.#bytes = 0
  }

  set(key: string, value: unknown, bytes: number): void {
    this.drop(key)
    this.#held.set(key, { value, bytes })
    this.#bytes += bytes
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.drop(oldest)
    }
  }
}
