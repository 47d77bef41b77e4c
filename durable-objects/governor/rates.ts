/**
 * How many calls the account has begun in the last minute, by task type (or by model, if one has its own rate), and how many indexing may
 * still begin. A share of every minute is kept for questions, or a quarter more than they have lately used if that is more. When the vendor
 * still refuses, somebody else uses the account too: indexing then waits until the window has passed, continues with half its rate, and
 * regains it gradually. Counts are rows, so that an object that dies does not spend a minute twice.
 */
import { aiLimits } from '../../src/platform-limits'
import type { CallTrouble, ModelCall } from '../../src/ports/call-slots'
import type { Sql } from '../sql'

export const QUESTION_SHARE = 0.2 // share of each rate that is kept for questions
const HEADROOM = 1.25 // times the expected number of questions is left to them, if that is more: they come irregularly
const RECENT_MS = 10_000 // ms; if questions have just become frequent, they are expected to stay so
const MIN_SHARE = 1 / 8 // of its rate that indexing keeps, however often the vendor refused
const REGAINED_SHARE = 1 / 8 // of its rate that indexing regains with each minute without a refusal
const PAUSE = 2000 // ms for which a model without capacity is left alone, doubled each time
const MAX_PAUSE = 30_000

const WINDOW = aiLimits.rateWindowMs
const SECOND = 1000

export interface RateRules {
  /** Calls per minute, and the name under which they are counted. */
  rate(call: ModelCall): { readonly key: string; readonly most: number }
  now(): number
}

export interface Rates {
  /** When (ms) indexing may begin such a call: now or earlier, or when to check again. */
  opensAt(call: ModelCall): number
  /** Indexing begins one. */
  begin(call: ModelCall): void
  /** Questions have begun this many. */
  noteQuestions(call: ModelCall, calls: number): void
  noteRefusal(call: ModelCall, trouble: CallTrouble): void
  /** A call of the model succeeded. */
  noteSuccess(model: string): void
}

interface Bucket {
  readonly second: number
  indexing: number
  asked: number
}

interface Window {
  buckets: Bucket[]
  /** Share of its rate that indexing may use, since `since`. */
  share: number
  since: number
  closedUntil: number
}

export function migrateRates(sql: Sql): void {
  sql.run(
    `CREATE TABLE IF NOT EXISTS begun (
       key TEXT NOT NULL, second INTEGER NOT NULL, indexing INTEGER NOT NULL, asked INTEGER NOT NULL, PRIMARY KEY (key, second)
     ) WITHOUT ROWID`,
  )
}

export function createRates(sql: Sql, rules: RateRules): Rates {
  const windows = new Map<string, Window>()
  const tired = new Map<string, { until: number; pause: number }>() // models out of capacity
  for (const { key, ...bucket } of sql.all<Bucket & { key: string }>('SELECT * FROM begun ORDER BY second')) {
    windowOf(windows, key).buckets.push(bucket)
  }
  /** The window without entries too old to count. */
  const current = (key: string): Window => {
    const window = windowOf(windows, key)
    const oldest = Math.floor((rules.now() - WINDOW) / SECOND) // a call of this second may be less than a minute old
    if ((window.buckets[0]?.second ?? oldest) < oldest) {
      window.buckets = window.buckets.filter((bucket) => bucket.second >= oldest)
      sql.run('DELETE FROM begun WHERE key = ? AND second < ?', key, oldest)
    }
    return window
  }
  const count = (key: string, indexing: number, asked: number): void => {
    const window = current(key)
    const second = Math.floor(rules.now() / SECOND)
    const last = window.buckets.at(-1)
    const bucket = last?.second === second ? last : { second, indexing: 0, asked: 0 }
    if (bucket !== last) window.buckets.push(bucket)
    bucket.indexing += indexing
    bucket.asked += asked
    sql.run('INSERT OR REPLACE INTO begun (key, second, indexing, asked) VALUES (?, ?, ?, ?)', key, second, bucket.indexing, bucket.asked)
  }
  const shareOf = (window: Window): number => {
    const minutes = Math.max(0, Math.floor((rules.now() - window.since) / WINDOW))
    return Math.min(1, window.share + minutes * REGAINED_SHARE)
  }
  return {
    opensAt(call) {
      const { key, most } = rules.rate(call)
      const window = current(key)
      const waits = Math.max(window.closedUntil, tired.get(call.model)?.until ?? 0)
      if (waits > rules.now()) return waits
      const indexing = sumOf(window, 'indexing')
      const asked = Math.max(sumOf(window, 'asked'), (sumOf(window, 'asked', rules.now() - RECENT_MS) * WINDOW) / RECENT_MS)
      const room = most * shareOf(window) - Math.max(most * QUESTION_SHARE, asked * HEADROOM)
      if (indexing < Math.max(1, Math.floor(room))) return rules.now()
      return ((window.buckets[0]?.second ?? 0) + 1) * SECOND + WINDOW
    },
    begin: (call) => count(rules.rate(call).key, 1, 0),
    noteQuestions: (call, calls) => count(rules.rate(call).key, 0, calls),
    noteRefusal(call, trouble) {
      const now = rules.now()
      if (trouble === 'capacity') {
        const { until, pause } = tired.get(call.model) ?? { until: 0, pause: PAUSE / 2 }
        if (until <= now) tired.set(call.model, { until: now + Math.min(MAX_PAUSE, pause * 2), pause: Math.min(MAX_PAUSE, pause * 2) })
        return
      }
      const window = current(rules.rate(call).key)
      if (window.closedUntil > now) return // calls that ran in parallel count as one refusal
      window.share = Math.max(MIN_SHARE, shareOf(window) / 2)
      window.closedUntil = now + WINDOW
      window.since = now + WINDOW
    },
    noteSuccess: (model) => void tired.delete(model),
  }
}

function windowOf(windows: Map<string, Window>, key: string): Window {
  const known = windows.get(key) ?? { buckets: [], share: 1, since: 0, closedUntil: 0 }
  windows.set(key, known)
  return known
}

/** Since a time in milliseconds, or of the whole window. */
function sumOf(window: Window, which: 'indexing' | 'asked', since = 0): number {
  return window.buckets.reduce((sum, bucket) => sum + (bucket.second * SECOND >= since ? bucket[which] : 0), 0)
}
