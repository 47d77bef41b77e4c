/** What names a corpus, how it is configured, and how it stands. */
import type { Settings } from '../core/settings'
import type { AuditSettings } from './audit'
import type { Progress } from './jobs'
import type { Budget, Prices, Spent } from './spending'

/** A corpus, and the database its rows are in. Absent: the control database, which held all of them before there was a pool. */
export interface CorpusRef {
  readonly uid: string
  readonly database?: string
}

/** What the catalogue knows of a corpus; the object is told at each change and keeps a copy. */
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

export interface CorpusView {
  readonly status: 'settled' | 'indexing' | 'paused_budget'
  /** `auto` has not measured its channels yet, or does so now: it answers by a guess that is as good as `hybrid`. */
  readonly tuning: boolean
  /** Of all jobs under way together, since the corpus was last settled. Absent: it is settled. */
  readonly progress?: Progress
  readonly version: number
  readonly counts: { readonly [kind: string]: number }
  readonly usage: Spent & { readonly usd: number }
}
