/**
 * Another number of partitions, in place. The corpus's own object leads: it reads documents from the partitions that the corpus has, gives them to
 * those that it will have, and is told again what changed meanwhile. Each order may be repeated. A corpus without partitions has its documents in that
 * object, which then is the only one to read from.
 */

import type { AlertRules } from '../contract/alerts'
import type { Spent } from '../contract/usage'
import type { Chunk } from '../core/graph/types'
import type { Layout } from '../partition-layout'
import type { Actor } from './audit'
import type { CorpusConfig } from './corpus'
import type { Ruling } from './deciding'
import type { DocumentInput } from './documents'

export interface MovedChunk {
  readonly chunk: Chunk
  /** Vectors, one after another. */
  readonly passages: ArrayBuffer
  readonly units: ArrayBuffer
}

export interface MovedDocument {
  readonly input: DocumentInput
  readonly contentVersion: number
  readonly hash: string
  /** ms; 0: unknown. */
  readonly acceptedAt: number
  /** Those that have all their vectors. */
  readonly chunks: readonly MovedChunk[]
}

export interface MovedRow {
  readonly [column: string]: string | number | null
}
export type RowKey = readonly (string | number)[]

/** Rows that are moved as they are. */
export type MovedTable = 'job' | 'saved_filter' | 'source' | 'withdrawn' | 'audit' | 'spending_total' | 'spending_day'

export type MoveOrder =
  /** To one that the corpus has: from now on it notes which documents change. */
  | { readonly kind: 'watch' }
  /** To it: documents after an id; null: those that have changed. */
  | { readonly kind: 'read'; readonly after: string | null }
  /** To it: these changes have been taken by the others. */
  | { readonly kind: 'taken'; readonly changes: readonly Changed[] }
  /** To it: it refuses to be written, or takes it again. */
  | { readonly kind: 'close'; readonly isClosed: boolean }
  /** To it: rows after a key. `since`: of deletions, those noted since then; of jobs, those made since then or not done, ms. */
  | { readonly kind: 'rows'; readonly table: MovedTable; readonly after: RowKey; readonly since?: number }
  /** To it: it is not the corpus's any more, and answers nothing. */
  | { readonly kind: 'leave' }
  /** To it: the corpus keeps it after all. */
  | { readonly kind: 'stay' }
  /** To one that the corpus will have, before anything else: decisions made so far. */
  | {
      readonly kind: 'begin'
      readonly config: CorpusConfig
      readonly rulings: readonly Ruling[]
      readonly upTo: number
      readonly alerts: AlertRules | null
    }
  /** To it. `n`: an order with a lower number than one taken before is of documents as they no longer are, and changes nothing. */
  | { readonly kind: 'put'; readonly n: number; readonly documents: readonly MovedDocument[]; readonly deletes: readonly string[] }
  /** To it. `from`: whose they are. */
  | { readonly kind: 'rows-of'; readonly from: string; readonly table: MovedTable; readonly rows: readonly MovedRow[] }
  /** To it: it is the corpus's. Its version is greater than this from now on. */
  | { readonly kind: 'serve'; readonly version: number }
  /** To any. */
  | { readonly kind: 'state' }
  /** To any that the corpus does not have: everything in it is removed. */
  | { readonly kind: 'remove' }

export interface Changed {
  readonly document: string
  readonly n: number
}

export interface MoveState {
  readonly version: number
  /** Documents that were accepted are not in the graph yet. */
  readonly isBusy: boolean
  /** The corpus's own object has yet to be told something. */
  readonly isUntold: boolean
  /** When the oldest job began that is still at work, and the oldest whose deletions the database or the index has not confirmed, ms; null: there is none. */
  readonly workingSince: number | null
  readonly tellingSince: number | null
  /** Of these, some wait for the budget. */
  readonly isPaused: boolean
  /** The database has much yet to be sent, or the vector index has lacked something for half a minute. */
  readonly isBehind: boolean
  /** Changes that the other partitions do not have yet. */
  readonly changes: number
  readonly documents: number
  /** The last receipt's hash. */
  readonly head: string
  readonly spent: Spent
  /** The last entry of each other partition's audit log that it has. */
  readonly audit: { readonly [partition: string]: number }
}

export type MoveAnswer =
  | { readonly kind: 'done' }
  | {
      readonly kind: 'documents'
      readonly documents: readonly MovedDocument[]
      /** Ids that are gone. */
      readonly gone: readonly string[]
      readonly changes: readonly Changed[]
      /** Where the next page begins; null: this is the last. */
      readonly next: string | null
    }
  | { readonly kind: 'rows'; readonly rows: readonly MovedRow[]; readonly next: RowKey | null }
  | { readonly kind: 'state'; readonly state: MoveState }
  /** It has no room. */
  | { readonly kind: 'refused'; readonly why: 'full' }
  /** There is nothing here. */
  | { readonly kind: 'empty' }

export interface PartitionsWish {
  readonly count: number
  /** Of a corpus without partitions: which of its strategies it keeps. Absent: all. */
  readonly strategies?: readonly string[]
}

/** What keeps a corpus from being divided: the part of it, as callers name it, and why. */
export interface Hindrance {
  readonly path: string
  readonly message: string
}

export type Repartitioning =
  | { readonly kind: 'accepted'; readonly job: string }
  | { readonly kind: 'undivided' | 'same' | 'busy' | 'gone' }
  | { readonly kind: 'hindered'; readonly by: readonly Hindrance[] }

/** What there is of a corpus, and so what other partitions of it will have. */
export interface CorpusSize {
  readonly documents: number
  readonly chunks: number
  /** Entities; one that several partitions have counts in each. */
  readonly names: number
  /** Of D1, in all tables and indexes; and all that were ever written. */
  readonly rows: number
  readonly published: number
  /** Of these rows, about. */
  readonly bytes: number
  /** Of the index, about. */
  readonly vectors: number
  /** Of a text model: calls for summaries, and their tokens, at most about. */
  readonly summaries: Spent & { readonly calls: number }
}

export interface MovingObject {
  /** Null: there is nothing here. */
  size(): Promise<CorpusSize | null>
  /** In the corpus's own object: which partitions it has; null: those that its uid says. */
  layout(): Promise<Layout | null>
  /** In the corpus's own object: begins a job. */
  repartition(wish: PartitionsWish, by?: Actor): Promise<Repartitioning>
  /** In a partition. */
  move(order: MoveOrder): Promise<MoveAnswer>
}
