import { norm } from '../../../src/core/vectors'
import { type Forgetful, isolateMemory, occupantOf, type Share } from '../../../src/isolate-memory'
import type { UnindexedVector, UnindexedVectors } from '../store'
import { INDEXED_KINDS, type IndexedKind, type IndexVector, indexChangesOf, kindInIndex } from './index-changes'

export const MAX_BYTES = 16 * 1024 * 1024 // an eighth of an isolate's memory
const OVERHEAD = 120 // bytes that a vector takes besides its codes: its object, its id, its place in a map

/** `last`: the outbox's newest entry; it and all earlier ones are found in its rows. */
export function createUnindexedVectors(last: number, max = MAX_BYTES, occupant = occupantOf(isolateMemory)): UnindexedVectors & Forgetful {
  const kinds = new Map([...INDEXED_KINDS].map((kind) => [kind, new Map<string, UnindexedVector>()]))
  let floor = last
  let used = 0 // the turn of the last use
  const weight = (one: UnindexedVector): number => one.vector.length + OVERHEAD
  const drop = (id: string): void => {
    const held = kinds.get(kindInIndex(id) as IndexedKind)
    const old = held?.get(id)
    if (!old) return
    held?.delete(id)
    share.count(-weight(old))
  }
  const keep = (one: UnindexedVector): void => {
    drop(one.id)
    kinds.get(kindInIndex(one.id) as IndexedKind)?.set(one.id, one)
    share.count(weight(one))
  }
  /** Of all kinds, drops the oldest entry. */
  const forgetOldest = (): void => {
    let oldest: UnindexedVector | undefined
    for (const held of kinds.values()) {
      const [first] = held.values()
      if (first && (!oldest || first.seq < oldest.seq)) oldest = first
    }
    if (!oldest) return
    floor = Math.max(floor, oldest.seq)
    drop(oldest.id)
  }
  const use = (): void => {
    used = share.turn()
  }
  const keptOf = (seq: number, { id, vector }: IndexVector): UnindexedVector => ({ seq, id, vector, length: norm(vector) || 1 })
  const made: UnindexedVectors & Forgetful = {
    get floor() {
      return floor
    },
    get bytes() {
      return share.bytes
    },
    get oldest() {
      return share.bytes > 0 ? used : Number.POSITIVE_INFINITY
    },
    forgetOldest,
    note(graph, seq, entries) {
      use()
      for (const entry of entries) {
        const { puts, drops } = indexChangesOf(graph, entry)
        for (const id of drops) drop(id)
        for (const one of puts) keep(keptOf(seq, one))
        while (share.bytes > max) forgetOldest()
      }
    },
    extend(graph, seq, entries) {
      use()
      const before = floor
      const older = entries.flatMap((entry) => indexChangesOf(graph, entry).puts).filter((one) => !kinds.get(one.kind)?.has(one.id))
      const taken = older.map((one) => keptOf(seq, one))
      const more = taken.reduce((sum, one) => sum + weight(one), 0)
      // Reading the graph may have dropped some of those that are here.
      if (floor !== before || share.bytes + more > max) return false
      for (const [kind, held] of kinds) {
        const newer = [...held]
        held.clear()
        for (const one of taken) if (kindInIndex(one.id) === kind) held.set(one.id, one)
        for (const [id, one] of newer) held.set(id, one)
      }
      floor = seq - 1
      share.count(more)
      return floor === seq - 1
    },
    forget(seq) {
      for (const held of kinds.values()) {
        for (const [id, one] of held) {
          if (one.seq > seq) break // they are in order of age
          drop(id)
        }
      }
      floor = Math.max(floor, seq)
    },
    has: (id) => kinds.get(kindInIndex(id) as IndexedKind)?.has(id) === true,
    of: (kind) => {
      use()
      return kinds.get(kind)?.values() ?? []
    },
  }
  const share: Share = occupant.memory.share(occupant, made)
  return made
}
