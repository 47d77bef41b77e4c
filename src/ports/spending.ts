/** What work costs, and what may be spent on it. */
import type { CorpusUsage, Spent } from '../contract/usage'
import type { Measured } from '../core/estimate/measured'

/** What one stage (embed, extract, summarize, report, rerank, answer, …) has cost. */
export interface StageSpent extends Spent {
  readonly calls: number
}

export type StagesSpent = { readonly [stage: string]: StageSpent }

/** US dollars per million tokens of each sort, and the date of the price table they come from. */
export interface Prices extends Spent {
  /** Tokens that a re-ranker reads. Absent: priced like those the text model reads. */
  readonly reranked?: number
  /** For a separate judge. Absent: priced like the text model. */
  readonly judged?: { readonly in: number; readonly out: number }
  /** For stages whose role has a model with another price. Absent: none. */
  readonly written?: { readonly [stage: string]: { readonly in: number; readonly out: number } }
  readonly date?: string
}

/**
 * What work costs at most, in all and by stage, set aside under its id before any of it is done: a ceiling counts it as spent until the
 * work is charged. Sending it again with more raises it.
 */
export interface Hold {
  /** Random: no two pieces of work share it. */
  readonly id: string
  readonly max: { readonly [stage: string]: Spent }
}

/** For a corpus with a budget: was the requested amount set aside? `unasked`: nothing was requested. */
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

/** As the object stores it; `measured`: the basis for estimating further documents. */
export type UsageView = Omit<CorpusUsage, 'prices' | 'key'> & { readonly prices?: Prices; readonly measured: Measured | null }
