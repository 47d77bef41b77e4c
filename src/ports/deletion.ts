/**
 * Deleting a corpus. The catalogue alone decides its fate, and records it before anything is touched; the corpus's object obeys
 * (`CorpusObject.reconcile`), however often and by whomever it is told to check: by the request, by its alarm, by the schedule.
 *
 *   living ──delete──▶ recoverable ──time is up──▶ clearing ──nothing is left──▶ cleared
 *     ▲                   │                           ▲
 *     └─────undelete──────┘        delete, no grace ──┘ (from living)
 *
 * There is no way back from `clearing`, and a uid is never used again.
 */
import type { CorpusRecord } from './catalogue'
import type { CorpusRef } from './corpus'

export interface Deletion {
  /** Milliseconds since the epoch, as `until`. */
  readonly at: number
  /** The job that clears it away. */
  readonly job: string
  /** Id of the key that deleted it. */
  readonly by: string
  /** Until when it can be undeleted; null: it is being cleared away. */
  readonly until: number | null
}

export type DeletedCorpus = CorpusRecord & { readonly deletion: Deletion }

export type DeletionState =
  | { readonly kind: 'living' }
  | { readonly kind: 'recoverable'; readonly until: number }
  /** Also when it is fully cleared. */
  | { readonly kind: 'clearing'; readonly job: string }
  /** The catalogue has never had this uid: its creation lost a race for the name. */
  | { readonly kind: 'unknown' }

export interface Deletions {
  /**
   * Deletes a living corpus: permanently, or so that it can be undeleted `until` then. Returns the resulting state, whichever call was
   * first; null: nothing is left of it.
   */
  begin(uid: string, deletion: Deletion): Promise<Deletion | null>
  /** Deleted and not yet cleared: the one that has the name, or else the latest that had it; with a uid, only that one. */
  find(name: string, uid?: string): Promise<DeletedCorpus | null>
  /** Living corpora and these, by name and uid, after a given name and uid (exclusive). */
  list(uids: readonly string[] | null, after: readonly [name: string, uid: string], limit: number): Promise<readonly Listed[]>
  /** False if it can no longer be undeleted. */
  restore(uid: string, now: number): Promise<boolean>
  /** From now on it cannot be undeleted, and its name is free. */
  giveUp(uid: string, now: number): Promise<void>
  /** What the object must do. If the time is up, it can no longer be undeleted. */
  state(uid: string, now: number): Promise<DeletionState>
  /** The object has acted on this, and need not be told to check before the time is up. */
  confirm(uid: string, state: DeletionState): Promise<void>
  /** Nothing is left of it elsewhere: everything else under its uid is deleted, and the row stays so that its job can be asked about. */
  finish(uid: string): Promise<void>
  /** Some whose object must be told to check. They are due again at `again`, so that one that cannot be reached does not keep the others waiting. */
  due(now: number, again: number, limit: number): Promise<readonly CorpusRef[]>
  /** Some that were deleted before this time, of which only the row is left. */
  cleared(before: number, limit: number): Promise<readonly CorpusRef[]>
  /** Deletes the row of a cleared corpus, its access grants, and keys that open nothing else. */
  forget(uid: string, now: number): Promise<void>
}

export type Listed = CorpusRecord & { readonly deletion?: Deletion }
