/**
 * Restoring a corpus to a moment. The object's storage goes back as a whole, and with it everything the object knew of what happened since:
 * so the changes to keep are written into the catalogue beforehand (`Recoveries`), and the object reads them when it wakes in its old
 * state.
 *
 *   asked ──closed, changes to keep written──▶ carried ──storage restored, changes to keep read──▶ done
 *
 * If the platform refuses permanently, the corpus is opened unchanged (durable-objects/corpus/backup/set-back.ts).
 *
 * Each step may be repeated, whoever tells the object to check: the request, its alarm or the schedule.
 */
import type { Actor } from './audit'
import type { CorpusConfig } from './corpus'

/** The platform's memory of an object's storage. Each promise may turn out to be a refusal: nothing is restored then. */
export interface PointInTime {
  /** Names the storage as it was at a time (ms). Null: this platform remembers none. */
  bookmarkAt(time: number): Promise<string | null>
  /** When the object wakes next, this is its storage. */
  restoreAtNextSession(bookmark: string): Promise<void>
  /** Ends the object's life, and every call to it. */
  restart(): void
}

export interface AskedRecovery {
  readonly id: string
  readonly uid: string
  /** The moment to restore, ms. */
  readonly time: number
  /** When the restore was requested, ms. */
  readonly asked: number
  readonly by: Actor | null
}

export interface Recovery extends AskedRecovery {
  readonly step: 'asked' | 'carried' | 'done'
  /** How many parts the changes to keep have; 0 before they are written and after they are read. */
  readonly parts: number
}

export interface Recoveries {
  /** The corpus is closed from now on. False: it is already being restored, or is not living. */
  ask(recovery: AskedRecovery): Promise<boolean>
  /** The one in progress, or the last. */
  state(uid: string): Promise<Recovery | null>
  keepPart(uid: string, n: number, body: string): Promise<void>
  part(uid: string, n: number): Promise<string | null>
  carried(uid: string, id: string, parts: number): Promise<void>
  /** The corpus is open, configured as the object says, and the data stored for its recovery is deleted. */
  finish(uid: string, id: string, config: Pick<CorpusConfig, 'strategies' | 'settings'>): Promise<void>
  /** Some that are not done. */
  open(limit: number): Promise<readonly string[]>
}

/** A moment as it would be restored, before anything is changed. `versionThen` 0: the corpus had none. Times are in ms. */
export interface RecoveryEstimate {
  readonly versionThen: number
  readonly at: number | null
  readonly version: number
  readonly accepted: number
  readonly commits: number
  /** Current documents that were added or replaced since. */
  readonly documents: number
  /** What stays as it is now: deletions and changes of access. */
  readonly deleted: number
  readonly access: number
  /** What people did since, by action, from the audit log. */
  readonly actions: { readonly [action: string]: number }
}

/**
 * remembered: not remembered by the platform · early: before the corpus was created · log: deletions since are not known · moved: it had
 * another embedding model
 */
export type RecoveryRefusal = { readonly kind: 'unremembered' | 'early' | 'log' | 'moved' }

export interface RecoveryState {
  readonly id: string
  readonly time: number
  /**
   * closing: until no cache has it as open · setting_back: the changes to keep are written, the storage is being restored · replaying:
   * deletions since are applied again · done · refused: by the platform; it is open and unchanged
   */
  readonly status: 'closing' | 'setting_back' | 'replaying' | 'done' | 'refused'
  readonly replaying: number
  /** The corpus's version before and after; null before the end. */
  readonly before: number | null
  readonly version: number | null
  readonly job: string | null
}
