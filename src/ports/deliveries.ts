/** Endpoints, and the events delivered to them. */
import type { Delivery, Endpoint } from '../contract/endpoints'
import type { EventType } from '../contract/events'
import type { Asker } from '../core/access/labels'

/** Newest first. Sealed; `until` (ms) ends the overlap of a replaced secret, null: in use. */
export type Secrets = readonly { readonly sealed: string; readonly until: number | null }[]

export interface EndpointRecord {
  readonly id: string
  readonly url: string
  /** Empty: all. */
  readonly events: readonly EventType[]
  readonly secrets: Secrets
  /** gone: it answered 410, and is sent nothing more. */
  readonly status: Endpoint['status']
  readonly created: number
  /** Its creator's principals: it is sent events of documents that these may read. Absent: of all. */
  readonly asker?: Asker
}

/** As the API returns it, except for its times. */
export interface DeliveryView extends Pick<Delivery, 'delivery' | 'endpoint' | 'event' | 'type' | 'status' | 'attempts'> {
  /** Milliseconds since the epoch, as all times here. */
  readonly created: number
  /** Time of the next attempt, while pending. */
  readonly due: number
  /** How the last attempt ended: `http_503`, `timeout`, …; null before the first. */
  readonly last: string | null
}

export interface DeliveryOrder {
  readonly endpoint: string
  readonly event: string
  readonly url: string
  readonly secrets: Secrets
  readonly body: string
}

export type DeliveryOutcome =
  | { readonly kind: 'delivered'; readonly last: string }
  /** `retryAfter`: the delay that the receiver asked for, in milliseconds. */
  | { readonly kind: 'failed'; readonly last: string; readonly retryAfter?: number }
  /** The receiver wants no more deliveries, ever. */
  | { readonly kind: 'gone'; readonly last: string }
