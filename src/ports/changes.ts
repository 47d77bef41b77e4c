/** What new versions changed, as it is asked for and found. */
import type { Change } from '../contract/changes'

/** Where one stands, the latest first; of a corpus in partitions with the number of the partition, in whose order those of one moment are. */
export interface ChangePlace {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly n: number
  readonly part?: number
}

export interface ChangesRequest {
  /** Null: of all documents. */
  readonly document: string | null
  /** Only what was replaced then or later. */
  readonly since: number
  /** Only what stands behind it; null: from the beginning. */
  readonly after: ChangePlace | null
  readonly limit: number
}

export interface ChangesFound {
  readonly rows: readonly { readonly place: ChangePlace; readonly change: Change }[]
  /** Behind which more may stand; null: that was all. */
  readonly next: ChangePlace | null
  /** For how long they are kept. */
  readonly days: number
}

/** Places before and behind all of a moment: no row has such a number. */
export const BEFORE_ALL = Number.MAX_SAFE_INTEGER
export const BEHIND_ALL = 0
