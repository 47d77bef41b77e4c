/** A partition of a corpus, as a question to the whole reads it: many reads in one call, and whatever else only its object knows. */
import type { Evidence } from '../core/evidence'
import type { Omitted } from '../core/graph/reader'
import type { Hit, NodeKind } from '../core/graph/types'
import type { ChunkRead, Counts, DocumentRead, Read } from '../core/joint/reads'
import type { EmbeddingSettings, Settings } from '../core/settings'
import type { QuestionName } from '../core/strategy'
import type { FacetCounts, RetrieveRequest } from './retrieval'

/** The parts of a question that decide what a partition shows. */
export type PartitionQuestion = Pick<
  RetrieveRequest,
  'strategy' | 'text' | 'vector' | 'embedded' | 'filters' | 'period' | 'freshness' | 'boosts' | 'asker'
> & {
  /** Absent: the walk may read everything. */
  readonly omits?: readonly Omitted[]
}

export interface PartitionRequest {
  readonly question: PartitionQuestion
  readonly reads: readonly Read[]
  /** In the first round: its total contents, and its settings. */
  readonly counts?: true
  /** Entry points from the index, including those of other partitions, to be scored with its own vectors. */
  readonly entries?: Pick<RetrieveRequest, 'near' | 'names'>
}

export type PartitionAnswer =
  | {
      readonly kind: 'read'
      readonly version: number
      readonly answers: readonly unknown[]
      readonly counts?: Counts
      readonly settings?: Settings
      /** With the counts: the corpus has a budget. */
      readonly isCapped?: true
      /** With the counts: the corpus's own object has yet to be told of a deletion. */
      readonly isForgetting?: true
      readonly entries?: PartitionEntries
      /** With a filter: the documents in these answers that it admits. */
      readonly admitted?: readonly string[]
      /** Where documents have different weights: the weights of those in these answers. */
      readonly worth?: readonly (readonly [document: string, worth: number])[]
      /** Some vectors that the index does not show yet were not compared. */
      readonly partial?: true
    }
  | { readonly kind: 'moved'; readonly embedding: EmbeddingSettings }
  | { readonly kind: 'filter_unknown'; readonly filter: string }
  | { readonly kind: 'strategy_not_enabled' }
  | { readonly kind: 'gone' }

export interface PartitionEntries {
  readonly near: { readonly [kind in NodeKind]?: readonly Hit[] }
  readonly names?: readonly QuestionName[]
  readonly chunks: readonly ChunkRead[]
  readonly documents: readonly DocumentRead[]
}

/** What was found in it, to be shown with dates and places. */
export interface PartitionEvidence {
  readonly question: PartitionQuestion
  readonly evidence: readonly Evidence[]
  /** Hits whose documents are counted by their metadata. */
  readonly facets?: { readonly hits: readonly string[]; readonly keys: readonly string[] }
}

export interface PartitionShown {
  readonly evidence: readonly Evidence[]
  readonly facets?: FacetCounts
}
