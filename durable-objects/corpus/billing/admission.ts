/**
 * Which tasks a runner may be lent: those whose maximum costs together fit into what is left of the budget. If not even the next one fits,
 * the corpus counts as out of money, even if something is left.
 */
import { costOf, mostOf } from '../../../src/core/cost'
import type { Brief } from '../../../src/core/strategy'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import { isTaskOpen, type TaskRow } from '../tables/task'
import { isPartition, refusedUntil } from './partition'
import { availableBudget, covers, isCapped, remainingBudget, totalTokens } from './usage'

export interface Admission {
  admits(row: TaskRow, brief: Brief): boolean
  /** Why the last task was not admitted. `held`: it would fit if nothing were reserved for others. */
  refused(): 'held' | 'unaffordable' | undefined
}

/** For one lease, in its transaction. `thinkingTokens`: those that a reply of the model may take beyond its limit. */
export function openAdmission(context: CorpusContext, thinkingTokens?: number): Admission {
  let refusal: ReturnType<Admission['refused']>
  const left = availableBudget(context)
  let [tokens, usd] = [0, 0]
  return {
    refused: () => refusal,
    admits(row, brief) {
      if (!isCapped(context) || isPartition(context)) return true // a partition's round asks the whole what it may begin
      const most = mostOf(brief, thinkingTokens)
      const own = { tokens: totalTokens(most), usd: costOf(context.config.prices, brief.kind, most) }
      if (covers(left, { tokens: tokens + own.tokens, usd: usd + own.usd })) {
        tokens += own.tokens
        usd += own.usd
        return true
      }
      refusal = covers(remainingBudget(context), own) ? 'held' : 'unaffordable'
      if (refusal === 'unaffordable' && tokens === 0) {
        writeMeta(context.sql, metaKeys.unaffordable, { n: row.n, input: row.input, ...own })
      }
      return false
    },
  }
}

/** Does the budget not cover the next call, even ignoring reservations? */
export function isBudgetExhausted(context: Pick<CorpusContext, 'sql' | 'config' | 'now'>): boolean {
  if (!isCapped(context)) return false
  if (isPartition(context)) {
    const refused = refusedUntil(context)
    return refused !== null && !refused.isHeld && context.now() < refused.at
  }
  const left = remainingBudget(context)
  if (left.tokens === 0 || left.usd === 0) return true
  const wanted = readMeta(context.sql, metaKeys.unaffordable)
  if (!wanted || covers(left, wanted)) return false
  return isTaskOpen(context.sql, wanted)
}
