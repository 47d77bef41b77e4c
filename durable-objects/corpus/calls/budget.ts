/** A partition and the budget, which its corpus's own object keeps (billing/partition.ts). */
import { corpusUidOf } from '../../../src/corpus-uid'
import type { Granted } from '../../../src/ports/reports'
import type { Hold } from '../../../src/ports/spending'
import { tokensOf } from '../../holds'
import { maxCostOf } from '../billing/holds'
import { isPartition } from '../billing/partition'
import { covers, isCapped } from '../billing/usage'
import type { CorpusHost } from '../host'
import { sendReports } from '../outbox/send-reports'
import type { CorpusContext } from '../store'
import { deleteMeta, metaKeys, writeMeta } from '../tables/meta'

/** `holds` may be none: then it only learns what is left. */
export async function reserveWithWhole(host: CorpusHost, holds: readonly Hold[]): Promise<readonly boolean[]> {
  const context = host.ready()
  if (!isCapped(context) || !isPartition(context)) return holds.map(() => true)
  const whole = host.sinks.whole?.(corpusUidOf(context.config.uid))
  if (!whole) throw new Error('budget: nobody keeps it')
  const answer = await whole.reserveFor(holds)
  noteGranted(host.ready(), holds, answer)
  if (holds.length > 0 && !answer.granted.some(Boolean)) await host.changed() // jobs may have to pause
  return answer.granted
}

/** If it was granted nothing, it waits. */
function noteGranted(context: CorpusContext, holds: readonly Hold[], { granted, left }: Granted): void {
  const { sql, now, atomically } = context
  atomically(() => {
    writeMeta(sql, metaKeys.budgetLeft, left)
    if (holds.length === 0) return
    if (granted.some(Boolean)) return deleteMeta(sql, metaKeys.budgetRefusal)
    const isHeld = holds.some((hold) => {
      const most = maxCostOf(context, hold)
      return covers(left, { tokens: tokensOf(most), usd: most.usd })
    })
    writeMeta(sql, metaKeys.budgetRefusal, { at: now(), isHeld })
  })
}

/** So that a new budget is in force when the call returns. The alarm repeats what could not be told. */
export async function tellSpending({ context, sinks }: CorpusHost): Promise<void> {
  if (context && isPartition(context) && isCapped(context) && sinks.whole) await sendReports(context, sinks.whole).catch(() => undefined)
}
