/**
 * What leaves a corpus for addresses its owners gave: events sent to their endpoints, pages fetched from their sources. The object keeps
 * what is due; the queue only carries names of it; the consumer reports back. Declared here, implemented by the object.
 */

import type { DeliveryStatus } from '../contract/endpoints'
import type { Page } from '../contract/pages'
import type { Asker } from '../core/access/labels'
import type { Actor } from './audit'
import type { DeliveryOrder, DeliveryOutcome, DeliveryView, EndpointRecord, Secrets } from './deliveries'
import type { SealedSecrets } from './reseal'
import type { AskedFor, ItemRecord, ItemsPage, SourceInput, SourceOrder, SourceOutcome, SourceRecord } from './sources'

/** A name of something due. It says nothing else, so that what a queue keeps of it is useless to others. */
export interface OutboundMessage {
  readonly kind: 'delivery' | 'fetch'
  readonly uid: string
  readonly id: string
}

/** Every message may arrive late, twice, or never; the object is asked again what is due. Rejects when the queue takes no more: of those given, some may have been sent. */
export interface Outbound {
  send(messages: readonly OutboundMessage[]): Promise<void>
}

/** What to do about a message. */
export type Order<T> =
  | ({ readonly kind: 'go'; readonly attempt: number } & T)
  /** Not before so many milliseconds: another attempt may be under way. */
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'nothing' }

/** The part of the corpus object that this is about. Each call is one transaction; what is not there is null, false or `nothing`. `by`: as in CorpusObject. */
export interface OutboundObject {
  endpoints(): Promise<readonly EndpointRecord[]>
  /** False: too many. */
  addEndpoint(record: EndpointRecord, by?: Actor): Promise<boolean>
  /** New secrets; whatever its state, it is active again. */
  renewEndpoint(id: string, secrets: Secrets, by?: Actor): Promise<boolean>
  /** Of endpoints and of sources. Also of a corpus that can be undeleted; of one that is not there, none. */
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
  /** What it brought stays, or is deleted first, bit by bit. Null: there is none. */
  removeSource(id: string, documents: 'keep' | 'delete', by?: Actor): Promise<'removed' | 'removing' | null>
  /** What it lists, by name, of documents the asker may read. */
  sourceItems(id: string, page: ItemsPage, asker?: Asker): Promise<Page<ItemRecord>>
  /** It is looked at before it is due. Null: there is none. */
  askSource(id: string, why: AskedFor, by?: Actor): Promise<SourceRecord | null>
  claimSource(id: string): Promise<Order<SourceOrder>>
  /** Takes the page in with it: both or neither. */
  closeSource(id: string, attempt: number, outcome: SourceOutcome): Promise<void>
}
