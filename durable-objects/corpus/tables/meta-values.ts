/** The values that `meta.ts` stores as JSON: what each means, and whose it is. */

import type { Count } from '../../../src/contract/jobs'
import type { Spent } from '../../../src/contract/usage'
import type { DerivedKind } from '../../../src/core/graph/types'
import type { EmbeddingSettings } from '../../../src/core/settings'
import type { Actor } from '../../../src/ports/audit'
import type { Replay } from '../../../src/ports/backup'
import type { StagesSpent } from '../../../src/ports/spending'

export interface KeptAnswers {
  readonly hits: number
  readonly misses?: number // absent: stored before they were counted
  readonly saved: Spent & { readonly calls: number; readonly usd: number }
}

export type SinkName = 'index' | 'model'

export interface Lease {
  readonly runner: string
  readonly until: number
  readonly at?: number // when it last brought something, or started
  /** The runner's current round, and when it ends at the latest. */
  readonly round?: { readonly id: string; readonly until: number }
}

/** Work to be done before something is done. */
export interface Ahead {
  readonly chunks: number
  readonly texts: number
}

/** What is counted for a pace. */
export type Unit = 'text' | 'chunk' | 'task'

/** The corpus's row. */
export interface CorpusProgress {
  readonly documents: Count
  readonly chunks: Count
  readonly texts: Count
  /** Open tasks of jobs, other than those that embed their chunks. */
  readonly tasks: number
  /** Everything ever accepted, and the part of it that is done or abandoned. */
  readonly accepted: Ahead
  readonly past: Ahead
  /** Milliseconds each takes. */
  readonly pace: { readonly [unit in Unit]?: number }
}

/** While the text model is unavailable: when it is tried next, and the pause before that. */
export interface WriterOutage {
  readonly due: number
  readonly pause: number
}

/** The task that did not fit, and its maximum cost. */
export interface Unaffordable {
  readonly n: number
  readonly input: string
  readonly tokens: number
  readonly usd: number
}

/** `isHeld`: it would have been granted if nothing were reserved for others. */
export interface BudgetRefusal {
  readonly at: number // ms
  readonly isHeld: boolean
}

/** What had been read and paid for at a moment. */
export interface CostMark {
  readonly chunks: number
  /** Of these, with entities that came with their documents; absent: none. */
  readonly brought?: number
  readonly base: number
  readonly stages: StagesSpent
}

/**
 * A mark is set whenever half as much again has been read. The measurement covers what came after the last mark but one, at least a third
 * of everything: a corpus's beginnings, when there was little to summarise or regroup, are forgotten.
 */
export interface CostBasis extends Omit<CostMark, 'stages'> {
  /** Names strategies and settings: measurements with others do not apply. */
  readonly of: string
  readonly from: CostMark
  readonly last: CostMark
}

/**
 * rows: of the read model · vectors: removed, whatever the corpus may have written · shown: until the index shows the mark after the
 * removals · check: is any left? then everything again · gone: the object may be deleted
 */
export interface DropPlace {
  readonly step: 'rows' | 'vectors' | 'shown' | 'check' | 'gone'
  readonly after: string
  /** When the mark was sent; in `check`, 1 if anything was left. */
  readonly since: number
}

/**
 * stale: what a restarted attempt had sent is removed · nodes: the graph that is not served yet is sent · shown: until the index shows the
 * mark after it · ready: it has everything. From the second step on, changes made since are sent as well.
 */
export interface FillPlace {
  readonly step: 'stale' | 'nodes' | 'shown' | 'ready'
  readonly after: string
  /** When the mark was sent. */
  readonly since: number
  /** The last row sent of those changed since the filling began. */
  readonly sent: number
}

/** Like `DropPlace`, for one index. `of`: whose it is. */
export interface FormerPlace {
  readonly of: EmbeddingSettings
  readonly step: 'remove' | 'shown' | 'check'
  readonly after: string
  readonly since: number
}

export interface SurveyTally {
  readonly seen: number
  readonly orphans: number
  readonly stale: number
  readonly sizes: readonly [count: number, sum: number, max: number]
  readonly degrees: readonly [count: number, sum: number, max: number]
}

/** How far the nodes have been checked. */
export interface SurveyPlace {
  readonly kind: DerivedKind
  readonly after: string
  readonly tally: SurveyTally
}

/** The current survey, or the last one. */
export interface Survey {
  readonly at: number
  /** The graph's version when it began. */
  readonly version: number
  readonly nodes?: SurveyPlace
}

export interface SinkFindings {
  /** What a sink lacked, or held in another state. */
  readonly missing: number
  /** What it held but should not have. */
  readonly foreign: number
}

/** A sweep in progress. */
export interface Reconciliation {
  readonly sink: SinkName
  readonly after: string
  /** The outbox's last entry when it began: later changes are checked by the next sweep. */
  readonly seq: number
  /** The last entry it made itself, as long as nobody else made one. */
  readonly own?: number
  /** ms; before then nothing can be seen. */
  readonly notBefore: number
}

export interface LastReconciliation {
  /** When the last sweep ended; for a corpus that was not swept yet, when it was first sent. */
  readonly at: number
  readonly seq: number
  /** What the sweep found, and how many sweeps in a row have found the same. */
  readonly own?: number
  readonly tries?: number
}

export interface SinkFault {
  /** The vendor's; 0 if it gave none. */
  readonly code: number
  readonly at: number
  /** Times in a row, in one place. */
  readonly tries: number
  readonly place: string
}

export interface RefusedVectors {
  readonly count: number
  readonly code: number
  readonly at: number
}

/** A batch that takes several calls: its last outbox row, and how many of its distinct entries have been sent. */
export interface ModelBatch {
  readonly seq: number
  readonly sent: number
}

/** Changes made after a restored state that must be kept. */
export interface Replaying {
  readonly what: Replay
  readonly by?: Actor
  /** Ids of the jobs that delete; absent: not begun. */
  readonly jobs?: readonly string[]
}

/** How far its restore to a moment has got (backup/recovery.ts). */
export interface Recovering {
  readonly id: string
  readonly since: number // closed, ms
  readonly applied?: number // in the restored state: parts of the kept changes already applied; absent: the abandoned state
  readonly done?: { readonly before: number; readonly version: number; readonly job: string }
  readonly tries?: number // requests to the platform to restore the storage, counted beforehand
  readonly givenUp?: true // it has refused permanently: an instance that starts after this opens the corpus unchanged
  readonly refused?: { readonly before: number; readonly version: number }
}

/** How far a restore from a backup has got. */
export interface Restore {
  readonly backup: string
  /** ms; absent if an earlier release began it. */
  readonly takenAt?: number
  /** The last applied part, and its digest. */
  readonly part: number
  readonly digest: string
  readonly rows: { readonly [table: string]: number } // by table
  /** The digest that the graph must reach, and that of its rows so far: 64 hex digits. */
  readonly state: string
  readonly sum: string
  /** The last receipt's hash and version. */
  readonly chain: { readonly hash: string; readonly version: number; readonly state: string }
  /** In a partition: the hash that the last receipt must have; and all of its rows are in, but not all of the corpus. */
  readonly head?: string
  readonly isHeld?: true
  /** Set when everything is in: the job that fills the sinks. */
  readonly job?: string
}
