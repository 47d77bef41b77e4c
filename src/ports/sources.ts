/** Pages that are read again and again: one by one, or as a site lists them. */
import type { SourceKind } from '../contract/source-kinds'
import type { Source, SourceItem } from '../contract/sources'
import type { Secrets } from './deliveries'
import type { DocumentInput } from './documents'

/** What a source of many documents takes, and how. */
export interface SourceOptions {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly maxItems: number
  readonly content: Source['content']
  /** Absent: the default branch. */
  readonly ref?: string | null
  /** Of S3. Absent: as its host says. */
  readonly region?: string | null
}

export interface SourceInput {
  readonly id: string
  /** Absent: a page. */
  readonly kind?: SourceKind
  readonly url: string
  /** Of a source of many documents: its own id. */
  readonly document: string
  /** Milliseconds between two looks. */
  readonly every: number
  /** What becomes of the document of a page that is not there any more. */
  readonly onGone: Source['on_gone']
  /** Looks in a row that must miss it. Absent: two. */
  readonly goneAfter?: number
  /** Absent: everything, a thousand of it. */
  readonly options?: SourceOptions
  readonly metadata: DocumentInput['metadata']
  /** Labels given to what it brings. Absent: none. */
  readonly access?: readonly string[]
  readonly created: number
  /** With what it is let in, sealed under the source's id. Absent: it needs nothing. */
  readonly secrets?: Secrets
}

/** Why it is looked at before it is due. */
export type AskedFor =
  /** A caller wants it now, whatever its site has asked for. */
  | { readonly kind: 'call' }
  /** There is something new: now, or when the pause that its site has asked for is over. */
  | { readonly kind: 'push' }
  /** These have come, changed or gone: they alone are looked at. */
  | { readonly kind: 'objects'; readonly objects: readonly ObjectNews[] }
  /** It has something else to be let in with. Of one that needs nothing, nothing happens. */
  | { readonly kind: 'credential'; readonly secrets: Secrets }

export interface SourceRecord extends Omit<SourceInput, 'secrets'>, Pick<Source, 'status' | 'failures' | 'items' | 'credential'> {
  readonly kind: SourceKind
  readonly goneAfter: number
  readonly options: SourceOptions
  readonly last: string | null
  /** Of the last look that found the page, changed or not; null: none. */
  readonly seen: number | null
  /** Of the last look that changed a document. */
  readonly changed: number | null
  readonly due: number
}

/** One of a source of many documents, as it is shown. */
export interface ItemRecord extends Pick<SourceItem, 'item' | 'document' | 'status' | 'failures'> {
  readonly last: string | null
  readonly seen: number | null
  readonly due: number | null
}

export interface ItemsPage {
  /** Null: whatever it is. */
  readonly status: SourceItem['status'] | null
  readonly cursor: string | null
  readonly limit: number
}

/** What the site said when it last gave it. */
export interface Known {
  readonly etag: string | null
  readonly modified: string | null
  /** SHA-256 of the bytes. */
  readonly hash: string
}

export interface PageOrder {
  readonly url: string
  readonly document: string
  readonly metadata: DocumentInput['metadata']
  /** Null where the document is not here. */
  readonly known: Known | null
}

/** One of a listing, to be looked at. */
export interface ItemOrder extends Pick<PageOrder, 'document' | 'known'> {
  readonly key: string
  /** As the listing says. */
  readonly mark: string | null
  readonly title: string
  readonly published: string | null
}

interface CollectionOrder {
  /** Absent: it needs none. Empty: it came out of a backup. */
  readonly secrets?: Secrets
  readonly source: string
  readonly of: SourceKind
  readonly url: string
  readonly options: SourceOptions
  readonly metadata: DocumentInput['metadata']
}

export interface ListOrder extends CollectionOrder {
  readonly task: 'list'
  /** Where the listing continues; null: it begins. */
  readonly cursor: string | null
  /** How many more it may name. */
  readonly room: number
}

export interface ItemsOrder extends CollectionOrder {
  readonly task: 'items'
  /** None: there is something for the object alone to do. */
  readonly items: readonly ItemOrder[]
}

export type SourceOrder = ({ readonly task: 'page'; readonly source: string } & PageOrder) | ListOrder | ItemsOrder

/** What became of one look at one page. */
/** `mark`: as a listing would say of its state now; absent, what the last one said. */
export type FetchOutcome =
  | { readonly kind: 'unchanged'; readonly mark?: string }
  | ({ readonly kind: 'fetched'; readonly document: DocumentInput; readonly mark?: string } & Known)
  /** 404 or 410. */
  | { readonly kind: 'missing'; readonly last: string }
  | { readonly kind: 'failed'; readonly last: string; readonly retryAfter?: number }

/** Of an item: it may hold many documents, each with the item's key as `archive` in its metadata, by which they go when it does. */
export type LookOutcome =
  | FetchOutcome
  | ({ readonly kind: 'unpacked'; readonly documents: readonly DocumentInput[]; readonly mark?: string } & Known)

export interface Listed {
  readonly key: string
  /** Of its document. */
  readonly document: string
  /** What changes when it changes; null: it must be looked at to know. */
  readonly mark: string | null
  readonly title: string
  readonly published: string | null
  /** The document itself, where the listing holds it: nothing is left to be looked at. */
  readonly content?: DocumentInput
}

/** `isGone`: of one that is not known nothing is to be done. */
export interface ObjectNews extends Listed {
  readonly isGone: boolean
}

export interface Listing {
  readonly kind: 'listed'
  readonly entries: readonly Listed[]
  /** Where the next look at the listing continues; null: this was the end of it. */
  readonly next: string | null
  /** At its end: what it did not name is not there. */
  readonly isComplete: boolean
  /** What it did not name may be there all the same: it is looked at. */
  readonly isUnsure?: boolean
}

export interface Looks {
  readonly kind: 'looked'
  /** Of those asked for, in their order; the rest is left for another time. */
  readonly looks: readonly { readonly key: string; readonly outcome: LookOutcome }[]
  /** Milliseconds for which the site is left alone. */
  readonly pause: number
}

export type SourceOutcome = FetchOutcome | Listing | Looks
