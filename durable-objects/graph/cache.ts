/** What was read lately, up to a number of bytes; the least lately used goes first. Only a cache: the object may forget it at any time. */

interface Held {
  readonly value: unknown
  readonly bytes: number
}

export class Cache {
  readonly #most: number
  /** Least lately used first. */
  readonly #held = new Map<string, Held>()
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  /** What `read` gives, remembered under the key unless it is undefined. `bytes` is what it costs to keep. */
  through<T>(key: string, read: () => T | undefined, bytes: (value: T) => number): T | undefined {
    const held = this.#held.get(key)
    if (held) {
      this.#held.delete(key)
      this.#held.set(key, held)
      return held.value as T
    }
    const value = read()
    if (value !== undefined) this.#keep(key, { value, bytes: bytes(value) })
    return value
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

  #keep(key: string, held: Held): void {
    this.#held.set(key, held)
    this.#bytes += held.bytes
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= this.#most) break
      this.drop(oldest)
    }
  }
}
