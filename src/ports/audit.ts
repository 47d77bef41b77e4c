/**
 * The audit log of a corpus: who did what, when, to which document, through which interface, and with what result. The corpus's object
 * keeps it, and writes each entry in the transaction that makes the change. It contains only ids and our own words: no text, no key, no
 * secret.
 */
import type { AuditEntry as AnsweredEntry, AuditAction, Door } from '../contract/audit'
import type { Corpus } from '../contract/corpora'

export interface Actor {
  /** The id of a key (`admin`: the admin key; `nobody`: no key was sent), webhook or source. */
  readonly key: string
  readonly door: Door
}

export interface AuditEvent {
  readonly action: AuditAction
  readonly document?: string
  /** What else the entry is about: a job, label, webhook, endpoint, source, entity or key. */
  readonly subject?: string
  /** `done`, or the reason why not. */
  readonly outcome: string
}

/**
 * As the API returns it, except for its time, which is in milliseconds since the epoch. `partition`: whose log it is in; -1: the whole
 * corpus's. Absent: the corpus has no partitions.
 */
export type AuditEntry = Omit<AnsweredEntry, 'at'> & { readonly at: number }

/** What a corpus keeps in its audit log. */
export type AuditSettings = Corpus['audit']

export const auditDefaults: AuditSettings = { days: 400, reads: false, questions: 'none', question_days: 90, conversation_days: 90 }

/** Identifies an entry; in a partitioned corpus also by when it was made and in which partition's log it is. */
export interface AuditMark extends Pick<AuditEntry, 'n' | 'partition'> {
  readonly at?: number
}

/** Where to continue: entries older than this one, made at or after a given time. */
export interface AuditPlace {
  readonly before: AuditMark | null
  readonly since: number
  readonly limit: number
}
