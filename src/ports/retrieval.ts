/** A question to the object, and what it finds. */
import type { Asker } from '../core/access/labels'
import type { Evidence } from '../core/evidence'
import type { Json } from '../core/graph/types'
import type { OverviewPlan } from '../core/reader/overview/plan'
import type { RemovedStatement } from '../core/reader/removed-statements'
import type { EmbeddingSettings } from '../core/settings'
import type { Period } from '../core/text/iso-date'
import type { Held, Hold } from './spending'

export interface RetrieveRequest {
  readonly strategy: string
  readonly text: string
  /** Quantised; absent while the embedding model is down. */
  readonly vector?: Int8Array
  /** Id of the model that made it, and those of the names. Absent: whichever model has vectors of that length. */
  readonly embedded?: string
  /** From the vector index, by kind. */
  readonly near: { readonly [kind: string]: readonly { readonly id: string; readonly score: number }[] }
  /** Names in the question, each with its vector and the entities nearest to it in the index (absent: the index could not be asked). */
  readonly names?: readonly QuestionedName[]
  readonly scores?: readonly (readonly [string, number])[]
  /** The version the wanted scores were asked for. */
  readonly version?: number
  readonly topK: number
  /** Used instead if the question is about a whole and the asker has not said how many pieces they want. */
  readonly whole?: number
  readonly budget: number
  /** Limits of the pool that a re-ranker or a model chooses from, if there is one. */
  readonly pool?: { readonly topK: number; readonly budget: number }
  readonly trace: boolean
  readonly options: { readonly [key: string]: Json }
  readonly filters?: Filters
  /** Only what was in force or published at that time. */
  readonly period?: Period
  /** How much score older documents lose, and the current time: the object's clock is not used. */
  readonly freshness?: { readonly weight: number; readonly now: number }
  readonly boosts?: readonly Boost[]
  /** Keys of metadata by whose values the hits are counted. */
  readonly facets?: readonly string[]
  readonly minVersion?: number
  /** A judge will compare what the evidence says: it is also given what older versions of the documents said (`removed`). */
  readonly judged?: true
  /** To be set aside along the way, for the question's later calls. */
  readonly hold?: Hold
  /** On whose behalf. */
  readonly asker?: Asker
}

/** A document must match all of it. */
export interface Filters {
  readonly document?: readonly string[]
  readonly metadata?: { readonly [key: string]: Json }
  /** Language codes, one of which a document must have. */
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

/** The factor by which documents with matching metadata count more. */
export interface Boost {
  readonly metadata: { readonly [key: string]: Json }
  readonly factor: number
}

/** Documents among the hits, by value, the most frequent first. */
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
  /** By how many versions the corpus was ahead when the replica last heard from it, and how long ago (ms) it last had everything. */
  readonly staleness: { readonly versions: number; readonly ms: number }
}

export type RetrieveResult =
  | {
      readonly kind: 'evidence'
      readonly evidence: readonly Evidence[]
      /** For a judge alone. */
      readonly removed?: readonly RemovedStatement[]
      /** The evidence is a pool to choose from: how far a re-ranker is trusted (0: not at all), and for each piece the sentence that led to it and its document's weight for the asker (absent: equal). */
      readonly pool?: { readonly weight: number; readonly paths: readonly (string | null)[]; readonly worth?: readonly number[] }
      /** The question is about a whole. */
      readonly overview?: OverviewPlan
      readonly facets?: FacetCounts
      readonly trace?: Json
      readonly version: number
      /** The question's terms, with the number of passages in the corpus that contain each. */
      readonly frequencies: readonly (readonly [term: string, passages: number])[]
      /** How many passages the corpus has. */
      readonly passages: number
      /** Some vectors that the index does not show were not compared either: there were too many. */
      readonly partial?: true
      /** Partitions that did not answer in time, by number. */
      readonly skipped?: readonly number[]
      readonly held?: Held
      /** Who answered, for a corpus with replicas. */
      readonly served?: Served
    }
  | {
      readonly kind: 'wanted'
      readonly pairs: readonly { readonly key: string; readonly text: string }[]
      readonly version: number
      readonly held?: Held
    }
  /** The version asked for was not reached in time. */
  | { readonly kind: 'behind'; readonly version: number }
  /** The corpus's vectors come from another model than the question's: it was moved to it meanwhile. */
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
