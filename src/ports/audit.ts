/**
 * The audit log of a corpus: who did what, when, to which document, through which door, and what came of it. Kept by the corpus's object,
 * written by the transaction that makes the change. It holds ids and words of ours: no text, no key, no secret.
 */
import type { Door } from '../contract/audit'

export interface Actor {
  /** The id of a key (`admin`: the admin key; `nobody`: none was sent), of a webhook or of a source. */
  readonly key: string
  readonly door: Door
}

export interface AuditEvent {
  /** `document.put`, `corpus.settings`, `hook.rotate`, `read.search`, … */
  readonly action: string
  readonly document?: string
  /** What else it is about: a job, a label, a webhook, an endpoint, a source, an entity, a key. */
  readonly subject?: string
  /** `done`, or why not. */
  readonly outcome: string
}

export interface AuditEntry extends Actor {
  readonly n: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly action: string
  readonly document: string | null
  readonly subject: string | null
  readonly outcome: string
}

/** What a corpus keeps of it. */
export interface AuditSettings {
  /** How long an entry is kept. */
  readonly days: number
  /** Are questions, exports and other reads entered, too? A row each. */
  readonly reads: boolean
}

export const auditDefaults: AuditSettings = { days: 400, reads: false }

/** Whence to go on: entries before this one, made at or after a time. */
export interface AuditPlace {
  readonly before: number | null
  readonly since: number
  readonly limit: number
}
