/**
 * The corpus's ceiling, kept while work is in progress: before a model is called, the most that the call can cost is reserved, and the actual cost replaces
 * it. So spending and reservations together never exceed the budget, however many callers there are at once.
 */
import { costOf } from '../../../src/core/cost'
import type { Hold } from '../../../src/ports/spending'
import { type Held, putHold, raisedHold, takeHold, takeLapsed, tokensOf } from '../../holds'
import type { CorpusContext } from '../store'
import type { SpendingRow } from '../tables/spending'
import { availableBudget, covers, isCapped } from './usage'

/** The stage of calls that may have been made, at the most they can have cost: their caller never reported back. */
export const UNCONFIRMED = 'unconfirmed'

/** Each is granted or not, in order; without a budget nothing is written. In the caller's transaction. */
export function reserve(context: CorpusContext, holds: readonly Hold[]): boolean[] {
  if (!isCapped(context)) return holds.map(() => true)
  return holds.map((hold) => {
    const max = raisedHold(context.sql, hold.id, maxCostOf(context, hold))
    if (!max || !covers(availableBudget(context, hold.id), { tokens: tokensOf(max), usd: max.usd })) return false
    putHold(context.sql, hold.id, max, context.now())
    return true
  })
}

/** Ends the reservations under these ids, and says which had lapsed: those no longer count as spent. */
export function settle(context: CorpusContext, ids: readonly string[]): SpendingRow[] {
  return ids.flatMap((id) => takeHold(context.sql, id) ?? []).map((held) => unconfirmed(held, -1))
}

/** What lapses now, and from now on counts as spent. */
export function lapse(context: CorpusContext): SpendingRow[] {
  return takeLapsed(context.sql, context.now()).map((held) => unconfirmed(held, 1))
}

function unconfirmed({ read, written, embedded, usd }: Held, calls: 1 | -1): SpendingRow {
  return { stage: UNCONFIRMED, calls, read: calls * read, written: calls * written, embedded: calls * embedded, usd: calls * usd }
}

export function maxCostOf({ config: { prices } }: CorpusContext, { max }: Hold): Held {
  const stages = Object.entries(max)
  const sum = (of: (stage: string, spent: Hold['max'][string]) => number): number =>
    stages.reduce((all, [stage, spent]) => all + of(stage, spent), 0)
  return {
    read: sum((_, one) => one.in),
    written: sum((_, one) => one.out),
    embedded: sum((_, one) => one.embedded),
    usd: sum((stage, one) => costOf(prices, stage, one)),
  }
}
