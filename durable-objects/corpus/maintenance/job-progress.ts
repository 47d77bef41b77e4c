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
  /** The job's id, which the corpus's other partitions share. Absent: a new one. */
  readonly job?: string
}

/** The corpus already has the other embedding model: no part of the move can be repeated or stopped. */
export function isMoved({ kind, progress }: { readonly kind: JobKind; readonly progress: string | null }): boolean {
  return kind === 'migrate' && progress !== null && (JSON.parse(progress) as MaintenanceProgress).step === 'clear'
}

export const MAINTENANCE_KINDS: ReadonlySet<JobKind> = new Set(['reindex', 'consolidate', 'rebuild', 'migrate', 'restore', 'languages'])

/**
 * vectors: sentences that lack theirs are requested · await: until they have arrived · feed: the candidate is given the documents, and
 * drafts what needs the whole · write: until its texts are written · measure: the probes are put to both graphs · compare: the differences
 * are determined · promote: it replaces the served graph · tell-languages: the languages of documents that lack one are detected · tell:
 * after a rebuild or a restore from a backup, every sink is sent everything · consolidate: each builder's work on the served graph,
 * compared first
 *
 * If the corpus is moved to another embedding model (migrate.ts), also: vectors: every chunk gets vectors from it · settle: later additions
 * are embedded and fed · fill: the other index is sent the candidate · clear: the abandoned one is emptied
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
  /** What follows once everything is settled. */
  readonly next?: 'measure' | 'promote'
  /** Builders still to consolidate. */
  readonly builders: readonly string[]
  readonly measuring?: Measuring
  readonly comparing?: Comparing
  /** The gate's decision: it let the graph through. */
  readonly verdict?: Verdict
  /** The job that indexes again what the last slice found. */
  readonly child?: string
  /** The state of the feeding. */
  readonly pace?: Pace
}
