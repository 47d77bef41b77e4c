/** The object that counts what a key uses in a day: one for each key that has limits. Days are in UTC. */
import type { DailyLimits } from '../contract/keys'

export type LimitName = keyof DailyLimits

/** A limit is used up. */
export interface UsedUp {
  readonly limit: LimitName
  readonly value: number
  /** Seconds until the day ends, or until the minute has room. */
  readonly retryAfter: number
}

/** The state of a per-request limit after a call. */
export interface Standing {
  readonly limit: LimitName
  readonly value: number
  readonly left: number
  /** Seconds until it is fully available again, and the seconds of its window. */
  readonly resets: number
  readonly window: number
}

/** Counted, or one too many: then the other limits were not counted either. */
export interface Admission {
  readonly usedUp: UsedUp | null
  readonly standing: readonly Standing[]
}

export interface KeySpent {
  readonly tokens: number
  readonly usd: number
}

export interface KeyDay extends KeySpent {
  /** `2026-11-22`. */
  readonly day: string
  readonly requests: number
  /** Set aside for calls in progress. */
  readonly held: KeySpent
  /** Milliseconds since the epoch. */
  readonly ends: number
}

/** The limits come with each call: the catalogue knows them, the object counts. */
export interface KeyUsageObject {
  /** Counts a request, or a question, or says which limit it exceeds. */
  admit(what: 'request' | 'question', limits: DailyLimits): Promise<Admission>
  /** Sets aside this much in all under this id. `refused`: it does not fit next to what others have set aside. */
  reserve(id: string, max: KeySpent, limits: DailyLimits): Promise<'granted' | 'refused' | UsedUp>
  /** Records what the work cost, in place of what was set aside. */
  settle(id: string, spent: KeySpent): Promise<void>
  today(): Promise<KeyDay>
}
