/** A kind of source that brings many documents: how its listing is read, and how one of its items is. */
import type { ItemOrder, ItemsOrder, Listing, ListOrder, LookOutcome } from '../ports/sources'
import type { Failed, Reader } from './page'

/** Neither call rejects. */
export interface Kind {
  /** Milliseconds to pause the site for each item requested. Absent: a second. */
  readonly pace?: number
  /** The next piece of the listing. */
  list(reader: Reader, order: ListOrder): Promise<Listing | Failed>
  /** One of the items that the listing named. */
  look(reader: Reader, order: ItemsOrder, item: ItemOrder): Promise<LookOutcome>
}
