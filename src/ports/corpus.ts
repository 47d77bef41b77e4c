/** What identifies a corpus, its configuration and its state. */
import type { Corpus } from '../contract/corpora'
import type { Settings } from '../core/settings'
import type { AuditSettings } from './audit'
import type { Budget, Prices } from './spending'

/** A corpus, and the database with its rows. Absent: the control database, which held all rows before there was a pool. */
export interface CorpusRef {
  readonly uid: string
  readonly database?: string
}

/** What the catalogue knows about a corpus; the object is sent each change and keeps a copy. */
export interface CorpusConfig {
  readonly uid: string
  readonly name: string
  /** Which of the five strategies are enabled. */
  readonly strategies: readonly string[]
  readonly settings: Settings
  readonly budget: Budget
  /** From the price table of the deployment's models. */
  readonly prices?: Prices
  /** Binding of the database with its rows. Absent: the control database. */
  readonly database?: string
  /** Labels for documents that have none. Absent: every reader may read these. */
  readonly defaultAccess?: readonly string[]
  /** A judge compares statements when a question is answered: what new versions no longer say is kept for it. */
  readonly hasJudge?: true
  /** Settings of the audit log. Absent: the defaults. */
  readonly audit?: AuditSettings
}

/** Its state, as its object knows it. */
export type CorpusView = Pick<Corpus, 'tuning' | 'reranking' | 'progress' | 'version' | 'versions' | 'counts' | 'usage'> & {
  readonly status: Extract<Corpus['status'], 'settled' | 'indexing' | 'paused_budget' | 'restoring'>
}
