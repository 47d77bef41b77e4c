/** The progress of a job on the whole corpus: its `progress`, as JSON. */
import type { JobKind } from '../../../src/contract/jobs'
import type { Measuring } from '../quality-gate/gate'
import type { Verdict } from '../quality-gate/measure'
import type { Comparing } from '../shadow-graph/compare'
import type { Pace } from './pace'

export type Maintenance = 'reindex' | 'consolidate' | 'rebuild' | 'drop'

export interface MaintenanceOptions {
  /** Absent: all. */
  readonly strategies?: readonly string[]
  /** The job's id, which the other partitions of the corpus have, too. Absent: a new one. */
  readonly job?: string
}

/** The corpus has the other embedding model already: nothing of the move can be begun again or stopped. */
export function isMoved({ kind, progress }: { readonly kind: JobKind; readonly progress: string | null }): boolean {
  return kind === 'migrate' && progress !== null && (JSON.parse(progress) as MaintenanceProgress).step === 'clear'
}

export const MAINTENANCE_KINDS: ReadonlySet<JobKind> = new Set(['reindex', 'consolidate', 'rebuild', 'migrate', 'restore', 'languages'])

/**
 * vectors: sentences that lack theirs are asked for · await: until they are here · feed: the candidate is given the documents, and drafts
 * what needs the whole · write: until its texts are written · measure: the probes are put to both graphs · compare: what differs is found ·
 * promote: the one takes the other's place ·
 * tell-languages: documents that lack their language are brought to it ·
 * tell: after a rebuild or out of a backup, every sink is sent everything · consolidate: each builder's work on the graph that is served, weighed first
 *
 * Where the corpus is moved to another embedding model (migrate.ts), besides: vectors: every chunk is asked for vectors of it · settle: what came
 * meanwhile is embedded and fed · fill: the other index is sent the candidate · clear: the one that was left is emptied
 */
export interface MaintenanceProgress {
  readonly step:
    | 'vectors'
    | 'await'
    | 'feed'
    | 'whole'
    | 'write'
    | 'measure'
    | 'compare'
    | 'promote'
    | 'tell'
    | 'consolidate'
    | 'settle'
    | 'fill'
    | 'clear'
    | 'tell-languages'
  readonly after: string
  /** What follows once all is settled. */
  readonly next?: 'measure' | 'promote'
  /** Still to consolidate. */
  readonly builders: readonly string[]
  readonly measuring?: Measuring
  readonly comparing?: Comparing
  /** Of the gate: it let it through. */
  readonly verdict?: Verdict
  /** The job that takes in again what the last slice found. */
  readonly child?: string
  /** Of the feeding. */
  readonly pace?: Pace
}
