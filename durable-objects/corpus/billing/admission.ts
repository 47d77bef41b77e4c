/**
 * Which tasks a runner may be lent: those that fit together into what is left of the budget at the most they can come to. Where not even the
 * next one fits, the corpus is out of money, though something may be left.
 */
import { costOf, mostOf } from '../../../src/core/cost'
import type { Brief } from '../../../src/core/strategy'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import { isTaskOpen, type TaskRow } from '../tables/task'
import { availableBudget, covers, isCapped, remainingBudget, totalTokens } from './usage'

export interface Admission {
  admits(row: TaskRow, brief: Brief): boolean
  /** Why the last task was not let in. `held`: it would fit if nothing were set aside for others. */
  refused(): 'held' | 'unaffordable' | undefined
}

/** Of one lease, in its transaction. `thinkingTokens`: those a reply of the model may take beyond its room. */
export function openAdmission(context: CorpusContext, thinkingTokens?: number): Admission {
  let refusal: ReturnType<Admission['refused']>
  const left = availableBudget(context)
  let [tokens, usd] = [0, 0]
  return {
    refused: () => refusal,
    admits(row, brief) {
      if (!isCapped(context)) return true
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

/** Does the budget not cover the next call, whatever is set aside? */
export function isBudgetExhausted(context: Pick<CorpusContext, 'sql' | 'config'>): boolean {
  if (!isCapped(context)) return false
  const left = remainingBudget(context)
  if (left.tokens === 0 || left.usd === 0) return true
  const wanted = readMeta(context.sql, metaKeys.unaffordable)
  if (!wanted || covers(left, wanted)) return false
  return isTaskOpen(context.sql, wanted)
}
