/**
 * A map that can be read in key order: sorted keys in buckets of bounded size, so that insertion costs O(√n) cheap moves and a range
 * costs O(log n) to find. A plain data structure; it knows nothing of graphs.
 */

const BUCKET = 512 // keys; a fuller bucket is split in two

/** Order of code points, which is the order of UTF-8 bytes and so that of SQLite. `<` differs from it above U+FFFF. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const x = a.charCodeAt(at)
    const y = b.charCodeAt(at)
    if (x !== y) return x >= SURROGATES && y >= SURROGATES ? lifted(x) - lifted(y) : x - y
  }
  return a.length - b.length
}

const SURROGATES = 0xd800
const BEYOND = 0xe000

/** Surrogates stand for code points above every other code unit. */
function lifted(unit: number): number {
  return unit >= BEYOND ? unit - 0x2000 : unit + 0x2000
}

export class OrderedMap<V> {
  readonly #values = new Map<string, V>()
  readonly #buckets: string[][] = []

  get size(): number {
    return this.#values.size
  }

  get(key: string): V | undefined {
    return this.#values.get(key)
  }

  has(key: string): boolean {
    return this.#values.has(key)
  }

  set(key: string, value: V): void {
    const known = this.#values.has(key)
    this.#values.set(key, value)
    if (!known) this.#insert(key)
  }

  delete(key: string): boolean {
    if (!this.#values.delete(key)) return false
    const at = this.#bucketOf(key)
    const bucket = this.#buckets[at] as string[]
    bucket.splice(lowest(bucket, key), 1)
    if (bucket.length === 0) this.#buckets.splice(at, 1)
    return true
  }

  /** Entries from a key on (inclusive), in order. The map must not change in the meantime. */
  *from(key: string): Generator<readonly [string, V]> {
    for (let at = this.#bucketOf(key); at < this.#buckets.length; at++) {
      const bucket = this.#buckets[at] as string[]
      for (let i = lowest(bucket, key); i < bucket.length; i++) yield this.#entry(bucket[i] as string)
    }
  }

  /** Entries from a key (inclusive; without one, from the last) down. */
  *down(key?: string): Generator<readonly [string, V]> {
    for (let at = key === undefined ? this.#buckets.length - 1 : this.#bucketOf(key); at >= 0; at--) {
      const bucket = this.#buckets[at] ?? []
      const start = key === undefined ? bucket.length : lowest(bucket, key)
      if (key !== undefined && bucket[start] === key) yield this.#entry(key)
      for (let i = start - 1; i >= 0; i--) yield this.#entry(bucket[i] as string)
    }
  }

  [Symbol.iterator](): Generator<readonly [string, V]> {
    return this.from('')
  }

  #entry(key: string): readonly [string, V] {
    return [key, this.#values.get(key) as V]
  }

  #insert(key: string): void {
    if (this.#buckets.length === 0) this.#buckets.push([])
    const at = this.#bucketOf(key)
    const bucket = this.#buckets[at] as string[]
    bucket.splice(lowest(bucket, key), 0, key)
    if (bucket.length > BUCKET) this.#buckets.splice(at + 1, 0, bucket.splice(BUCKET >> 1))
  }

  /** The last bucket that begins at or before the key, else the first. */
  #bucketOf(key: string): number {
    let low = 0
    let high = this.#buckets.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareText(this.#buckets[middle]?.[0] ?? '', key) <= 0) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }
}

/** Index of the first of the sorted keys that is not before `key`. */
function lowest(keys: readonly string[], key: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareText(keys[middle] as string, key) < 0) low = middle + 1
    else high = middle
  }
  return low
}
