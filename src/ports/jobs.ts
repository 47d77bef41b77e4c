/** The outcome of accepting documents. */
import type { DocumentStatus } from '../contract/documents'
import type { CorrectionKept } from './documents'
import type { RemainingBudget } from './spending'

interface Amount {
  readonly tokens: number
  readonly usd: number
}

interface OfDocument<Status> {
  readonly document: string
  readonly status: Status
  /** For a document that was corrected before. */
  readonly correction?: CorrectionKept
}

export type Accepted =
  | {
      readonly kind: 'accepted'
      readonly job: string
      readonly documents: readonly OfDocument<DocumentStatus | 'unchanged'>[]
      /** In a partition of a corpus with a budget: what the documents will probably cost, and what is left for the whole. */
      readonly cost?: { readonly estimate: Amount; readonly left: RemainingBudget }
    }
  /** Every document given is already here, word for word. `version`: other labels took effect with it. */
  | {
      readonly kind: 'unchanged'
      readonly documents: readonly OfDocument<'unchanged'>[]
      readonly version?: number
    }
  /** One of the events named was accepted before, with this job (null: it changed nothing). */
  | { readonly kind: 'duplicate'; readonly job: string | null }
  | { readonly kind: 'over_budget'; readonly estimate: number; readonly left: number }
  /** The corpus would exceed its limits. */
  | {
      readonly kind: 'full'
      readonly what: 'documents' | 'chunks' | 'database_bytes' | 'storage_bytes' | 'index_vectors'
      readonly max: number
    }
  | { readonly kind: 'precondition_failed' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'gone' }

/** The outcome of a correction. */
export type Corrected =
  | Accepted
  /** The document does not have the chunk. */
  | { readonly kind: 'no_chunk' }
  /** The document has it this many times: an ordinal must say which. */
  | { readonly kind: 'ambiguous'; readonly places: number }
  /** The served version is about to be replaced or deleted. */
  | { readonly kind: 'changing' }
  /** Nothing would be left of the document's text, or it would become too long. */
  | { readonly kind: 'blank' | 'too_large' }
