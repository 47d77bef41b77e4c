/**
 * The budget of a corpus in partitions. Its own object keeps it: a partition reserves there what its calls can cost at most, and reports, with
 * the commit that takes their results, what has been spent. Reports arrive in order and are taken once, so a reservation ends exactly when
 * its cost is known there, and one that is never reported lapses as any other. A partition keeps no money, so nothing is to be given back.
 */
import { corpusUidOf, partitionKey, partitionUids } from '../../../src/corpus-uid'
import type { Report } from '../../../src/ports/reports'
import { HOLD_MS } from '../../holds'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import { insertReport } from '../tables/report'

type Used = Extract<Report, { readonly kind: 'spent' }>['spent']
type Own = Pick<CorpusContext, 'sql' | 'config'>

const HELD_WAIT = 4000 // ms until it is asked again, if what is left is reserved for others; shorter than a runner's pause

export const isPartition = ({ config: { uid } }: Pick<CorpusContext, 'config'>): boolean => corpusUidOf(uid) !== uid

/** What partitions have spent; undefined: not all have said so since there is a budget, and nothing may be granted. */
export function spentByPartitions({ sql, config }: Own): Used | undefined {
  const parts = partitionUids(config.uid)
  const told = readMeta(sql, metaKeys.partitionSpending) ?? {} // also by partitions that are being filled
  if (parts.some((uid) => !told[partitionKey(uid)])) return undefined
  return Object.values(told).reduce<Used>((sum, one) => {
    return { in: sum.in + one.in, out: sum.out + one.out, embedded: sum.embedded + one.embedded, usd: sum.usd + one.usd }
  }, NOTHING)
}

const NOTHING: Used = { in: 0, out: 0, embedded: 0, usd: 0 }

/** In the corpus's own object, inside its transaction. */
export function noteSpentBy(
  { sql }: Pick<Own, 'sql'>,
  partition: string,
  { spent, isCapped }: Extract<Report, { readonly kind: 'spent' }>,
): void {
  const told = readMeta(sql, metaKeys.partitionSpending) ?? {}
  const part = partitionKey(partition)
  if (isCapped || told[part]) writeMeta(sql, metaKeys.partitionSpending, { ...told, [part]: spent })
}

interface Spending {
  readonly spent: Used
  readonly isCapped: boolean
}

/** In a partition, in the transaction that adds to what it has spent. */
export function reportSpent(context: Own, report: Spending & { readonly holds: readonly string[] }): void {
  const { spent, isCapped, holds } = report
  if (!isPartition(context) || (!isCapped && holds.length === 0)) return
  insertReport(context.sql, { kind: 'spent', spent, holds, ...(isCapped ? { isCapped: true as const } : {}) })
}

/** In a partition: until when it asks for nothing more, and why; null: it may ask. A refusal is forgotten once reservations may have lapsed. */
export function refusedUntil({ sql }: Pick<CorpusContext, 'sql'>): { readonly at: number; readonly isHeld: boolean } | null {
  const refusal = readMeta(sql, metaKeys.budgetRefusal)
  return refusal ? { at: refusal.at + (refusal.isHeld ? HELD_WAIT : HOLD_MS), isHeld: refusal.isHeld } : null
}

/** What is left was reserved for others a moment ago. */
export function isWaitingForMoney(context: Pick<CorpusContext, 'sql' | 'now'>): boolean {
  const refused = refusedUntil(context)
  return refused !== null && refused.isHeld && context.now() < refused.at
}
