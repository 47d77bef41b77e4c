/** Spending by day and key. Days are in UTC; the key is the request's or, for indexing, that of whoever brought the document. */
import type { DayCost, DayRange } from '../../../src/ports/seeing'
import type { CorpusContext } from '../store'
import type { SpendingRow } from '../tables/spending'
import { addToDay, deleteDaysBefore, listDays, oldestSpendingDay } from '../tables/spending-day'

const DAY = 86_400_000 // ms
const KEPT = 400 // days
const MAX_ROWS = 20_000

/** In the transaction that adds it to the sums. */
export function addSpendingOfDay({ sql, now }: Pick<CorpusContext, 'sql' | 'now'>, key: string, rows: readonly SpendingRow[]): void {
  const day = Math.floor(now() / DAY)
  for (const row of rows) addToDay(sql, day, key, row)
}

export function costs({ sql }: Pick<CorpusContext, 'sql'>, range: DayRange): DayCost[] {
  return listDays(sql, { ...range, limit: MAX_ROWS }).map(({ day, key, stage, calls, read, written, embedded, usd }) => {
    return { day: new Date(day * DAY).toISOString().slice(0, 10), key, stage, calls, in: read, out: written, embedded, usd }
  })
}

/** When the oldest day may be deleted; null: there is none. */
export function daysRetentionAt(sql: CorpusContext['sql']): number | null {
  const oldest = oldestSpendingDay(sql)
  return oldest === undefined ? null : (oldest + KEPT + 1) * DAY
}

export function expireDays({ sql, now }: Pick<CorpusContext, 'sql' | 'now'>): void {
  deleteDaysBefore(sql, Math.floor(now() / DAY) - KEPT)
}
