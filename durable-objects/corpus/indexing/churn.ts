/** How many passages have been added or removed since the graph was last consolidated: this decides when consolidation is due. */

import type { Integration } from '../../../src/core/graph/integrate'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'

/** Counts passages added or removed: this decides when consolidation is due. */
export function noteChurn(context: CorpusContext, delta: Integration['delta']): void {
  const moved = [...delta.added, ...delta.removed.map((one) => one.chunk)].reduce((sum, chunk) => sum + chunk.passages.length, 0)
  if (moved > 0) writeMeta(context.sql, metaKeys.churn, churnOf(context) + moved)
}

export const churnOf = (context: CorpusContext): number => readMeta(context.sql, metaKeys.churn) ?? 0
