/** What every part of the object works with: its SQLite, the graph in it, its configuration and the clock. Knows no network. */

import { enabledBuilders } from '../../src/core/strategies/registry'
import type { Builder } from '../../src/core/strategy'
import type { CorpusConfig } from '../../src/ports/corpus'
import type { SqliteGraph } from '../graph/sqlite-graph'
import type { Sql } from '../sql'
import type { Limits } from './limits'
import type { StoreSize } from './outbox/store-size'
import type { UnindexedVectors } from './outbox/unindexed-vectors'
import { metaKeys, readMeta } from './tables/meta'

/** What a transaction may give back: nothing that is still to come. */
export type Sync<T> = T extends PromiseLike<unknown> ? { readonly error: 'a transaction contains no await' } : T

export interface Store {
  readonly sql: Sql
  readonly graph: SqliteGraph
  readonly unindexed: UnindexedVectors
  /** Runs synchronously in one transaction; a throw undoes everything. */
  readonly atomically: <T>(work: () => Sync<T>) => Sync<T>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Milliseconds a runner keeps its tasks. */
  readonly leaseMs: number
  /** Absent: as limits.ts has them. */
  readonly limits?: Limits
  /** Of the database it is read from. Absent: it is never full. */
  /** Of stores that corpora share. */
  readonly databaseSize?: StoreSize
  readonly indexSize?: StoreSize
  /** Chunks that go in together, at most. Absent: as parts.ts has it. */
  readonly part?: number
  /** When it was last asked a question, in memory alone: then less goes in at a time (indexing/parts.ts). */
  readonly lastQuestion?: { at: number }
  /** Rows of two graphs compared at a time. Absent: as compare.ts has it. */
  readonly comparedRows?: number
}

/** A configured corpus. */
export interface CorpusContext extends Store {
  readonly config: CorpusConfig
  readonly builders: readonly Builder[]
}

/** The context of a configured corpus, or undefined before it was configured (or after it was dropped). */
export function contextOf(store: Store): CorpusContext | undefined {
  const config = readMeta(store.sql, metaKeys.config)
  if (!config) return undefined
  return { ...store, config, builders: enabledBuilders(config.strategies) }
}
