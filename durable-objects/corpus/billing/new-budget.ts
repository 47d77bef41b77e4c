/**
 * A budget that begins or ends. What the partitions of a corpus spend without one is not reported, so with a new one its own object grants
 * nothing until each of them has said what it has spent.
 */
import type { CorpusConfig } from '../../../src/ports/corpus'
import type { Store } from '../store'
import { deleteMeta, metaKeys } from '../tables/meta'
import { uncapReports } from '../tables/report'
import { isPartition, reportSpent } from './partition'
import { isCapped, usage } from './usage'

/** Inside the transaction that changes the configuration. */
export function noteBudget({ sql }: Pick<Store, 'sql'>, before: CorpusConfig | undefined, config: CorpusConfig): void {
  const context = { sql, config }
  const capped = isCapped(context)
  if (isPartition(context)) {
    deleteMeta(sql, metaKeys.budgetLeft, metaKeys.budgetRefusal)
    if (capped) reportSpent(context, { spent: usage(context), isCapped: true, holds: [] })
    else uncapReports(sql)
  } else if (!capped || !before || !isCapped({ config: before })) deleteMeta(sql, metaKeys.partitionSpending)
}
