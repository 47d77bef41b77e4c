/**
 * Deleting a corpus. The catalogue alone decides what becomes of it, and says so before anything is touched; the corpus's object obeys
 * (`CorpusObject.reconcile`), however often and by whomever it is sent to look: by the request, by its alarm, by the schedule.
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
  /** Id of the key that asked for it. */
  readonly by: string
  /** Until when it can be undeleted; null: it is being cleared away. */
  readonly until: number | null
}

export type DeletedCorpus = CorpusRecord & { readonly deletion: Deletion }

export type DeletionState =
  | { readonly kind: 'living' }
  | { readonly kind: 'recoverable'; readonly until: number }
  /** Also when all is cleared away. */
  | { readonly kind: 'clearing'; readonly job: string }
  /** The catalogue has never had this uid: its creation lost a race for the name. */
  | { readonly kind: 'unknown' }

export interface Deletions {
  /** Deletes a living corpus: from now on, or (`until`) so that it can be undeleted. What holds afterwards, whichever call was first; null: nothing is left of it. */
  begin(uid: string, deletion: Deletion): Promise<Deletion | null>
  /** Deleted and not yet cleared away: the one that has the name, else the latest that had it; with a uid, that one alone. */
  find(name: string, uid?: string): Promise<DeletedCorpus | null>
  /** Living corpora and these, by name and uid, from a name and a uid on (exclusive). */
  list(uids: readonly string[] | null, after: readonly [name: string, uid: string], limit: number): Promise<readonly Listed[]>
  /** False where it can no longer be undeleted. */
  restore(uid: string, now: number): Promise<boolean>
  /** It can no longer be undeleted, and its name is free. */
  giveUp(uid: string, now: number): Promise<void>
  /** What the object is to do. Where the time is up, it is from now on. */
  state(uid: string, now: number): Promise<DeletionState>
  /** The object has acted on this, and need not be sent to look before the time is up. */
  confirm(uid: string, state: DeletionState): Promise<void>
  /** Nothing is left of it elsewhere: what else there is under its uid goes, and the row stays for its job to be asked about. */
  finish(uid: string): Promise<void>
  /** Some whose object is to be sent to look. They are due again at `again`, so that one that cannot be reached does not keep the others waiting. */
  due(now: number, again: number, limit: number): Promise<readonly CorpusRef[]>
  /** Some that were deleted before, of which nothing but the row is left. */
  cleared(before: number, limit: number): Promise<readonly CorpusRef[]>
  /** The row of one that is cleared away, who might open it, and keys that open nothing else. */
  forget(uid: string, now: number): Promise<void>
}

export type Listed = CorpusRecord & { readonly deletion?: Deletion }
