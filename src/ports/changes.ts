/** What new versions changed: the request and the result. */
import type { Change } from '../contract/changes'

/** A position in the log, latest first; in a partitioned corpus with the partition's number, which orders entries of the same moment. */
export interface ChangePlace {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly n: number
  readonly part?: number
}

export interface ChangesRequest {
  /** Null: of all documents. */
  readonly document: string | null
  /** Only what was replaced at or after this time. */
  readonly since: number
  /** Only what comes after it; null: from the beginning. */
  readonly after: ChangePlace | null
  readonly limit: number
}

export interface ChangesFound {
  readonly rows: readonly { readonly place: ChangePlace; readonly change: Change }[]
  /** More may come after it; null: that was all. */
  readonly next: ChangePlace | null
  /** For how long they are kept. */
  readonly days: number
}

/** Positions before and after everything at one moment: no row has such a number. */
export const BEFORE_ALL = Number.MAX_SAFE_INTEGER
export const BEHIND_ALL = 0
