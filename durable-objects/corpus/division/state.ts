/** The change of the number of partitions, in the object of the corpus: what it has got to, as a job. */
import type { Job } from '../../../src/contract/jobs'
import { isJoint } from '../../../src/core/strategies/joint'
import { isDivisible, partitionSetOf, uidsOfSet } from '../../../src/corpus-uid'
import { CLOSED, type PartitionSet, rememberedLayout } from '../../../src/partition-layout'
import type { Actor } from '../../../src/ports/audit'
import type { CorpusConfig } from '../../../src/ports/corpus'
import type { Hindrance, PartitionsWish, Repartitioning } from '../../../src/ports/repartition'
import { addAuditEntries } from '../audit/log'
import type { CorpusContext, Store } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { Repartition } from '../tables/repartition'
import { lastRuling } from '../tables/ruling'
import { isMovingModel, isSwitchingModel } from './model-move'

type Db = Pick<Store, 'sql'>

export const repartitionOf = ({ sql }: Db): Repartition | undefined => readMeta(sql, metaKeys.repartition)

export const isRepartitioning = (db: Db): boolean => (repartitionOf(db)?.step ?? 'done') !== 'done'

/** When the next step is due; null: nothing is under way. */
export function repartitionAt(db: Db): number | null {
  const state = repartitionOf(db)
  return state && state.step !== 'done' ? state.notBefore : null
}

/** False: it is at another step by now, and nothing was changed. */
export function advance(context: CorpusContext, from: Repartition, change: Partial<Repartition>): boolean {
  return context.atomically(() => {
    const now = repartitionOf(context)
    if (now?.job !== from.job || now.step !== from.step) return false
    writeMeta(context.sql, metaKeys.repartition, { ...now, ...change })
    return true
  })
}

const ALONE: PartitionSet = { set: 0, count: 1 }

/** `hindrancesIn`: what keeps it from having partitions. */
export function beginRepartition(
  context: CorpusContext,
  { count, strategies }: PartitionsWish,
  by: Actor | undefined,
  hindrancesIn: (from: PartitionSet) => readonly Hindrance[] = () => [],
): Repartitioning {
  const { sql, config, now, atomically } = context
  const from = partitionSetOf(config.uid) ?? (isDivisible(config.uid) ? ALONE : null)
  if (!from) return { kind: 'undivided' }
  if (isRepartitioning(context) || isMovingModel(context)) return { kind: 'busy' }
  if (from.count === count) return { kind: 'same' }
  const hindrances = hindrancesIn(from)
  if (hindrances.length > 0) return { kind: 'hindered', by: hindrances }
  const without = strategies ? config.strategies.filter((name) => !strategies.includes(name)) : []
  const job = `j_${crypto.randomUUID().replaceAll('-', '')}`
  const to = { set: Math.max(from.set, repartitionOf(context)?.to.set ?? 0) + 1, count } // objects that were emptied are not used again
  const told = readMeta(sql, metaKeys.rulingsTold) ?? {}
  const rulings = Math.max(lastRuling(sql), ...Object.values(told), 0)
  atomically(() => {
    writeMeta(sql, metaKeys.repartition, {
      ...{ job, by: by ?? null, from, to, rulings },
      ...(without.length > 0 ? { without } : {}),
      layout: (rememberedLayout(config.uid)?.n ?? 0) + 1,
      step: 'open',
      status: 'running',
      place: { part: 0, after: '' },
      ...{ orders: 0, tries: 0, notBefore: 0, created: now() },
      documents: { done: 0, total: 0 },
      spent: { in: 0, out: 0, embedded: 0 },
    })
    // Decisions made from now on are kept until the new partitions have been told.
    writeMeta(sql, metaKeys.rulingsTold, { ...told, ...Object.fromEntries(uidsOfSet(config.uid, to).map((uid) => [uid, rulings])) })
    addAuditEntries(context, by, [{ action: 'corpus.repartition', subject: `${from.count} → ${count}`, outcome: 'accepted' }])
  })
  return { kind: 'accepted', job }
}

/** What a corpus has switched on when it is in its new partitions. */
export function strategiesAfter({ strategies }: Pick<CorpusConfig, 'strategies'>, { from, without = [] }: Repartition): readonly string[] {
  return from.count > 1 ? strategies : strategies.filter((name) => isJoint(name) && !without.includes(name))
}

/** Before the new partitions serve. False: it is too late, or there is no such job. */
export function cancelRepartition(context: CorpusContext, job: string): boolean {
  const state = repartitionOf(context)
  if (state?.job !== job || !['open', 'copy', 'close'].includes(state.step)) return false
  return advance(context, state, { step: 'abandon', status: 'cancelled', notBefore: 0 })
}

/** In an object that was restored to a moment: what partitions were being given is of another state. */
export function stopRepartition(context: CorpusContext): void {
  const state = repartitionOf(context)
  if (state && state.step !== 'done') advance(context, state, { step: 'abandon', status: 'cancelled', notBefore: 0 })
}

/** As a job; only the latest is known. */
export function repartitionJob(db: Db, id: string): Job | null {
  const state = repartitionOf(db)
  if (state?.job !== id) return null
  const { documents, spent, error, step } = state
  const none = { done: 0, total: 0 }
  return {
    job: id,
    kind: 'repartition',
    status: step === 'done' ? state.status : 'running',
    progress: { ...documents, documents, chunks: none, texts: none },
    usage: spent,
    ...(error === undefined ? {} : { error }),
  }
}

export function latestRepartition(db: Db): Job | null {
  const state = repartitionOf(db)
  return state ? repartitionJob(db, state.job) : null
}

/** To whom decisions are told: to nobody while writes are refused. */
export function toldUids({ sql, config }: Pick<CorpusContext, 'sql' | 'config'>, own: readonly string[]) {
  const state = repartitionOf({ sql })
  const coming = state && ['open', 'copy', 'close', 'serve'].includes(state.step) ? uidsOfSet(config.uid, state.to) : []
  return {
    kept: [...own, ...coming],
    now: state?.step === 'close' || state?.step === 'serve' ? [] : [...own, ...(state?.step === 'copy' ? coming : [])],
    /** What sources no longer list is gone from the others, and so from these. */
    coming: new Set(coming),
  }
}

/** What the partitions are told with their configuration may not change in the moment of the switch. */
export function refuseClosing(db: Db): void {
  const step = repartitionOf(db)?.step
  if (step === 'close' || step === 'serve' || isSwitchingModel(db)) throw new Error(CLOSED)
}
