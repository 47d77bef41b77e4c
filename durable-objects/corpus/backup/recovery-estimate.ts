/** What restoring a corpus to a moment would mean, before anything is changed. Counts along indexes; no text is read. */
import { CLOSED } from '../../../src/partition-layout'
import type { PointInTime, RecoveryEstimate, RecoveryRefusal } from '../../../src/ports/recovery'
import { isRepartitioning } from '../division/state'
import type { CorpusContext } from '../store'
import { countAuditActionsSince } from '../tables/audit'
import { hasMovedSince } from '../tables/job'
import { metaKeys, readMeta } from '../tables/meta'
import { newestReceiptBy } from '../tables/receipt'
import { countRevisionsAfter } from '../tables/revision'
import { SKEW } from './carried'
import { withdrawalsSince } from './replay'

export async function recoveryEstimate(
  context: CorpusContext,
  pointInTime: PointInTime,
  time: number,
): Promise<(RecoveryEstimate & { readonly kind: 'estimate' }) | RecoveryRefusal> {
  const { sql, graph } = context
  if (isRepartitioning(context)) throw new Error(CLOSED)
  if (time < (readMeta(sql, metaKeys.createdAt) ?? 0)) return { kind: 'early' }
  if (hasMovedSince(sql, time)) return { kind: 'moved' }
  const { from, deleted, access } = withdrawalsSince(context, time - SKEW)
  if (from !== null && from > time) return { kind: 'log' }
  if ((await pointInTime.bookmarkAt(time)) === null) return { kind: 'unremembered' }
  const then = newestReceiptBy(sql, time)
  const versionThen = then?.version ?? 0
  return {
    kind: 'estimate',
    versionThen,
    at: then?.at ?? null,
    version: graph.version,
    accepted: readMeta(sql, metaKeys.acceptedCount) ?? 0,
    commits: graph.version - versionThen,
    documents: countRevisionsAfter(sql, versionThen),
    deleted: deleted.length,
    access: access.length,
    actions: Object.fromEntries(countAuditActionsSince(sql, time).map(({ action, n }) => [action, n])),
  }
}
