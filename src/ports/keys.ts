/** Keys, and what they open. */
import type { DailyLimits, Scope } from '../contract/keys'
import type { Actor } from './audit'

export interface KeyRecord {
  readonly id: string
  readonly name: string
  /** SHA-256 of the key, hex. */
  readonly hash: string
  /** Replaced secrets, newest first. */
  readonly previous: readonly ReplacedHash[]
  readonly scopes: readonly Scope[]
  /** Null: all corpora, including future ones. */
  readonly corpora: readonly Grant[] | null
  readonly created: number
  /** Its principals, which are compared with documents' labels (docs/access.md). */
  readonly principals: readonly string[]
  /** May a request with this key say on whose behalf it asks? */
  readonly accessChoose: boolean
  /** Null: it does not expire. */
  readonly expires: number | null
  /** As last recorded, which happens now and then. Null: never. */
  readonly used: number | null
  /** What it may use in a day. Absent: no limit. */
  readonly limits?: DailyLimits
}

export interface ReplacedHash {
  readonly hash: string
  /** Milliseconds since the epoch: until then the old secret is valid next to the new one. */
  readonly until: number
}

/** A corpus that a key opens. Its uid decides: another corpus of the same name is a different corpus. */
export interface Grant {
  readonly name: string
  readonly uid: string
  /** False while it is being deleted. */
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
  /** By id, after a given id (exclusive): keys that open only these corpora, or (null) all keys. */
  keys(within: readonly string[] | null, after: string, limit: number): Promise<readonly KeyRecord[]>
  /** `by`: who is recorded in the audit log, in the same transaction. */
  mint(record: KeyRecord, by: Actor): Promise<void>
  /** False if there is no such key, or its hash is no longer `from`. */
  rotate(id: string, change: KeyRotation, by: Actor): Promise<boolean>
  /** False if there is no such key. Null: no limits. */
  limit(id: string, limits: DailyLimits | null, at: number, by: Actor): Promise<boolean>
  /** Unless a use since `unlessSince` is already recorded. */
  noteUse(id: string, at: number, unlessSince: number): Promise<void>
  /** False if there is no such key. */
  revoke(id: string, at: number, by: Actor): Promise<boolean>
}
