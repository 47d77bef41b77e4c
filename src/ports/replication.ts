/** Readers that follow a corpus's object: the log they follow, and what they and the writer say to each other. One writer, always. */
import type { CorpusConfig } from './corpus'
import type { RetrieveRequest, RetrieveResult } from './retrieval'

/** Where patches lie between the writer and its replicas. */
export interface ReplicationLog {
  /** False: there is an object of this name, and it stays as it is. */
  put(key: string, bytes: Uint8Array): Promise<boolean>
  get(key: string): Promise<Uint8Array | null>
  /** Every key that begins so. */
  list(prefix: string): Promise<readonly string[]>
  remove(keys: readonly string[]): Promise<void>
}

/** What changed since the one before it, as it was when it was read. Which there are, and what is in them, the writer says; the log has only the bytes. */
export interface Segment {
  readonly n: number
  readonly key: string
  /** SHA-256 of the bytes, hex. */
  readonly digest: string
  /** What the graph has come to behind it; null: more belongs to the same moment, and nothing is compared or served before it. */
  readonly whole: { readonly version: number; readonly state: string } | null
}

/** Behind which thing of which sort the copy continues. */
export interface CopyPlace {
  readonly sort: string
  readonly after: readonly string[]
}

export interface CopyPage {
  readonly bytes: Uint8Array
  /** Null: that was all. */
  readonly next: CopyPlace | null
  /** Of the last page: segments up to this one may be older than what was copied, and nothing is compared before the next. */
  readonly behind: number
}

/** follow: these are next · again: forget all, copy the corpus, then follow from `base` on · off: forget all, there is nothing to follow now */
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
  /** Where a replica stands; a lease comes with the answer. `epoch` and `applied`: null before it was told any. */
  follow(report: { readonly replica: string; readonly epoch: string | null; readonly applied: number | null }): Promise<Instruction>
  /** Null: not now, or of another epoch. */
  copy(epoch: string, place: CopyPlace): Promise<CopyPage | null>
  /** It has forgotten everything, and no longer answers. */
  leave(replica: string): Promise<void>
  /** Stale texts that a question found are written first. */
  promote(ids: readonly string[]): Promise<void>
}

/** Which replica of which corpus; the object is told with each call, since it forgets all it has. */
export interface ReplicaName {
  readonly uid: string
  /** From 1 on. */
  readonly number: number
}

/** The object of a replica. */
export interface ReplicaObject {
  /** `unready`: it has no whole version, or heard of none for too long; it sees to that now. */
  retrieve(name: ReplicaName, request: RetrieveRequest): Promise<RetrieveResult | { readonly kind: 'unready' }>
  /** There is something new for it, if it follows. */
  poke(name: ReplicaName): Promise<void>
  /** It forgets all it has, at once. */
  forget(name: ReplicaName): Promise<void>
}

/** What the corpus's object needs of the world to be followed. */
export interface Replication {
  readonly log: ReplicationLog
  replica(name: ReplicaName): Pick<ReplicaObject, 'poke' | 'forget'>
}
