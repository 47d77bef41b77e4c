/**
 * The vectors the index cannot be trusted to show yet, in memory, so that a document can be found the moment its job has
 * succeeded. Rebuilt from the outbox when the object wakes; bounded, because ingestion waits while it is full.
 */
import type { GraphReader } from '../../../src/core/graph/reader'
import type { Hit, Vector } from '../../../src/core/graph/types'
import { kindOf, passageId } from '../../../src/core/ids'
import { dot, norm } from '../../../src/core/vectors'
import type { OutboxEntry } from './outbox'

const MOST_BYTES = 24 * 1024 * 1024 // of the 128 MB an isolate has

export interface Tail {
  /** Takes in a commit's entries; entries of vanished nodes leave the tail. */
  note(graph: GraphReader, seq: number, entries: readonly OutboxEntry[]): void
  /** The index shows everything up to here. */
  forget(seq: number): void
  nearest(kind: string, vector: Vector, k: number): Hit[]
  full(): boolean
}

export function createTail(): Tail {
  const kinds = new Map<string, Map<string, { seq: number; vector: Vector; length: number }>>()
  let bytes = 0
  const drop = (id: string): void => {
    const held = kinds.get(kindOf(id) ?? '')
    const old = held?.get(id)
    if (!old) return
    bytes -= old.vector.length
    held?.delete(id)
  }
  const keep = (graph: GraphReader, seq: number, id: string): void => {
    drop(id)
    const vector = graph.vector(id)
    const kind = kindOf(id)
    if (!vector || !kind) return
    const held = kinds.get(kind) ?? new Map()
    kinds.set(kind, held.set(id, { seq, vector, length: norm(vector) || 1 }))
    bytes += vector.length
  }
  return {
    note: (graph, seq, entries) => {
      for (const entry of entries) {
        if (entry[0] === 'n' && (kindOf(entry[1]) !== 'keyword' || graph.node(entry[1])?.data.published === true))
          keep(graph, seq, entry[1])
        if (entry[0] === 'c') for (let i = 0; i < entry[2]; i++) keep(graph, seq, passageId(entry[1], i))
      }
    },
    forget: (seq) => {
      for (const held of kinds.values()) for (const [id, one] of held) if (one.seq <= seq) drop(id)
    },
    nearest: (kind, vector, k) => {
      const length = norm(vector) || 1
      return [...(kinds.get(kind) ?? [])]
        .map(([id, one]) => ({ id, score: dot(vector, one.vector) / length / one.length }))
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
        .slice(0, k)
    },
    full: () => bytes >= MOST_BYTES,
  }
}
