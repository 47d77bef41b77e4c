/** What a strategy requests from models for documents. Declarations only. */
import type { Tokens } from '../cost'
import type { Settings } from '../settings'
import type { Bulk } from './bulk'
import type { Case } from './rates'

export type Work = Tokens & { readonly calls: { readonly [kind: string]: number } }

export interface Need {
  /** Sentences are embedded, too. */
  readonly sentences?: boolean
  /** Share of the chunks a model reads for entities and relations. */
  read?(bound: Case): number
  /** What nobody else needs. */
  own?(asked: Asked): readonly Work[]
}

export interface Asked {
  readonly bulk: Bulk
  readonly settings: Settings
  readonly bound: Case
  /** Is there a model that writes? */
  readonly writes: boolean
}
