/** What becomes of what is handed in. */
import type { DocumentStatus } from '../contract/documents'
import type { CorrectionKept } from './documents'

interface OfDocument<Status> {
  readonly document: string
  readonly status: Status
  /** Of a document that was corrected before. */
  readonly correction?: CorrectionKept
}

export type Accepted =
  | {
      readonly kind: 'accepted'
      readonly job: string
      readonly documents: readonly OfDocument<DocumentStatus | 'unchanged'>[]
    }
  /** Every document given is already here, word for word. `version`: with it other labels came into force. */
  | {
      readonly kind: 'unchanged'
      readonly documents: readonly OfDocument<'unchanged'>[]
      readonly version?: number
    }
  /** One of the events named has been taken in before, with this job (null: it changed nothing). */
  | { readonly kind: 'duplicate'; readonly job: string | null }
  | { readonly kind: 'over_budget'; readonly estimate: number; readonly left: number }
  /** The corpus would hold more than it may. */
  | {
      readonly kind: 'full'
      readonly what: 'documents' | 'chunks' | 'database_bytes' | 'storage_bytes' | 'index_vectors'
      readonly max: number
    }
  | { readonly kind: 'precondition_failed' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'gone' }

/** What becomes of a correction. */
export type Corrected =
  | Accepted
  /** The document does not have the chunk. */
  | { readonly kind: 'no_chunk' }
  /** It has it so many times: an ordinal is to say which. */
  | { readonly kind: 'ambiguous'; readonly places: number }
  /** What is served is about to be replaced or to go. */
  | { readonly kind: 'changing' }
  /** Of the document's text nothing would be left, or more than one may hold. */
  | { readonly kind: 'blank' | 'too_large' }
