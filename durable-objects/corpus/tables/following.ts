/** What a replica knows of itself; kept by `meta.ts`. */
import type { CopyPlace, ReplicaName } from '../../../src/ports/replication'

export interface Following {
  readonly epoch: string
  /** The last segment it has applied. */
  readonly applied: number
  /** Where its copy of the corpus continues; null: it has all of it. */
  readonly place: CopyPlace | null
  /** The last segment that may be older than what was copied. */
  readonly behind: number
  /** The version that it has whole, and that the receipt's state was found for; null: what it has is of no one moment. */
  readonly version: number | null
  /** ms: until when it may answer, and when it last heard that there is nothing newer. */
  readonly until: number
  readonly currentAt: number
  /** The corpus's version when it last heard of it; absent: it has not. */
  readonly ahead?: number
}

/** Whose replica the object is; kept when it forgets the rest. */
export interface ReplicaOf extends ReplicaName {
  /** ms: when it was last asked something, to half a minute. */
  readonly askedAt: number
}
