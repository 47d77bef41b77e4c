/**
 * A corpus set back to a moment. The object's storage goes back as a whole, and with it whatever the object knew of what came since: so what
 * holds all the same is written into the catalogue before (`Recoveries`), and read by the object when it wakes as it was then.
 *
 *   asked ──closed, and what holds is written──▶ carried ──the storage is set back, what holds is read in──▶ done
 *
 * Where the platform refuses for good, the corpus is opened as it was (durable-objects/corpus/backup/set-back.ts).
 *
 * Each step may be done twice, by whomever sends the object to look: by the request, by its alarm, by the schedule.
 */
import type { Actor } from './audit'
import type { CorpusConfig } from './corpus'

/** The platform's memory of an object's storage. Behind each promise may be a refusal: nothing is set back then. */
export interface PointInTime {
  /** Names the storage as it was at a time (ms). Null: this platform remembers none. */
  bookmarkAt(time: number): Promise<string | null>
  /** When the object wakes next, its storage is that. */
  restoreAtNextSession(bookmark: string): Promise<void>
  /** Ends the object's life, and every call to it. */
  restart(): void
}

export interface AskedRecovery {
  readonly id: string
  readonly uid: string
  /** To which moment, ms. */
  readonly time: number
  /** When that was asked, ms. */
  readonly asked: number
  readonly by: Actor | null
}

export interface Recovery extends AskedRecovery {
  readonly step: 'asked' | 'carried' | 'done'
  /** Parts of what holds all the same; 0 before they are written and after they are read. */
  readonly parts: number
}

export interface Recoveries {
  /** The corpus is closed from now on. False: it is being set back already, or is not living. */
  ask(recovery: AskedRecovery): Promise<boolean>
  /** The one under way, or the last. */
  state(uid: string): Promise<Recovery | null>
  keepPart(uid: string, n: number, body: string): Promise<void>
  part(uid: string, n: number): Promise<string | null>
  carried(uid: string, id: string, parts: number): Promise<void>
  /** The corpus is open, as the object says it is configured, and what was kept for it goes. */
  finish(uid: string, id: string, config: Pick<CorpusConfig, 'strategies' | 'settings'>): Promise<void>
  /** Some that are not done. */
  open(limit: number): Promise<readonly string[]>
}

/** What a moment is, before anything is changed. `versionThen` 0: the corpus had none. Times are ms. */
export interface RecoveryEstimate {
  readonly versionThen: number
  readonly at: number | null
  readonly version: number
  readonly accepted: number
  readonly commits: number
  /** Documents as they are now that came, or were replaced, since. */
  readonly documents: number
  /** What stays as it is now: deletions and changes of access. */
  readonly deleted: number
  readonly access: number
  /** What people did since, by action, as the audit log has it. */
  readonly actions: { readonly [action: string]: number }
}

/** remembered: nowhere · early: before the corpus was made · log: what was deleted since is not known · moved: it had another embedding model */
export type RecoveryRefusal = { readonly kind: 'unremembered' | 'early' | 'log' | 'moved' }

export interface RecoveryState {
  readonly id: string
  readonly time: number
  /** closing: until nobody remembers it as open · setting_back: what holds is written, the storage is set back · replaying: what was deleted since is deleted · done · refused: by the platform; it is open as it was */
  readonly status: 'closing' | 'setting_back' | 'replaying' | 'done' | 'refused'
  readonly replaying: number
  /** Of the corpus before and after; null before the end. */
  readonly before: number | null
  readonly version: number | null
  readonly job: string | null
}
