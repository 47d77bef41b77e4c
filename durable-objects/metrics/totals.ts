/**
 * Sums of what isolates report, in memory and in one row, so that a report costs one row however many series it has. Their number is
 * limited: new series beyond that are counted, not kept.
 */
import type { Samples } from '../../src/ports/metrics'
import type { Sql } from '../sql'

export const MAX_SERIES = 5000 // some 100 bytes each: a quarter of what a row may hold
const DROPPED = 'loam_series_dropped_total'

export interface Totals {
  /** In a transaction of the caller's. */
  add(samples: Samples): void
  /** `since`: milliseconds since the epoch. */
  read(): { readonly since: number; readonly samples: Samples }
}

export function migrateTotals(sql: Sql, now: number): void {
  sql.run('CREATE TABLE IF NOT EXISTS total (n INTEGER PRIMARY KEY, since INTEGER NOT NULL, samples TEXT NOT NULL)')
  sql.run(`INSERT OR IGNORE INTO total VALUES (1, ?, '{}')`, now)
}

export function totals(sql: Sql): Totals {
  let held: Map<string, number> | undefined
  const sums = (): Map<string, number> => {
    held ??= new Map(Object.entries(JSON.parse(rowOf(sql).samples) as Samples))
    return held
  }
  return {
    add(samples) {
      const all = sums()
      const put = (series: string, by: number): void => void all.set(series, (all.get(series) ?? 0) + by)
      for (const [series, by] of Object.entries(samples)) {
        if (!Number.isFinite(by)) continue
        if (all.has(series) || all.size < MAX_SERIES) put(series, by)
        else put(DROPPED, 1)
      }
      sql.run('UPDATE total SET samples = ? WHERE n = 1', JSON.stringify(Object.fromEntries(all)))
    },
    read: () => ({ since: rowOf(sql).since, samples: Object.fromEntries(sums()) }),
  }
}

function rowOf(sql: Sql): { readonly since: number; readonly samples: string } {
  return sql.one<{ since: number; samples: string }>('SELECT since, samples FROM total WHERE n = 1') ?? { since: 0, samples: '{}' }
}
