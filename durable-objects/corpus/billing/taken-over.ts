/** What partitions have spent that a corpus no longer has is its own from now on. */
import type { CorpusContext } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import { addToDocument, addToTotal, type SpendingRow } from '../tables/spending'
import { addToDay, type DaySpending } from '../tables/spending-day'
import { NOBODY } from './rows'
import { usage } from './usage'

interface Taken {
  readonly totals: readonly SpendingRow[]
  readonly days: readonly DaySpending[]
  /** Numbers under which they have reported it. */
  readonly parts: readonly number[]
}

/** Inside the transaction from which on they are not the corpus's. */
export function takeOver(context: CorpusContext, { totals, days, parts }: Taken): void {
  const { sql } = context
  for (const row of totals) {
    addToDocument(sql, NOBODY, row)
    addToTotal(sql, row)
  }
  for (const { day, key, ...row } of days) addToDay(sql, day, key, row)
  const own = totals.reduce(
    (sum, { read, written, embedded, usd }) => ({
      in: sum.in + read,
      out: sum.out + written,
      embedded: sum.embedded + embedded,
      usd: sum.usd + usd,
    }),
    usage(context),
  )
  writeMeta(sql, metaKeys.usage, own)
  const told = { ...readMeta(sql, metaKeys.partitionSpending) }
  for (const part of parts) delete told[part]
  writeMeta(sql, metaKeys.partitionSpending, told)
}
