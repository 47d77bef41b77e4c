/** Who follows the corpus, and when something must be done for them. */
import type { CorpusContext, Store } from '../store'
import { hasMeta, metaKeys, readMeta } from '../tables/meta'
import { deleteReplica, hasUnreplicated, listReplicas, listSegments } from '../tables/replica'
import { GONE, isIntegrating } from './writer'

/** Is there anything to do for replicas, now or later? */
export function isReplicated({ sql }: Pick<Store, 'sql'>): boolean {
  return hasMeta(sql, metaKeys.replication) || hasMeta(sql, metaKeys.leftInLog) || listReplicas(sql).length > 0
}

/** When `replicate` has something to do; null: it has nothing. */
export function replicationDueAt({ sql, now }: Pick<CorpusContext, 'sql' | 'now'>): number | null {
  if (!isReplicated({ sql })) return null
  const left = readMeta(sql, metaKeys.leftInLog)
  const replicas = listReplicas(sql)
  const isRecording = hasMeta(sql, metaKeys.replication)
  const isWaiting = hasUnreplicated(sql)
  const isHeld = isWaiting && isIntegrating({ sql }) // what is only partly applied is not sent
  if (left?.isUnseen || (isRecording && !isHeld && (isWaiting || replicas.length === 0))) return now()
  const applied = Math.min(...replicas.filter(({ until }) => until > now()).map((one) => one.applied))
  if (isRecording && listSegments(sql, 0, 2).some((row) => row.attempt > GONE && row.digest !== null && row.n <= applied)) return now()
  const next = Math.min(...replicas.map(({ until }) => until), left?.until ?? Number.POSITIVE_INFINITY)
  return next === Number.POSITIVE_INFINITY ? null : Math.max(now(), next)
}

/** Each has reported that it has forgotten everything. */
export function forgetReplicas({ sql }: Pick<Store, 'sql'>): void {
  for (const { name } of listReplicas(sql)) deleteReplica(sql, name)
}

/** The replicas that follow now. */
export const followers = ({ sql, now }: Pick<Store, 'sql' | 'now'>): readonly string[] =>
  listReplicas(sql).flatMap(({ name, until }) => (until > now() ? [name] : []))
