/** What becomes of what is handed in. */
import type { DocumentStatus } from '../contract/documents'

export type Accepted =
  | {
      readonly kind: 'accepted'
      readonly job: string
      readonly documents: readonly { readonly document: string; readonly status: DocumentStatus | 'unchanged' }[]
    }
  /** Every document given is already here, word for word. `version`: with it other labels came into force. */
  | {
      readonly kind: 'unchanged'
      readonly documents: readonly { readonly document: string; readonly status: 'unchanged' }[]
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
