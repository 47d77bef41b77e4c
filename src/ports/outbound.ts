/**
 * Traffic from a corpus to addresses that its owners gave: events sent to their endpoints, pages fetched from their sources. The object
 * keeps what is due; the queue only carries its names; the consumer reports back. Declared here, implemented by the object.
 */

import type { DeliveryStatus } from '../contract/endpoints'
import type { Page } from '../contract/pages'
import type { Asker } from '../core/access/labels'
import type { Actor } from './audit'
import type { DeliveryOrder, DeliveryOutcome, DeliveryView, EndpointRecord, Secrets } from './deliveries'
import type { SealedSecrets } from './reseal'
import type {
  AskedFor,
  ItemRecord,
  ItemsPage,
  PlannedDocuments,
  SourceInput,
  SourceOrder,
  SourceOutcome,
  SourceRecord,
  Took,
} from './sources'

/** The name of something due. It says nothing else, so that the queue's contents are useless to anyone else. */
export interface OutboundMessage {
  readonly kind: 'delivery' | 'fetch'
  readonly uid: string
  readonly id: string
}

/**
 * Every message may arrive late, twice, or never; the object is asked again what is due. Rejects when the queue accepts no more: some of
 * those given may have been sent.
 */
export interface Outbound {
  send(messages: readonly OutboundMessage[]): Promise<void>
}

/** What to do about a message. */
export type Order<T> =
  | ({ readonly kind: 'go'; readonly attempt: number } & T)
  /** Not for this many milliseconds: another attempt may be in progress. */
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'nothing' }

/**
 * The part of the corpus object that this is about. Each call is one transaction; if something does not exist, the result is null, false or
 * `nothing`. `by`: as in CorpusObject.
 */
export interface OutboundObject {
  endpoints(): Promise<readonly EndpointRecord[]>
  /** False: too many. */
  addEndpoint(record: EndpointRecord, by?: Actor): Promise<boolean>
  /** New secrets; whatever its state, it becomes active again. */
  renewEndpoint(id: string, secrets: Secrets, by?: Actor): Promise<boolean>
  /** Of endpoints and of sources. Also for a corpus that can be undeleted; for one that does not exist, none. */
  endpointSecrets(): Promise<readonly SealedSecrets[]>
  /** The same secrets under another key. False if they are no longer `before`. */
  replaceSecrets(id: string, before: Secrets, after: Secrets): Promise<boolean>
  /** Together with its deliveries. */
  removeEndpoint(id: string, by?: Actor): Promise<boolean>
  deliveries(endpoint: string, status: DeliveryStatus | null, cursor: string | null, limit: number): Promise<Page<DeliveryView>>
  /** From the beginning, under the same event id. */
  redeliver(id: string, by?: Actor): Promise<DeliveryView | null>
  claimDelivery(id: string): Promise<Order<DeliveryOrder>>
  /** Milliseconds until the next attempt; null: none. A report on an attempt that is no longer the latest changes nothing. */
  closeDelivery(id: string, attempt: number, outcome: DeliveryOutcome): Promise<number | null>
  /** Only about documents that the asker may read. */
  sources(cursor: string | null, limit: number, asker?: Asker): Promise<Page<SourceRecord>>
  source(id: string, asker?: Asker): Promise<SourceRecord | null>
  addSource(input: SourceInput, by?: Actor): Promise<'added' | 'taken' | 'too_many'>
  /** Its documents stay, or are deleted first, a few at a time. Null: there is no such source. */
  removeSource(id: string, documents: 'keep' | 'delete', by?: Actor): Promise<'removed' | 'removing' | null>
  /** The items it lists, by name, among documents the asker may read. */
  sourceItems(id: string, page: ItemsPage, asker?: Asker): Promise<Page<ItemRecord>>
  /** It is checked before it is due. Null: there is no such source. */
  askSource(id: string, why: AskedFor, by?: Actor): Promise<SourceRecord | null>
  claimSource(id: string): Promise<Order<SourceOrder>>
  /**
   * Stores the page together with the report: both or neither. `took`: others have taken its documents, with this result (in a corpus in
   * partitions, whose own object keeps what sources list).
   */
  closeSource(id: string, attempt: number, outcome: SourceOutcome, took?: Took): Promise<void>
  /** What a report brings, before it is stored; the attempt begins its time anew. Null: the attempt is no longer the latest. */
  plannedFor(id: string, attempt: number, outcome: SourceOutcome): Promise<PlannedDocuments | null>
  /** Which of these documents a source provides. */
  provided(documents: readonly string[]): Promise<readonly string[]>
}
