/** Pages that are read again and again: one by one, or as listed by a site. */
import type { SourceKind } from '../contract/source-kinds'
import type { Source, SourceItem } from '../contract/sources'
import type { Secrets } from './deliveries'
import type { DocumentInput } from './documents'
import type { Accepted } from './jobs'

/** Which items a source of many documents includes, and how. */
export interface SourceOptions {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly maxItems: number
  readonly content: Source['content']
  /** Absent: the default branch. */
  readonly ref?: string | null
  /** For S3. Absent: derived from its host. */
  readonly region?: string | null
}

export interface SourceInput {
  readonly id: string
  /** Absent: a page. */
  readonly kind?: SourceKind
  readonly url: string
  /** For a source of many documents: its own id. */
  readonly document: string
  /** Milliseconds between two checks. */
  readonly every: number
  /** What happens to the document of a page that no longer exists. */
  readonly onGone: Source['on_gone']
  /** How many checks in a row must miss it. Absent: two. */
  readonly goneAfter?: number
  /** Absent: everything, up to a thousand. */
  readonly options?: SourceOptions
  readonly metadata: DocumentInput['metadata']
  /** Labels given to what it brings. Absent: none. */
  readonly access?: readonly string[]
  readonly created: number
  /** Its credential, sealed under the source's id. Absent: it needs none. */
  readonly secrets?: Secrets
}

/** Why it is checked before it is due. */
export type AskedFor =
  /** A caller wants it now, whatever delay its site has asked for. */
  | { readonly kind: 'call' }
  /** There is something new: check it now, or when the pause that its site asked for is over. */
  | { readonly kind: 'push' }
  /** These items were added, changed or removed: only they are checked. */
  | { readonly kind: 'objects'; readonly objects: readonly ObjectNews[] }
  /** Its credential has changed. A source that needs none ignores this. */
  | { readonly kind: 'credential'; readonly secrets: Secrets }

export interface SourceRecord extends Omit<SourceInput, 'secrets'>, Pick<Source, 'status' | 'failures' | 'items' | 'credential'> {
  readonly kind: SourceKind
  readonly goneAfter: number
  readonly options: SourceOptions
  readonly last: string | null
  /** The last check that found the page, changed or not; null: none. */
  readonly seen: number | null
  /** The last check that changed a document. */
  readonly changed: number | null
  readonly due: number
}

/** An item of a source of many documents, as shown. */
export interface ItemRecord extends Pick<SourceItem, 'item' | 'document' | 'status' | 'failures'> {
  readonly last: string | null
  readonly seen: number | null
  readonly due: number | null
}

export interface ItemsPage {
  /** Null: any state. */
  readonly status: SourceItem['status'] | null
  readonly cursor: string | null
  readonly limit: number
}

/** As the site last stated them. */
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
  /** Null if the document is not here. */
  readonly known: Known | null
}

/** An item of a listing, to be checked. */
export interface ItemOrder extends Pick<PageOrder, 'document' | 'known'> {
  readonly key: string
  /** As the listing states it. */
  readonly mark: string | null
  readonly title: string
  readonly published: string | null
}

interface CollectionOrder {
  /** Absent: it needs none. Empty: it came from a backup. */
  readonly secrets?: Secrets
  readonly source: string
  readonly of: SourceKind
  readonly url: string
  readonly options: SourceOptions
  readonly metadata: DocumentInput['metadata']
}

export interface ListOrder extends CollectionOrder {
  readonly task: 'list'
  /** Where the listing continues; null: from the start. */
  readonly cursor: string | null
  /** How many more items it may name. */
  readonly room: number
}

export interface ItemsOrder extends CollectionOrder {
  readonly task: 'items'
  /** None: only the object has something to do. */
  readonly items: readonly ItemOrder[]
}

export type SourceOrder = ({ readonly task: 'page'; readonly source: string } & PageOrder) | ListOrder | ItemsOrder

/** The outcome of checking one page. */
/** `mark`: its current state as a listing would mark it; absent: as last marked. */
export type FetchOutcome =
  | { readonly kind: 'unchanged'; readonly mark?: string }
  | ({ readonly kind: 'fetched'; readonly document: DocumentInput; readonly mark?: string } & Known)
  /** 404 or 410. */
  | { readonly kind: 'missing'; readonly last: string }
  | { readonly kind: 'failed'; readonly last: string; readonly retryAfter?: number }

/** For an item: it may contain many documents, each with the item's key as `archive` in its metadata, by which they are deleted with it. */
export type LookOutcome =
  | FetchOutcome
  | ({ readonly kind: 'unpacked'; readonly documents: readonly DocumentInput[]; readonly mark?: string } & Known)

export interface Listed {
  readonly key: string
  /** The id of its document. */
  readonly document: string
  /** A value that changes whenever it changes; null: only fetching it can tell. */
  readonly mark: string | null
  readonly title: string
  readonly published: string | null
  /** The document itself, if the listing contains it: nothing remains to be fetched. */
  readonly content?: DocumentInput
}

/** `isGone`: for an unknown item nothing has to be done. */
export interface ObjectNews extends Listed {
  readonly isGone: boolean
}

export interface Listing {
  readonly kind: 'listed'
  readonly entries: readonly Listed[]
  /** Where the next check of the listing continues; null: this was its end. */
  readonly next: string | null
  /** At its end: anything it did not name no longer exists. */
  readonly isComplete: boolean
  /** Anything it did not name may still exist: it is checked. */
  readonly isUnsure?: boolean
}

export interface Looks {
  readonly kind: 'looked'
  /** For the items requested, in order; the rest is left for another time. */
  readonly looks: readonly { readonly key: string; readonly outcome: LookOutcome }[]
  /** Milliseconds for which the site is paused. */
  readonly pause: number
}

export type SourceOutcome = FetchOutcome | Listing | Looks

/** What became of the documents of an attempt. */
export type Took = { readonly kind: 'changed' | 'unchanged' } | { readonly kind: 'refused'; readonly last: string }

/** As a source says it. */
export function tookOf(accepted: Accepted): Took {
  if (accepted.kind === 'full') return { kind: 'refused', last: FULL_CODES[accepted.what] ?? 'corpus_full' }
  if (accepted.kind === 'over_budget') return { kind: 'refused', last: accepted.kind }
  return { kind: accepted.kind === 'accepted' ? 'changed' : 'unchanged' }
}

const FULL_CODES: { readonly [what: string]: string } = {
  database_bytes: 'database_full',
  storage_bytes: 'storage_full',
  index_vectors: 'index_full',
}

/** The documents of a report that are to be taken, by id, and the labels of their source. */
export interface PlannedDocuments {
  readonly documents: readonly string[]
  readonly access: readonly string[]
}
