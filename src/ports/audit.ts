/**
 * The audit log of a corpus: who did what, when, to which document, through which interface, and with what result. Kept by the corpus's object, written by
 * the transaction that makes the change. It contains only ids and our own words: no text, no key, no secret.
 */
import type { AuditEntry as AnsweredEntry, AuditAction, Door } from '../contract/audit'
import type { Corpus } from '../contract/corpora'

export interface Actor {
  /** The id of a key (`admin`: the admin key; `nobody`: none was sent), of a webhook or of a source. */
  readonly key: string
  readonly door: Door
}

export interface AuditEvent {
  readonly action: AuditAction
  readonly document?: string
  /** What else it is about: a job, a label, a webhook, an endpoint, a source, an entity, a key. */
  readonly subject?: string
  /** `done`, or why not. */
  readonly outcome: string
}

/** As it is answered, but for its time: milliseconds since the epoch. `partition`: whose log it is in; -1: that of the whole. Absent: the corpus has none. */
export type AuditEntry = Omit<AnsweredEntry, 'at'> & { readonly at: number }

/** What a corpus keeps of it. */
export type AuditSettings = Corpus['audit']

export const auditDefaults: AuditSettings = { days: 400, reads: false, questions: 'none', question_days: 90, conversation_days: 90 }

/** An entry; in a corpus in partitions also when it was made and in which partition's log it is. */
export interface AuditMark extends Pick<AuditEntry, 'n' | 'partition'> {
  readonly at?: number
}

/** Where to continue: entries older than this one, made at or after a time. */
export interface AuditPlace {
  readonly before: AuditMark | null
  readonly since: number
  readonly limit: number
}
