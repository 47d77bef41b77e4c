/** What a corpus without partitions has that one with partitions cannot have: it is named, and the corpus is not divided. */
import { isJoint, jointStrategies } from '../../../src/core/strategies/joint'
import type { PartitionSet } from '../../../src/partition-layout'
import type { Hindrance } from '../../../src/ports/repartition'
import { clearingState } from '../outbox/former-index'
import { isPending } from '../pending-config'
import type { CorpusContext } from '../store'
import { hasMeta, metaKeys } from '../tables/meta'
import { hasReplicas } from '../tables/replica'

const OFFERED = jointStrategies.join(', ')

/** `count`: of partitions that it has; 1: it has none. `kept`: the strategies that it keeps; undefined: all. */
export function hindrancesIn(context: CorpusContext, { count }: PartitionSet, kept: readonly string[] | undefined): readonly Hindrance[] {
  if (count > 1) return kept ? [{ path: 'strategies', message: 'are changed by PUT in a corpus that has partitions' }] : []
  const { sql, config } = context
  const { strategies, settings } = config
  const lost = strategies.filter((name) => !isJoint(name))
  const unknown = (kept ?? []).filter((name) => !strategies.includes(name))
  const alone = (kept ?? []).filter((name) => strategies.includes(name) && !isJoint(name))
  const left = JSON.stringify(strategies.filter(isJoint))
  return [
    ...(kept === undefined && lost.length > 0
      ? [{ path: 'strategies', message: `${lost.join(', ')}: not offered in partitions; say which remain of what is on, such as ${left}` }]
      : []),
    ...unknown.map((name) => ({ path: 'strategies', message: `${name} is not switched on in this corpus` })),
    ...alone.map((name) => ({
      path: 'strategies',
      message: `${name} works only in an unpartitioned corpus; with partitions there are ${OFFERED}`,
    })),
    ...((settings.extraction.examples ?? []).length > 0
      ? [{ path: 'settings.extraction.examples', message: 'must be empty: no model takes names from the texts of a corpus in partitions' }]
      : []),
    ...((settings.replicas?.count ?? 0) > 0 || hasReplicas(sql) || hasMeta(sql, metaKeys.replication)
      ? [{ path: 'settings.replicas.count', message: 'must be 0, and the replicas gone: a corpus in partitions has none' }]
      : []),
    ...(isPending(context) || clearingState(context)
      ? [
          {
            path: 'jobs',
            message: 'settings or a model that are not in force yet: wait until the graph has been derived for them, or take them back',
          },
        ]
      : []),
  ]
}
