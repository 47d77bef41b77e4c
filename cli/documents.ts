/** What files are read as. */
import type { NewBatch } from '../src/client/client'

type Upsert = NonNullable<NewBatch['upserts']>[number]

/** A document as a file holds it; it may still be too long to be sent. */
export interface SourceDocument {
  readonly id: string
  /** Empty if the file itself is sent and its text is not known. */
  readonly text: string
  /** A file that is sent in place of the text: the service reads it. */
  readonly content_base64?: string
  readonly content_type?: string
  readonly title?: string | undefined
  readonly url?: string | undefined
  readonly metadata?: Upsert['metadata']
  readonly access?: readonly string[]
  readonly active?: boolean
  readonly language?: Upsert['language']
  /** Where pages, slides, cells and lines begin. */
  readonly outline?: Upsert['outline']
  /** Entities and relations that came with it. */
  readonly graph?: Upsert['graph']
  readonly published_at?: Upsert['published_at']
  readonly valid_from?: Upsert['valid_from']
  readonly valid_until?: Upsert['valid_until']
}

export interface Skipped {
  readonly skipped: string
  readonly why: string
}

export type Read = { readonly document: SourceDocument } | Skipped

/** Without a guaranteed order: what is read one after another, at once or as it comes. */
export type Many<T> = Iterable<T> | AsyncIterable<T>
