/** A kind of source that brings many documents: how its listing is read, and how one item of it is. */
import type { FetchOutcome, ItemOrder, ItemsOrder, Listing, ListOrder } from '../ports/sources'
import type { Failed, Reader } from './page'

/** Neither call rejects. */
export interface Kind {
  /** The next piece of the listing. */
  list(reader: Reader, order: ListOrder): Promise<Listing | Failed>
  /** One of the items it named. */
  look(reader: Reader, order: ItemsOrder, item: ItemOrder): Promise<FetchOutcome>
}
