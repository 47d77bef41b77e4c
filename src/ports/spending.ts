/** What work costs, and what may be spent on it. */

import type { Measured } from '../core/estimate/measured'

export interface Spent {
  readonly in: number
  readonly out: number
  readonly embedded: number
}

/** What one stage (embed, extract, summarize, report, rerank, answer, …) has cost. */
export interface StageSpent extends Spent {
  readonly calls: number
}

export type StagesSpent = { readonly [stage: string]: StageSpent }

/** US dollars per million tokens of each sort, and the date of the price table they come from. */
export interface Prices extends Spent {
  /** Tokens a reranker reads. Absent: as those the text model reads. */
  readonly reranked?: number
  /** Of a judge of its own. Absent: as those of the text model. */
  readonly judged?: { readonly in: number; readonly out: number }
  readonly date?: string
}

/**
 * What work comes to at most, in all and by stage, set aside under its id before any of it is done: a ceiling counts it as spent until the
 * work is charged. Sent again with more, it is raised.
 */
export interface Hold {
  /** Random: no two pieces of work share it. */
  readonly id: string
  readonly most: { readonly [stage: string]: Spent }
}

/** Of a corpus with a budget: is what was asked for set aside? `unasked`: nothing was asked for. */
export type Held = 'granted' | 'refused' | 'unasked'

/** Ceilings of a corpus; absent: none. */
export interface Budget {
  readonly tokens?: number
  readonly usd?: number
}

/** What is left of a budget; null: no such ceiling. */
export interface RemainingBudget {
  readonly tokens: number | null
  readonly usd: number | null
}

export type Amounts = StageSpent & { readonly usd: number; readonly neurons: number }

/** The ledger of money. `shared`: what serves several documents or none (summaries, questions, documents that are gone). */
export interface UsageView {
  readonly total: Amounts
  readonly stages: { readonly [stage: string]: Amounts }
  readonly shared: Amounts & { readonly stages: { readonly [stage: string]: Amounts } }
  /** Rows written to the read model since the corpus was made. */
  readonly rows_published: number
  readonly budget: Budget
  /** Set aside for work under way. */
  readonly held: { readonly tokens: number; readonly usd: number }
  readonly prices?: Prices
  /** What further documents are estimated by. */
  readonly measured: Measured | null
  /** One page of documents, by id. */
  readonly data: readonly (Amounts & { readonly document: string; readonly stages: { readonly [stage: string]: Amounts } })[]
  readonly next_cursor: string | null
}
