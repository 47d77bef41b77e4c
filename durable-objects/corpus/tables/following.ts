/** What a replica knows about itself; stored by `meta.ts`. */
import type { CopyPlace, ReplicaName } from '../../../src/ports/replication'

export interface Following {
  readonly epoch: string
  /** The last segment it has applied. */
  readonly applied: number
  /** Where its copy of the corpus continues; null: it has all of it. */
  readonly place: CopyPlace | null
  /** The last segment that may be older than the copy. */
  readonly behind: number
  /** The version that it has completely, and whose receipt its state matches; null: its data belongs to no single moment. */
  readonly version: number | null
  /** ms: until when it may answer, and when it last heard that there is nothing newer. */
  readonly until: number
  readonly currentAt: number
  /** The corpus's version when last heard of; absent: never. */
  readonly ahead?: number
}

/** Whose replica the object is; kept when it forgets the rest. */
export interface ReplicaOf extends ReplicaName {
  /** ms: when it was last asked something, to within half a minute. */
  readonly askedAt: number
}
