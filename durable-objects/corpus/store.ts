/** What every part of the object works with: its SQLite, the graph in it, its configuration and the clock. It knows no network. */

import type { GraphReader } from '../../src/core/graph/reader'
import type { Chunk, ChunkVectors, NodeKind, Vector } from '../../src/core/graph/types'
import { enabledBuilders } from '../../src/core/strategies/registry'
import type { Builder } from '../../src/core/strategy'
import type { CorpusConfig } from '../../src/ports/corpus'
import type { Accepted } from '../../src/ports/jobs'
import type { SqliteGraph } from '../graph/sqlite-graph'
import type { Sql } from '../sql'
import type { Limits } from './limits'
import { metaKeys, readMeta } from './tables/meta'
import type { OutboxEntry } from './tables/outbox'

/** What a transaction may return: nothing still pending. */
export type Sync<T> = T extends PromiseLike<unknown> ? { readonly error: 'a transaction contains no await' } : T

/** A vector that the index may not show yet. */
export interface UnindexedVector {
  readonly seq: number
  readonly id: string
  readonly vector: Vector
  readonly length: number
}

/** The latest of them, in memory (outbox/unindexed-vectors.ts). */
export interface UnindexedVectors {
  /** The outbox's number up to which entries may be missing here. */
  readonly floor: number
  readonly bytes: number
  /** Adds the entries of a commit. */
  note(graph: GraphReader, seq: number, entries: readonly OutboxEntry[]): void
  /** Adds entries older than everything here, if there is room for all of them. */
  extend(graph: GraphReader, seq: number, entries: readonly OutboxEntry[]): boolean
  /** The index shows everything up to here. */
  forget(seq: number): void
  has(id: string): boolean
  of(kind: NodeKind | 'name'): Iterable<UnindexedVector>
}

export type FullStore = Extract<Accepted, { kind: 'full' }>

export interface Size {
  readonly held: number
  readonly max: number
}

/** How full a store is that corpora share (outbox/store-size.ts). */
export interface StoreSize {
  /** Asks, unless the size is known from less than a minute ago. Never rejects. */
  refresh(ask: () => Promise<Size>): Promise<void>
  note(held: number): void
  /** Undefined: there is room, or nothing is known. */
  full(): FullStore | undefined
}

export interface Store {
  readonly sql: Sql
  readonly graph: SqliteGraph
  readonly unindexed: UnindexedVectors
  /** Runs synchronously in one transaction; a throw undoes everything. */
  readonly atomically: <T>(work: () => Sync<T>) => Sync<T>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Milliseconds for which a runner keeps its tasks. */
  readonly leaseMs: number
  /** Id of the deployment's re-ranker. Absent: there is none. */
  readonly reranker?: string
  /** Absent: those in limits.ts. */
  readonly limits?: Limits
  /** For the database it is read from, and for the vector index. Absent: never full. */
  readonly databaseSize?: StoreSize
  readonly indexSize?: StoreSize
  /** The most chunks applied together. Absent: as in parts.ts. */
  readonly part?: number
  /** When it was last asked a question, only in memory: less is then applied at a time (indexing/parts.ts). */
  readonly lastQuestion?: { at: number }
  /** Is any corpus of this isolate being asked? They share a thread: a question to one waits for what another applies. */
  readonly areOthersAsked?: () => boolean
  /** When a background task was last lent, only in memory (indexing/background.ts). */
  readonly lastBackground?: { at: number }
  /** When a job was last seen open, only in memory (indexing/background.ts). */
  readonly lastJob?: { at: number }
  /** Rows of two graphs compared at a time. Absent: as in compare.ts. */
  readonly comparedRows?: number
}

/** A configured corpus. */
export interface CorpusContext extends Store {
  readonly config: CorpusConfig
  readonly builders: readonly Builder[]
  /** Vectors that came with the replies of the current transaction, and are not written yet (indexing/arrived-vectors.ts). */
  readonly arrived?: Map<string, { readonly chunk: Chunk; readonly vectors: ChunkVectors; isTaken: boolean }>
}

/** The context of a configured corpus, or undefined before it was configured (or after it was dropped). */
export function contextOf(store: Store): CorpusContext | undefined {
  const stored = readMeta(store.sql, metaKeys.config)
  if (!stored) return undefined
  const config = store.reranker ? { ...stored, settings: { ...stored.settings, reranker: store.reranker } } : stored
  return { ...store, config, builders: enabledBuilders(config.strategies) }
}
