/**
 * Tells the partitions of a corpus what people decided about names, each in order. What failed is told again; a partition takes each decision
 * once. What all have been told is forgotten here.
 */
import { partitionUids } from '../../../src/corpus-uid'
import type { DecidingObject } from '../../../src/ports/deciding'
import { toldUids } from '../division/state'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import { deleteRulingsUpTo, lastRuling, listRulings } from '../tables/ruling'

const AT_ONCE = 100 // decisions in one call

export type PartitionOf = (uid: string) => Pick<DecidingObject, 'takeRulings'>

/** Rejects with the first failure, when all have been tried. */
export async function tellPartitions(context: CorpusContext, partition: PartitionOf): Promise<void> {
  const { sql, config } = context
  if (lastRuling(sql) === 0) return
  const { now, coming } = toldUids(context, partitionUids(config.uid))
  const told = await Promise.allSettled(now.map((uid) => tell(context, uid, partition(uid), coming.has(uid))))
  const failed = told.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}

async function tell(context: CorpusContext, uid: string, partition: Pick<DecidingObject, 'takeRulings'>, isComing: boolean): Promise<void> {
  const { sql } = context
  for (;;) {
    const rulings = listRulings(sql, toldUpTo(context, uid), AT_ONCE)
    const last = rulings.at(-1)
    if (!last) return
    const heard = isComing ? rulings.filter(({ what }) => what !== 'gone') : rulings
    if (heard.length > 0) await partition.takeRulings(heard)
    context.atomically(() => noteTold(context, uid, last.n))
  }
}

/** Another call may have told it more meanwhile. */
function noteTold(context: CorpusContext, uid: string, n: number): void {
  const { sql, config } = context
  const told = { ...readMeta(sql, metaKeys.rulingsTold), [uid]: Math.max(n, toldUpTo(context, uid)) }
  writeMeta(sql, metaKeys.rulingsTold, told)
  deleteRulingsUpTo(sql, Math.min(...toldUids(context, partitionUids(config.uid)).kept.map((one) => told[one] ?? 0)))
}

const toldUpTo = ({ sql }: Pick<CorpusContext, 'sql'>, uid: string): number => readMeta(sql, metaKeys.rulingsTold)?.[uid] ?? 0

/** Numbers of the partitions that have not been told everything up to `last`. */
export function untoldPartitions(context: CorpusContext, last: number): readonly number[] {
  return partitionUids(context.config.uid).flatMap((uid, part) => (toldUpTo(context, uid) < last ? [part] : []))
}
