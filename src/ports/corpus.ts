/** What identifies a corpus, its configuration and its state. */
import type { Corpus } from '../contract/corpora'
import type { Settings } from '../core/settings'
import type { AuditSettings } from './audit'
import type { Budget, Prices } from './spending'

/** A corpus, and the database its rows are in. Absent: the control database, which held all of them before there was a pool. */
export interface CorpusRef {
  readonly uid: string
  readonly database?: string
}

/** What the catalogue knows of a corpus; the object is sent each change and keeps a copy. */
export interface CorpusConfig {
  readonly uid: string
  readonly name: string
  /** Enabled strategies of the five. */
  readonly strategies: readonly string[]
  readonly settings: Settings
  readonly budget: Budget
  /** From the price table of the deployment's models. */
  readonly prices?: Prices
  /** Binding of the database its rows are in. Absent: the control database. */
  readonly database?: string
  /** Labels of documents that have none. Absent: they are for every reader. */
  readonly defaultAccess?: readonly string[]
  /** Of the audit log. Absent: the defaults. */
  readonly audit?: AuditSettings
}

/** How it stands, as its object knows. */
export type CorpusView = Pick<Corpus, 'tuning' | 'reranking' | 'progress' | 'version' | 'counts' | 'usage'> & {
  readonly status: Extract<Corpus['status'], 'settled' | 'indexing' | 'paused_budget' | 'restoring'>
}
