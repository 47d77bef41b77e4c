/** What a question has found, and what it started with. Only declarations. */
import type { Evidence } from '../core/evidence'
import type { Json } from '../core/graph/types'
import type { OverviewPlan } from '../core/reader/overview/plan'
import type { QuestionTerms } from '../core/reader/question-terms'
import type { RemovedStatement } from '../core/reader/removed-statements'
import type { FacetCounts, Served } from '../ports/retrieval'
import type { Allowance } from './allowance'
import type { EmbeddedQuestion } from './entry-points'
import type { Expansion } from './expand/ask-model'
import type { Meter } from './meter'

export interface Found {
  readonly kind: 'found'
  readonly strategy: string
  /** As it was searched for. */
  readonly question: string
  readonly evidence: readonly Evidence[]
  /** What versions of its documents no longer say, for a judge alone. */
  readonly removed?: readonly RemovedStatement[]
  /** The time the question is about, in milliseconds: what was no longer in force then does not count. */
  readonly at?: number
  /** What a model has drawn from the evidence, marked with its numbers: the answer is written from this instead. */
  readonly points?: readonly string[]
  /** The question is about a whole. */
  readonly overview?: OverviewPlan
  /** What else was searched for; undefined: nothing was requested. */
  readonly expanded?: readonly string[]
  readonly facets?: FacetCounts
  readonly trace?: Json
  readonly version: number
  /** Partitions that did not answer, by number. */
  readonly skipped?: readonly number[]
  /** Who answered, for a corpus with replicas. */
  readonly served?: Served
  /** The question's terms, with the number of passages that contain each. */
  readonly frequencies: readonly (readonly [term: string, passages: number])[]
  /** The question's terms, by their rarity in the corpus. */
  readonly terms: QuestionTerms
  /** How many passages the corpus has. */
  readonly passages: number
  readonly meter: Meter
}

/** What a question starts with. */
export interface QuestionStart {
  readonly allowance: Allowance
  /** The same question, already being embedded (with its expansion), and covered. */
  readonly question?: Promise<EmbeddedQuestion>
  /** It is asked without a vector. */
  readonly isUnembedded?: true
  /** For the same question: already being computed, and covered. */
  readonly expansion?: Promise<Expansion>
  /** A model will write the answer from what is found. */
  readonly writes?: boolean
  /** If there is a judge, it will compare what the documents say. */
  readonly isCompared?: boolean
}
