/** Keys, and what they open. */
import type { DailyLimits, Scope } from '../contract/keys'
import type { Actor } from './audit'

export interface KeyRecord {
  readonly id: string
  readonly name: string
  /** SHA-256 of the key, hex. */
  readonly hash: string
  /** Secrets that were replaced, newest first. */
  readonly previous: readonly ReplacedHash[]
  readonly scopes: readonly Scope[]
  /** Null: all corpora, also those to come. */
  readonly corpora: readonly Grant[] | null
  readonly created: number
  /** Its principals, with which documents' labels are compared (docs/access.md). */
  readonly principals: readonly string[]
  /** May a request with this key say for whom it asks? */
  readonly accessChoose: boolean
  /** Null: it does not expire. */
  readonly expires: number | null
  /** As last written down, which is done now and then. Null: never. */
  readonly used: number | null
  /** What it may use in a day. Absent: as much as it likes. */
  readonly limits?: DailyLimits
}

export interface ReplacedHash {
  readonly hash: string
  /** Milliseconds since the epoch: until then it is good beside the new one. */
  readonly until: number
}

/** A corpus a key opens. Its uid decides: another corpus of the same name is another corpus. */
export interface Grant {
  readonly name: string
  readonly uid: string
  /** False while it is being forgotten. */
  readonly isThere: boolean
}

export interface KeyRotation {
  readonly at: number
  /** The hash it must still have, and the new one. */
  readonly from: string
  readonly to: string
  readonly previous: readonly ReplacedHash[]
}

export interface Keys {
  key(id: string): Promise<KeyRecord | null>
  /** By id, from an id on (exclusive): of those that open none but these corpora, or (null) of all. */
  keys(within: readonly string[] | null, after: string, limit: number): Promise<readonly KeyRecord[]>
  /** `by`: who is entered into the audit log for it, with it. */
  mint(record: KeyRecord, by: Actor): Promise<void>
  /** False if there is no such key, or its hash is another than `from` by now. */
  rotate(id: string, change: KeyRotation, by: Actor): Promise<boolean>
  /** False if there is no such key. Null: no limits. */
  limit(id: string, limits: DailyLimits | null, at: number, by: Actor): Promise<boolean>
  /** Unless a use since `unlessSince` is known. */
  noteUse(id: string, at: number, unlessSince: number): Promise<void>
  /** False if there is no such key. */
  revoke(id: string, at: number, by: Actor): Promise<boolean>
}
