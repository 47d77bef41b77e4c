/**
 * What was paid for by day (UTC), key and stage: in addition to the sums of `spending.ts`, for as long as it is kept. All SQL on the table
 * is here.
 */
import type { Sql } from '../../sql'
import type { SpendingRow } from './spending'

/** A step of `schema.ts`; once released it is not changed. day: days since the epoch; key: '' if no key asked for it. */
export const CREATE_SPENDING_DAY = `
  CREATE TABLE spending_day (
    day INTEGER NOT NULL,
    key TEXT NOT NULL,
    stage TEXT NOT NULL,
    calls INTEGER NOT NULL,
    read INTEGER NOT NULL,
    written INTEGER NOT NULL,
    embedded INTEGER NOT NULL,
    usd REAL NOT NULL,
    PRIMARY KEY (day, key, stage)
  ) WITHOUT ROWID;
`

export interface DaySpending extends SpendingRow {
  readonly day: number
  readonly key: string
}

export function addToDay(sql: Sql, day: number, key: string, { stage, calls, read, written, embedded, usd }: SpendingRow): void {
  sql.run(
    `INSERT INTO spending_day (day, key, stage, calls, read, written, embedded, usd) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (day, key, stage) DO UPDATE SET calls = calls + excluded.calls, read = read + excluded.read,
       written = written + excluded.written, embedded = embedded + excluded.embedded, usd = usd + excluded.usd`,
    ...[day, key, stage, calls, read, written, embedded, usd],
  )
}

/** For these days, in order; null: for any key. */
export function listDays(
  sql: Sql,
  { from, until, key, limit }: { from: number; until: number; key: string | null; limit: number },
): DaySpending[] {
  return sql.all<DaySpending>(
    'SELECT * FROM spending_day WHERE day >= ? AND day <= ? AND (? IS NULL OR key = ?) ORDER BY day, key, stage LIMIT ?',
    ...[from, until, key, key, limit],
  )
}

export function oldestSpendingDay(sql: Sql): number | undefined {
  return sql.one<{ day: number }>('SELECT day FROM spending_day ORDER BY day LIMIT 1')?.day
}

export function deleteDaysBefore(sql: Sql, day: number): void {
  sql.run('DELETE FROM spending_day WHERE day < ?', day)
}
