/**
 * Readers that follow a corpus's object: the log they follow, and the messages between them and the writer. There is always exactly one
 * writer.
 */
import type { CorpusConfig } from './corpus'
import type { RetrieveRequest, RetrieveResult } from './retrieval'

/** Where patches are stored between the writer and its replicas. */
export interface ReplicationLog {
  /** False: an object of this name exists, and stays unchanged. */
  put(key: string, bytes: Uint8Array): Promise<boolean>
  get(key: string): Promise<Uint8Array | null>
  /** Every key with this prefix. */
  list(prefix: string): Promise<readonly string[]>
  remove(keys: readonly string[]): Promise<void>
}

/**
 * The changes since the previous segment, in their state when they were read. The writer says which segments exist and what they contain;
 * the log has only the bytes.
 */
export interface Segment {
  readonly n: number
  readonly key: string
  /** SHA-256 of the bytes, hex. */
  readonly digest: string
  /** The graph's digest after it; null: more belongs to the same moment, and nothing is compared or served before that. */
  readonly whole: { readonly version: number; readonly state: string } | null
}

/** The last item copied, by sort and key; the copy continues after it. */
export interface CopyPlace {
  readonly sort: string
  readonly after: readonly string[]
}

export interface CopyPage {
  readonly bytes: Uint8Array
  /** Null: that was all. */
  readonly next: CopyPlace | null
  /** On the last page: segments up to this one may be older than the copy, and nothing is compared before the next one. */
  readonly behind: number
}

/**
 * follow: these come next · again: forget everything, copy the corpus, then follow from `base` on · off: forget everything, there is
 * nothing to follow now
 */
export type Instruction =
  | {
      readonly kind: 'follow'
      readonly leaseMs: number
      readonly config: CorpusConfig
      /** The outbox's number up to which the vector index shows everything. */
      readonly visible: number
      /** The corpus's version now. */
      readonly version: number
      readonly segments: readonly Segment[]
    }
  | { readonly kind: 'anew'; readonly leaseMs: number; readonly epoch: string; readonly base: number; readonly config: CorpusConfig }
  | { readonly kind: 'off' }

/** The corpus's object, as its replicas call it. */
export interface ReplicatedObject {
  /** Where a replica stands; the reply includes a lease. `epoch` and `applied`: null before it was told any. */
  follow(report: { readonly replica: string; readonly epoch: string | null; readonly applied: number | null }): Promise<Instruction>
  /** Null: not now, or from another epoch. */
  copy(epoch: string, place: CopyPlace): Promise<CopyPage | null>
  /** It has forgotten everything, and no longer answers. */
  leave(replica: string): Promise<void>
  /** Stale texts that a question found are written first. */
  promote(ids: readonly string[]): Promise<void>
}

/** Which replica of which corpus; the object is told with each call, since it forgets everything it has. */
export interface ReplicaName {
  readonly uid: string
  /** From 1 on. */
  readonly number: number
}

/** The object of a replica. */
export interface ReplicaObject {
  /** `unready`: it has no complete version, or has not heard of one for too long; it now fetches one. */
  retrieve(name: ReplicaName, request: RetrieveRequest): Promise<RetrieveResult | { readonly kind: 'unready' }>
  /** There is something new for it, if it follows. */
  poke(name: ReplicaName): Promise<void>
  /** It forgets everything it has, immediately. */
  forget(name: ReplicaName): Promise<void>
}

/** What the corpus's object needs so that replicas can follow it. */
export interface Replication {
  readonly log: ReplicationLog
  replica(name: ReplicaName): Pick<ReplicaObject, 'poke' | 'forget'>
}
