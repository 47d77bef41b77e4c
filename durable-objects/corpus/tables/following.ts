/** What a replica knows of itself; kept by `meta.ts`. */
import type { CopyPlace } from '../../../src/ports/replication'

export interface Following {
  readonly epoch: string
  /** The last segment it has applied. */
  readonly applied: number
  /** Where its copy of the corpus goes on; null: it has all of it. */
  readonly place: CopyPlace | null
  /** The last segment that may be older than what was copied. */
  readonly behind: number
  /** The version that it has whole, and that the receipt's state was found for; null: what it has is of no one moment. */
  readonly version: number | null
  /** ms: until when it may answer, and when it last heard that there is nothing newer. */
  readonly until: number
  readonly currentAt: number
}
