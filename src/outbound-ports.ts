/**
 * What leaves a corpus for addresses its owners gave: events told to their endpoints, pages fetched from their sources. The object keeps
 * what is owed; the queue only carries names of it; whoever carries it out reports back. Declared here, implemented by the object.
 */
import type { Actor } from './audit-ports'
import type { Asker } from './core/access/labels'
import type { DocumentInput, Page } from './ports'
import type { SealedSecrets } from './reseal-ports'

export const EVENTS = [
  'document.ready',
  'document.partial',
  'document.failed',
  'corpus.settled',
  'budget.threshold',
  'corpus.drift',
] as const
export type EventType = (typeof EVENTS)[number]

/** A name of something owed. It says nothing else, so that whatever a queue keeps of it is of no use to anybody. */
export interface OutboundMessage {
  readonly kind: 'delivery' | 'fetch'
  readonly uid: string
  readonly id: string
}

/** Every message may arrive late, twice, or never; the object is asked again what is owed. Rejects when the queue takes no more: of those given, some may have been sent. */
export interface Outbound {
  send(messages: readonly OutboundMessage[]): Promise<void>
}

// ---------------------------------------------------------------- endpoints and deliveries

/** Newest first. Sealed; `until` (ms) ends the overlap of one that was replaced, null: in use. */
export type Secrets = readonly { readonly sealed: string; readonly until: number | null }[]

export interface EndpointRecord {
  readonly id: string
  readonly url: string
  /** Empty: all. */
  readonly events: readonly EventType[]
  readonly secrets: Secrets
  /** gone: it answered 410, and is told nothing more. */
  readonly status: 'active' | 'gone'
  readonly created: number
  /** On whose behalf it was made: it is told of documents these may read. Absent: of all. */
  readonly asker?: Asker
}

export type DeliveryStatus = 'pending' | 'delivered' | 'dead'

export interface DeliveryView {
  readonly delivery: string
  readonly endpoint: string
  /** What receivers know it by; the same at each attempt. */
  readonly event: string
  readonly type: EventType
  readonly status: DeliveryStatus
  readonly attempts: number
  /** Milliseconds since the epoch, as all times here. */
  readonly created: number
  /** Of the next attempt, while pending. */
  readonly due: number
  /** How the last attempt ended: `http_503`, `timeout`, …; null before the first. */
  readonly last: string | null
}

/** What to do about a message. */
export type Order<T> =
  | ({ readonly kind: 'go'; readonly attempt: number } & T)
  /** Not before so many milliseconds: another attempt may be under way. */
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'nothing' }

export interface DeliveryOrder {
  readonly endpoint: string
  readonly event: string
  readonly url: string
  readonly secrets: Secrets
  readonly body: string
}

export type DeliveryOutcome =
  | { readonly kind: 'delivered'; readonly last: string }
  /** `retryAfter`: milliseconds the receiver asked for. */
  | { readonly kind: 'failed'; readonly last: string; readonly retryAfter?: number }
  /** The receiver wants nothing more, ever. */
  | { readonly kind: 'gone'; readonly last: string }

// ---------------------------------------------------------------- sources

export interface SourceInput {
  readonly id: string
  readonly url: string
  readonly document: string
  /** Milliseconds between two looks. */
  readonly every: number
  /** What becomes of the document of a page that is twice not there. */
  readonly onGone: 'keep' | 'delete'
  readonly metadata: DocumentInput['metadata']
  /** Labels given to the document. Absent: none. */
  readonly access?: readonly string[]
  readonly created: number
}

export interface SourceRecord extends SourceInput {
  /** failing: the last look failed, the document stands · gone: the page was twice not there. */
  readonly status: 'new' | 'ok' | 'failing' | 'gone'
  /** In a row. */
  readonly failures: number
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

/** The part of the corpus object that this is about. Each call is one transaction; what is not there is null, false or `nothing`. */
/** `by`: as in CorpusObject. */
export interface OutboundObject {
  endpoints(): Promise<readonly EndpointRecord[]>
  /** False: too many. */
  addEndpoint(record: EndpointRecord, by?: Actor): Promise<boolean>
  /** New secrets; whatever it was, it is told things again. */
  renewEndpoint(id: string, secrets: Secrets, by?: Actor): Promise<boolean>
  /** Also of a corpus that can be undeleted; of one that is not there, none. */
  endpointSecrets(): Promise<readonly SealedSecrets[]>
  /** The same secrets under another key. False where they are not `before` any more. */
  replaceSecrets(id: string, before: Secrets, after: Secrets): Promise<boolean>
  /** With its deliveries. */
  removeEndpoint(id: string, by?: Actor): Promise<boolean>
  deliveries(endpoint: string, status: DeliveryStatus | null, cursor: string | null, limit: number): Promise<Page<DeliveryView>>
  /** From the beginning, under the same event id. */
  redeliver(id: string, by?: Actor): Promise<DeliveryView | null>
  claimDelivery(id: string): Promise<Order<DeliveryOrder>>
  /** Milliseconds until the next attempt; null: none. A report on an attempt that is no longer the last changes nothing. */
  closeDelivery(id: string, attempt: number, outcome: DeliveryOutcome): Promise<number | null>
  /** Of documents the asker may read. */
  sources(cursor: string | null, limit: number, asker?: Asker): Promise<Page<SourceRecord>>
  source(id: string, asker?: Asker): Promise<SourceRecord | null>
  addSource(input: SourceInput, by?: Actor): Promise<'added' | 'taken' | 'too_many'>
  /** The document stays. */
  removeSource(id: string, by?: Actor): Promise<boolean>
  /** Now, rather than when it is due. */
  askSource(id: string, by?: Actor): Promise<SourceRecord | null>
  claimSource(id: string): Promise<Order<SourceOrder>>
  /** Takes the page in with it: both or neither. */
  closeSource(id: string, attempt: number, outcome: FetchOutcome): Promise<void>
}
