/** What a key may use in a day, and the object that counts it: one for each key that has limits. A day is one of UTC. Declarations only. */
/** What a key may use in a day, and the object that counts it: one for each key that has limits. A day is one of UTC. Declarations only. */
export interface DailyLimits {
  readonly tokens_a_day?: number
  readonly usd_a_day?: number
  readonly requests_a_day?: number
}

export type LimitName = keyof DailyLimits

/** A limit is used up. */
export interface UsedUp {
  readonly limit: LimitName
  readonly value: number
  /** Seconds until the day ends. */
  readonly retryAfter: number
}

export interface KeySpent {
  readonly tokens: number
  readonly usd: number
}

export interface KeyDay extends KeySpent {
  /** `2026-11-22`. */
  readonly day: string
  readonly requests: number
  /** Set aside for calls under way. */
  readonly held: KeySpent
  /** Milliseconds since the epoch. */
  readonly ends: number
}

/** Limits come with each call: the catalogue knows them, the object counts. */
export interface KeyUsageObject {
  /** Counts a request, or says why it is one too many. */
  admit(limits: DailyLimits): Promise<UsedUp | null>
  /** Sets aside so much in all under this id. `refused`: it does not fit beside what others have set aside. */
  reserve(id: string, most: KeySpent, limits: DailyLimits): Promise<'granted' | 'refused' | UsedUp>
  /** What the work has cost, in place of what was set aside. */
  settle(id: string, spent: KeySpent): Promise<void>
  today(): Promise<KeyDay>
}
