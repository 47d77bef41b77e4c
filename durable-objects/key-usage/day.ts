/**
 * What a key has used of its day: counts in one row, and reservations for calls in progress (../holds.ts). Yesterday's reservations belong
 * to yesterday. It knows no network and no clock except the one it is given.
 */
import type { DailyLimits } from '../../src/contract/keys'
import type { Admission, KeyDay, KeySpent, LimitName, UsedUp } from '../../src/ports/key-usage'
import { forgetHolds, type Held, HOLDS, heldBesides, isHeld, putHold, raisedHold, takeHold, takeLapsed, tokensOf } from '../holds'
import type { Sql } from '../sql'
import { countInMinute, migrateMinutes, waitForMinute } from './minute'

export const DAY_MS = 86_400_000

const TABLE = 'CREATE TABLE day (n INTEGER PRIMARY KEY, requests INTEGER NOT NULL, tokens INTEGER NOT NULL, usd REAL NOT NULL)'

interface Row extends KeySpent {
  /** Days since the epoch. */
  readonly n: number
  readonly requests: number
}

export interface Day {
  /** Each runs in one transaction of the caller's. */
  admit(what: 'request' | 'question', limits: DailyLimits): Admission
  reserve(id: string, most: KeySpent, limits: DailyLimits): 'granted' | 'refused' | UsedUp
  settle(id: string, spent: KeySpent): void
  today(): KeyDay
}

export function migrateDay(sql: Sql): void {
  migrateMinutes(sql)
  if (sql.one(`SELECT 1 FROM sqlite_master WHERE name = 'day'`)) return
  sql.run(TABLE)
  sql.run(HOLDS)
}

export function keyDay(sql: Sql, now: () => number): Day {
  /** Today's; yesterday's is deleted. */
  const row = (): Row => {
    const n = Math.floor(now() / DAY_MS)
    const known = sql.one<Row>('SELECT * FROM day WHERE n = ?', n)
    if (known) return known
    sql.run('DELETE FROM day')
    forgetHolds(sql)
    sql.run('INSERT INTO day VALUES (?, 0, 0, 0)', n)
    return { n, requests: 0, tokens: 0, usd: 0 }
  }
  const spend = ({ tokens, usd }: KeySpent): void => sql.run('UPDATE day SET tokens = tokens + ?, usd = usd + ?', tokens, usd)
  /** What was never settled counts as spent. */
  const current = (): Row => {
    const today = row()
    const lapsed = takeLapsed(sql, now())
    for (const held of lapsed) spend(spentOf(held))
    return lapsed.length > 0 ? row() : today
  }
  const usedUp = (limit: LimitName, value: number): UsedUp => {
    return { limit, value, retryAfter: Math.max(1, Math.ceil((DAY_MS - (now() % DAY_MS)) / 1000)) }
  }
  return {
    admit(what, limits) {
      const limit = what === 'request' ? 'requests_a_minute' : 'questions_a_minute'
      const minute = { limit, most: limits[limit] } as const
      const late = waitForMinute(sql, minute, now())
      const refused = (by: UsedUp): Admission => ({ usedUp: by, standing: [] })
      if (what === 'question') return late ? refused(late) : { usedUp: null, standing: countInMinute(sql, minute, now()) }
      const { requests } = row()
      const { requests_a_day: most } = limits
      if (most !== undefined && requests >= most) return refused(usedUp('requests_a_day', most))
      if (late) return refused(late)
      sql.run('UPDATE day SET requests = requests + 1')
      const value = most ?? 0
      const { retryAfter: resets } = usedUp('requests_a_day', value)
      const day = { limit: 'requests_a_day' as const, value, left: value - requests - 1, resets, window: DAY_MS / 1000 }
      return { usedUp: null, standing: [...countInMinute(sql, minute, now()), ...(most === undefined ? [] : [day])] }
    },
    reserve(id, { tokens, usd }, { tokens_a_day: maxTokens = Number.POSITIVE_INFINITY, usd_a_day: maxUsd = Number.POSITIVE_INFINITY }) {
      const today = current()
      if (today.tokens >= maxTokens) return usedUp('tokens_a_day', maxTokens)
      if (today.usd >= maxUsd) return usedUp('usd_a_day', maxUsd)
      const most = raisedHold(sql, id, { read: tokens, written: 0, embedded: 0, usd })
      const others = heldBesides(sql, id)
      if (!most || today.tokens + tokensOf(others) + tokensOf(most) > maxTokens || today.usd + others.usd + most.usd > maxUsd)
        return 'refused'
      putHold(sql, id, most, now())
      return 'granted'
    },
    settle(id, spent) {
      const before = isHeld(sql, id)
      const lapsed = takeHold(sql, id)
      if (lapsed) spend({ tokens: -tokensOf(lapsed), usd: -lapsed.usd })
      if (before) spend(spent)
    },
    today() {
      const { n, requests, tokens, usd } = current()
      const start = n * DAY_MS
      const day = new Date(start).toISOString().slice(0, 10)
      return { day, requests, tokens, usd, held: spentOf(heldBesides(sql)), ends: start + DAY_MS }
    },
  }
}

function spentOf(held: Held): KeySpent {
  return { tokens: tokensOf(held), usd: held.usd }
}
