/** A kind of source that brings many documents: how its listing is read, and how one item of it is. */
import type { ItemOrder, ItemsOrder, Listing, ListOrder, LookOutcome } from '../ports/sources'
import type { Failed, Reader } from './page'

/** Neither call rejects. */
export interface Kind {
  /** Milliseconds for which it is left alone for each item that was asked for. Absent: a second. */
  readonly pace?: number
  /** The next piece of the listing. */
  list(reader: Reader, order: ListOrder): Promise<Listing | Failed>
  /** One of the items it named. */
  look(reader: Reader, order: ItemsOrder, item: ItemOrder): Promise<LookOutcome>
}
