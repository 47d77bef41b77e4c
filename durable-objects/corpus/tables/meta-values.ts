/** The values that `meta.ts` keeps as JSON: what each says, and whose it is. */

import type { Count } from '../../../src/contract/jobs'
import type { CommitReceipt } from '../../../src/contract/receipts'
import type { Spent } from '../../../src/contract/usage'
import type { DerivedKind } from '../../../src/core/graph/types'
import type { EmbeddingSettings } from '../../../src/core/settings'
import type { Actor } from '../../../src/ports/audit'
import type { Replay } from '../../../src/ports/backup'
import type { WriterRole } from '../../../src/ports/models'
import type { StagesSpent } from '../../../src/ports/spending'
import type { FormTallies } from '../../../src/ports/tasks'

/** What became of replies, by role and form of prompt, for the models and prompts that are named. */
export interface PromptForms {
  readonly models: string
  readonly roles: { readonly [role in WriterRole]?: FormTallies }
}

export interface KeptAnswers {
  readonly hits: number
  readonly misses?: number // absent: kept since before they were counted
  readonly saved: Spent & { readonly calls: number; readonly usd: number }
}

export type SinkName = 'index' | 'model'

export interface Lease {
  readonly runner: string
  readonly until: number
  readonly at?: number // when it last brought something, or began
  /** The runner's round under way, and when it ends at the latest. */
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
  /** Open tasks of jobs besides those that embed their chunks. */
  readonly tasks: number
  /** All that was ever accepted, and all of it that is done or given up. */
  readonly accepted: Ahead
  readonly past: Ahead
  /** Milliseconds each takes. */
  readonly pace: { readonly [unit in Unit]?: number }
}

export interface Integration {
  /** Its job, by number. */
  readonly job: number
  /** The one it will be. */
  readonly version: number
  /** The next to go in. */
  readonly part: number
  /** Chunks of a part: it stays what it was when the change began. */
  readonly size?: number
  readonly touched: CommitReceipt['touched']
  /** Of the last entry for the sinks; 0: none. */
  readonly seq: number
  readonly rows: number
  /** When the last part went in, and how many chunks it had. */
  readonly last?: { readonly at: number; readonly chunks: number }
}

/** While the text model is out: when it is tried next, and the pause before that. */
export interface WriterOutage {
  readonly due: number
  readonly pause: number
}

/** The task that did not fit, and what it can come to. */
export interface Unaffordable {
  readonly n: number
  readonly input: string
  readonly tokens: number
  readonly usd: number
}

/** What had been read and paid for at a moment. */
export interface CostMark {
  readonly chunks: number
  readonly base: number
  readonly stages: StagesSpent
}

/**
 * A mark is set whenever half as much has been read again. Measured is what came after the last but one, a third of all and more: a
 * corpus's beginnings, when there was little to summarise or to group again, are forgotten.
 */
export interface CostBasis {
  /** Names strategies and settings: what was measured with others says nothing. */
  readonly of: string
  readonly chunks: number
  readonly base: number
  readonly from: CostMark
  readonly last: CostMark
}

/**
 * rows: of the read model · vectors: removed, whatever the corpus may have written · shown: until the index shows the mark behind the removals ·
 * check: is any left? then all over again · gone: the object may be deleted
 */
export interface DropPlace {
  readonly step: 'rows' | 'vectors' | 'shown' | 'check' | 'gone'
  readonly after: string
  /** When the mark was sent; in `check`, 1 if anything was left. */
  readonly since: number
}

/**
 * stale: what an attempt sent that was begun again is removed · nodes: the graph that is not served yet is sent · shown: until the index shows the mark behind it · ready: it has everything. From the second
 * on, what has changed since is sent as well.
 */
export interface FillPlace {
  readonly step: 'stale' | 'nodes' | 'shown' | 'ready'
  readonly after: string
  /** When the mark was sent. */
  readonly since: number
  /** Of what has changed since the filling began, the last row that was sent. */
  readonly sent: number
}

/** As `DropPlace`, of one index. `of`: whose it is. */
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

/** How far the nodes have been looked at. */
export interface SurveyPlace {
  readonly kind: DerivedKind
  readonly after: string
  readonly tally: SurveyTally
}

/** The survey under way, or the last one. */
export interface Survey {
  readonly at: number
  /** Of the graph, when it began. */
  readonly version: number
  readonly nodes?: SurveyPlace
}

export interface SinkFindings {
  /** What a sink lacked, or held otherwise. */
  readonly missing: number
  /** What it held and should not. */
  readonly foreign: number
}

/** A sweep under way. */
export interface Reconciliation {
  readonly sink: SinkName
  readonly after: string
  /** The outbox's last entry when it began: what has changed since, the next one looks at. */
  readonly seq: number
  /** The last entry it made itself, while no other made one. */
  readonly own?: number
  /** ms; before it nothing is to be seen. */
  readonly notBefore: number
}

export interface LastReconciliation {
  /** When the last sweep ended; of a corpus that was not swept yet, when it was first sent. */
  readonly at: number
  readonly seq: number
  /** As of the sweep, and how many in a row have found the same again. */
  readonly own?: number
  readonly tries?: number
}

export interface SinkFault {
  /** The vendor's; 0 where it gave none. */
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

/** What came after a state that was brought back, and holds all the same. */
export interface Replaying {
  readonly what: Replay
  readonly by?: Actor
  /** Ids of the jobs that delete; absent: not begun. */
  readonly jobs?: readonly string[]
}

/** How far it is set back to a moment (backup/recovery.ts). */
export interface Recovering {
  readonly id: string
  readonly since: number // closed, ms
  readonly applied?: number // in the state that came back: parts of what holds all the same that are in; absent: the state that is left
  readonly done?: { readonly before: number; readonly version: number; readonly job: string }
  readonly tries?: number // the platform was asked to set the storage back, counted before
  readonly givenUp?: true // it has refused for good: a life that begins after this opens the corpus as it is
  readonly refused?: { readonly before: number; readonly version: number }
}

/** How far a backup has come back. */
export interface Restore {
  readonly backup: string
  /** ms; absent in what an earlier release began. */
  readonly takenAt?: number
  /** The last that is in, and its digest. */
  readonly part: number
  readonly digest: string
  /** By table. */
  readonly rows: { readonly [table: string]: number }
  /** What the graph must come to, and what its rows come to so far: 64 hex digits. */
  readonly state: string
  readonly sum: string
  /** The last receipt's hash and version. */
  readonly chain: { readonly hash: string; readonly version: number; readonly state: string }
  /** Set when all is in: the job that fills the sinks. */
  readonly job?: string
}
