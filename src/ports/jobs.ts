/** Work that was accepted, how far it is, and what came of it. */
import type { DocumentStatus } from './documents'
import type { Spent } from './spending'

export type JobKind = 'ingest' | 'delete' | 'batch' | 'reindex' | 'consolidate' | 'rebuild' | 'drop'
export type JobStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'paused_budget'

export type Accepted =
  | {
      readonly kind: 'accepted'
      readonly job: string
      readonly documents: readonly { readonly document: string; readonly status: DocumentStatus | 'unchanged' }[]
    }
  /** Every document given is already here, word for word. `version`: with it other labels came into force. */
  | {
      readonly kind: 'unchanged'
      readonly documents: readonly { readonly document: string; readonly status: 'unchanged' }[]
      readonly version?: number
    }
  /** One of the events named has been taken in before, with this job (null: it changed nothing). */
  | { readonly kind: 'duplicate'; readonly job: string | null }
  | { readonly kind: 'over_budget'; readonly estimate: number; readonly left: number }
  /** The corpus would hold more than it may. */
  | {
      readonly kind: 'full'
      readonly what: 'documents' | 'chunks' | 'database_bytes' | 'storage_bytes' | 'index_vectors'
      readonly most: number
    }
  | { readonly kind: 'precondition_failed' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'gone' }

export interface Count {
  readonly done: number
  readonly total: number
}

/** How far work is, by what is counted; kept by the transactions that do it. */
export interface Progress {
  /** Those that can be found, of those that come; and those that are gone, of those that leave. */
  readonly documents: Count
  /** In the graph; readers see a batch's when all of them are. */
  readonly chunks: Count
  /** Passages, and sentences where a strategy wants them: embedded, of those that have no vectors yet. */
  readonly texts: Count
  /** So many a second, lately, in this corpus. */
  readonly rate?: { readonly texts?: number; readonly chunks?: number; readonly tasks?: number }
  /** Seconds until it has ended, at that rate and after all that was accepted before. Absent: not known, or nothing is left. */
  readonly seconds_left?: number
}

export interface Receipt {
  readonly version: number
  readonly touched: {
    readonly documents: number
    readonly chunks: number
    readonly passages: number
    readonly units: number
    readonly entities: number
    readonly keywords: number
    readonly segments: number
    readonly summaries: number
    readonly communities: number
    readonly edges: number
  }
  readonly rows_written: number
  readonly model_calls: { readonly [kind: string]: number }
  readonly tokens: Spent
  /** Passages and sentences that were embedded, by a model that is paid for or by the encoder that is not. */
  readonly texts_embedded?: number
  readonly ms: number
  readonly shared_with?: readonly string[]
}

export interface JobView {
  readonly job: string
  readonly kind: JobKind
  readonly status: JobStatus
  /** `done` and `total`: its tasks, of every kind. */
  readonly progress: Count & Progress
  readonly usage: Spent
  readonly receipt?: Receipt
  readonly error?: string
}
