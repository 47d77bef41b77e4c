/** Notices when spending passes a mark of the budget: the only place that announces `budget.threshold`. */

import type { CorpusContext } from '../store'
import { announce } from '../webhooks/announce'

export const MARKS: readonly number[] = [0.5, 0.8, 1] // shares of the budget

/** The highest mark that spending has passed on its way from one share to another; undefined if it has passed none. */
export function markPassed(before: number, after: number): number | undefined {
  return MARKS.findLast((mark) => before < mark && after >= mark)
}

/** Called inside the transaction that spends, at most once per mark and budget. */
export function noteThreshold(context: CorpusContext, before: number, after: number): void {
  const mark = markPassed(before, after)
  if (mark === undefined) return
  announce(context.sql, context.now(), [{ type: 'budget.threshold', data: { share: mark } }])
}
