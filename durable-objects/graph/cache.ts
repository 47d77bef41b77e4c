/** What was read lately, up to a number of bytes; the least lately used goes first. Only a cache: the object may forget it at any time. */

interface Held {
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
    const get = this.held<T>(key)
    if (get !== undefined) return get
    const value = read()
    if (value !== undefined) this.set(key, value, bytes(value))
    return value
  }

  /** What is remembered, which is now the latest used. */
  held<T>(key: string): T | undefined {
    const held = this.#held.get(key)
    if (!held) return undefined
    this.#held.delete(key)
    this.#held.set(key, held)
    return held.value as T
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
