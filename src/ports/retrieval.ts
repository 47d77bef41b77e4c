/** A question to the object, and what it finds. */
import type { Asker } from '../core/access/labels'
import type { Evidence } from '../core/evidence'
import type { Json } from '../core/graph/types'
import type { OverviewPlan } from '../core/reader/overview/plan'
import type { EmbeddingSettings } from '../core/settings'
import type { Period } from '../core/text/iso-date'
import type { Held, Hold } from './spending'

export interface RetrieveRequest {
  readonly strategy: string
  readonly text: string
  /** Quantised; absent while the embedding model is down. */
  readonly vector?: Int8Array
  /** Id of the model that made it, and those of the names. Absent: whichever has vectors of that length. */
  readonly embedded?: string
  /** From the vector index, by kind. */
  readonly near: { readonly [kind: string]: readonly { readonly id: string; readonly score: number }[] }
  /** Names that the question says, each with its vector and the entities the index shows nearest to it (absent: it could not be asked). */
  readonly names?: readonly QuestionedName[]
  readonly scores?: readonly (readonly [string, number])[]
  /** The version the wanted scores were asked for. */
  readonly version?: number
  readonly topK: number
  /** In its place, where the question is about a whole and the asker has not said how many pieces they want. */
  readonly whole?: number
  readonly budget: number
  /** Limits of what a re-ranker or a model is to choose from, if there is something to choose it. */
  readonly pool?: { readonly topK: number; readonly budget: number }
  readonly trace: boolean
  readonly options: { readonly [key: string]: Json }
  readonly filters?: Filters
  /** Only what is in force or was published then. */
  readonly period?: Period
  /** How much of a score what is older loses, and when now is: the object's clock is not asked. */
  readonly freshness?: { readonly weight: number; readonly now: number }
  readonly boosts?: readonly Boost[]
  /** Keys of metadata by whose values the hits are counted. */
  readonly facets?: readonly string[]
  readonly minVersion?: number
  /** To be set aside on the way, for what the question will call afterwards. */
  readonly hold?: Hold
  /** For whom. */
  readonly asker?: Asker
}

/** A document must fit all of it. */
export interface Filters {
  readonly document?: readonly string[]
  readonly metadata?: { readonly [key: string]: Json }
  /** Codes of languages, of which a document must be in one. */
  readonly language?: readonly string[]
  /** Names of saved filters. */
  readonly saved?: readonly string[]
}

export interface SavedFilter {
  readonly name: string
  readonly filters: Filters
  /** Milliseconds since the epoch. */
  readonly changed: number
}

/** Documents whose metadata fit are worth so many times as much. */
export interface Boost {
  readonly metadata: { readonly [key: string]: Json }
  readonly factor: number
}

/** Documents of the hits, by value, the most frequent first. */
export interface FacetCounts {
  readonly [key: string]: readonly { readonly value: string | number | boolean | null; readonly documents: number }[]
}

export interface QuestionedName {
  readonly text: string
  readonly vector: Int8Array
  readonly near?: readonly { readonly id: string; readonly score: number }[]
}

export interface Served {
  /** `writer`: the corpus's own object. */
  readonly by: 'writer' | `replica ${number}`
  /** By how many versions the corpus was ahead when the replica last heard of it, and how long ago (ms) it last had everything. */
  readonly staleness: { readonly versions: number; readonly ms: number }
}

export type RetrieveResult =
  | {
      readonly kind: 'evidence'
      readonly evidence: readonly Evidence[]
      /** The evidence is a pool to choose from: how far a re-ranker is trusted (0: not at all), and of each piece the sentence that led to it, and what its document is worth to the asker (absent: all the same). */
      readonly pool?: { readonly weight: number; readonly paths: readonly (string | null)[]; readonly worth?: readonly number[] }
      /** The question is about a whole. */
      readonly overview?: OverviewPlan
      readonly facets?: FacetCounts
      readonly trace?: Json
      readonly version: number
      /** The question's terms, in how many passages of the corpus each is. */
      readonly frequencies: readonly (readonly [term: string, passages: number])[]
      /** Passages of the corpus. */
      readonly passages: number
      /** Some vectors that the index does not show were not compared either: they were too many. */
      readonly partial?: true
      /** Partitions that did not answer in time, by number. */
      readonly skipped?: readonly number[]
      readonly held?: Held
      /** Who answered, of a corpus with replicas. */
      readonly served?: Served
    }
  | {
      readonly kind: 'wanted'
      readonly pairs: readonly { readonly key: string; readonly text: string }[]
      readonly version: number
      readonly held?: Held
    }
  /** The version asked for has not been reached in time. */
  | { readonly kind: 'behind'; readonly version: number }
  /** The corpus has vectors of another model than the question: it was moved to it meanwhile. */
  | { readonly kind: 'moved'; readonly embedding: EmbeddingSettings }
  /** It has no saved filter of this name. */
  | { readonly kind: 'filter_unknown'; readonly filter: string }
  | { readonly kind: 'strategy_not_enabled' }
  | { readonly kind: 'gone' }

/** Citations are checked against the stored text, at one version: `text.slice(start, end) === quote`. */
export interface Quote {
  readonly document: string
  readonly start: number
  readonly end: number
  readonly quote: string
}
