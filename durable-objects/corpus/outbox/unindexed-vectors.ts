import { norm } from '../../../src/core/vectors'
import type { UnindexedVector, UnindexedVectors } from '../store'
import { INDEXED_KINDS, type IndexedKind, type IndexVector, indexChangesOf, kindInIndex } from './index-changes'

export const MAX_BYTES = 16 * 1024 * 1024 // an eighth of an isolate's memory
const OVERHEAD = 120 // bytes a vector takes besides its codes: its object, its id, its place in a map

/** `last`: the outbox's newest entry; it and all before it are found in its rows. */
export function createUnindexedVectors(last: number, max = MAX_BYTES): UnindexedVectors {
  const kinds = new Map([...INDEXED_KINDS].map((kind) => [kind, new Map<string, UnindexedVector>()]))
  let floor = last
  let bytes = 0
  const weight = (one: UnindexedVector): number => one.vector.length + OVERHEAD
  const drop = (id: string): void => {
    const held = kinds.get(kindInIndex(id) as IndexedKind)
    const old = held?.get(id)
    if (!old) return
    bytes -= weight(old)
    held?.delete(id)
  }
  const keep = (one: UnindexedVector): void => {
    drop(one.id)
    kinds.get(kindInIndex(one.id) as IndexedKind)?.set(one.id, one)
    bytes += weight(one)
  }
  /** Of all kinds the entry that was taken in first. */
  const makeRoom = (): void => {
    while (bytes > max) {
      let oldest: UnindexedVector | undefined
      for (const held of kinds.values()) {
        const [first] = held.values()
        if (first && (!oldest || first.seq < oldest.seq)) oldest = first
      }
      if (!oldest) return
      drop(oldest.id)
      floor = Math.max(floor, oldest.seq)
    }
  }
  const keptOf = (seq: number, { id, vector }: IndexVector): UnindexedVector => ({ seq, id, vector, length: norm(vector) || 1 })
  return {
    get floor() {
      return floor
    },
    get bytes() {
      return bytes
    },
    note(graph, seq, entries) {
      for (const entry of entries) {
        const { puts, drops } = indexChangesOf(graph, entry)
        for (const id of drops) drop(id)
        for (const one of puts) keep(keptOf(seq, one))
        makeRoom()
      }
    },
    extend(graph, seq, entries) {
      const older = entries.flatMap((entry) => indexChangesOf(graph, entry).puts).filter((one) => !kinds.get(one.kind)?.has(one.id))
      const taken = older.map((one) => keptOf(seq, one))
      const more = taken.reduce((sum, one) => sum + weight(one), 0)
      if (bytes + more > max) return false
      for (const [kind, held] of kinds) {
        const newer = [...held]
        held.clear()
        for (const one of taken) if (kindInIndex(one.id) === kind) held.set(one.id, one)
        for (const [id, one] of newer) held.set(id, one)
      }
      bytes += more
      floor = seq - 1
      return true
    },
    forget(seq) {
      for (const held of kinds.values()) {
        for (const [id, one] of held) {
          if (one.seq > seq) break // in order of age
          drop(id)
        }
      }
      floor = Math.max(floor, seq)
    },
    has: (id) => kinds.get(kindInIndex(id) as IndexedKind)?.has(id) === true,
    of: (kind) => kinds.get(kind)?.values() ?? [],
  }
}
