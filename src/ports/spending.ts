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
  /** Tokens a reranker reads. Absent: as those the text model reads. */
  readonly reranked?: number
  /** Of a judge of its own. Absent: as those of the text model. */
  readonly judged?: { readonly in: number; readonly out: number }
  /** Of stages whose role has a model with another price. Absent: none has. */
  readonly written?: { readonly [stage: string]: { readonly in: number; readonly out: number } }
  readonly date?: string
}

/**
 * What work comes to at most, in all and by stage, set aside under its id before any of it is done: a ceiling counts it as spent until the
 * work is charged. Sent again with more, it is raised.
 */
export interface Hold {
  /** Random: no two pieces of work share it. */
  readonly id: string
  readonly max: { readonly [stage: string]: Spent }
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

/** As the object keeps it; `measured`: what further documents are estimated by. */
export type UsageView = Omit<CorpusUsage, 'prices' | 'key'> & { readonly prices?: Prices; readonly measured: Measured | null }
