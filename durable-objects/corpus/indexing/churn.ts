/** How many passages have come or gone since the graph was last consolidated: what consolidation is due by. */

import type { Integration } from '../../../src/core/graph/integrate'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'

/** Counts passages that came or went: what consolidation is due by. */
export function noteChurn(context: CorpusContext, delta: Integration['delta']): void {
  const moved = [...delta.added, ...delta.removed.map((one) => one.chunk)].reduce((sum, chunk) => sum + chunk.passages.length, 0)
  if (moved > 0) writeMeta(context.sql, metaKeys.churn, churnOf(context) + moved)
}

export const churnOf = (context: CorpusContext): number => readMeta(context.sql, metaKeys.churn) ?? 0
