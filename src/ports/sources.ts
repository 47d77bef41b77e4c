/** Pages that are read again and again. */
import type { Source } from '../contract/sources'
import type { DocumentInput } from './documents'

export interface SourceInput {
  readonly id: string
  readonly url: string
  readonly document: string
  /** Milliseconds between two looks. */
  readonly every: number
  /** What becomes of the document of a page that is twice not there. */
  readonly onGone: Source['on_gone']
  readonly metadata: DocumentInput['metadata']
  /** Labels given to the document. Absent: none. */
  readonly access?: readonly string[]
  readonly created: number
}

export interface SourceRecord extends SourceInput, Pick<Source, 'status' | 'failures'> {
  readonly last: string | null
  /** Of the last look that found the page, changed or not; null: none. */
  readonly seen: number | null
  /** Of the last look that changed the document. */
  readonly changed: number | null
  readonly due: number
}

export interface SourceOrder {
  readonly source: string
  readonly url: string
  readonly document: string
  readonly metadata: DocumentInput['metadata']
  /** What the site said of the page it last gave; null where the document is not here. */
  readonly known: { readonly etag: string | null; readonly modified: string | null; readonly hash: string } | null
}

export type FetchOutcome =
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'fetched'
      readonly document: DocumentInput
      readonly etag: string | null
      readonly modified: string | null
      /** SHA-256 of the bytes. */
      readonly hash: string
    }
  /** 404 or 410. */
  | { readonly kind: 'missing'; readonly last: string }
  | { readonly kind: 'failed'; readonly last: string; readonly retryAfter?: number }
