/**
 * What a key did in the last minute, in slots of five seconds. A slot counts until all of it is a minute old, so no sixty seconds contain
 * more than the limit, and a caller waits at most five seconds longer than necessary. Thirteen rows per limit.
 */
import type { LimitName, Standing, UsedUp } from '../../src/ports/key-usage'
import type { Sql } from '../sql'

const SLOT_MS = 5000
const SLOTS = 12 // in a minute, besides the current one

/** `most` undefined: there is no such limit, and nothing is counted. */
export interface MinuteLimit {
  readonly limit: Extract<LimitName, `${string}_a_minute`>
  readonly most: number | undefined
}

interface Slot {
  readonly n: number
  readonly count: number
}

export function migrateMinutes(sql: Sql): void {
  sql.run('CREATE TABLE IF NOT EXISTS minute (what TEXT NOT NULL, n INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (what, n))')
}

const slotAt = (now: number): number => Math.floor(now / SLOT_MS)
/** Seconds until a slot no longer counts. */
const secondsLeft = (n: number, now: number): number => Math.max(1, Math.ceil(((n + SLOTS + 1) * SLOT_MS - now) / 1000))

function slotsOf(sql: Sql, limit: string, now: number): Slot[] {
  return sql.all<Slot>('SELECT n, count FROM minute WHERE what = ? AND n >= ? ORDER BY n', limit, slotAt(now) - SLOTS)
}

/** Undefined: there is room for one more. */
export function waitForMinute(sql: Sql, { limit, most }: MinuteLimit, now: number): UsedUp | undefined {
  if (most === undefined) return undefined
  const slots = slotsOf(sql, limit, now)
  let taken = slots.reduce((sum, { count }) => sum + count, 0)
  if (taken < most) return undefined
  for (const { n, count } of slots) {
    taken -= count
    if (taken < most) return { limit, value: most, retryAfter: secondsLeft(n, now) }
  }
  return { limit, value: most, retryAfter: 60 } // a limit of zero never has room
}

export function countInMinute(sql: Sql, { limit, most }: MinuteLimit, now: number): Standing[] {
  if (most === undefined) return []
  const n = slotAt(now)
  sql.run('DELETE FROM minute WHERE what = ? AND n < ?', limit, n - SLOTS)
  sql.run('INSERT INTO minute (what, n, count) VALUES (?, ?, 1) ON CONFLICT (what, n) DO UPDATE SET count = count + 1', limit, n)
  const taken = slotsOf(sql, limit, now).reduce((sum, { count }) => sum + count, 0)
  return [{ limit, value: most, left: Math.max(0, most - taken), resets: secondsLeft(n, now), window: 60 }]
}
