/**
 * Notices when a structure that grows locally has drifted so far that its builder would make it again. Measuring reads the whole structure, so it is done
 * only where it is wanted (an endpoint subscribed to it, or a reader of the health report), by the schedule, when a twentieth of the passages has moved
 * since it was last done, and after a consolidation. Announced once each time a measure passes its bound.
 */
import type { CorpusHealth } from '../../../src/contract/health'
import type { CorpusContext } from '../store'
import { deleteMeta, type MetaKey, metaKeys, readMeta, writeMeta } from '../tables/meta'
import { announce, isEventWanted } from '../webhooks/announce'

const STEP = 0.05 // of the passages must have been added or removed since quality was last measured
const INTEREST_MS = 86_400_000 // ms for which a reader of the health report is assumed to be interested
const NOTE_PAUSE = 3_600_000 // ms between two such notes, so that not every read writes a row

const { churnAtQuality } = metaKeys

type Quality = NonNullable<CorpusHealth['quality']>

/** Inside the schedule's transaction. `churn`: passages added or removed since the last consolidation, out of how many. */
export function announceDrift(context: CorpusContext, churn: number, passages: number): void {
  const { sql, now } = context
  const heard = isEventWanted(sql, 'corpus.drift')
  const mark = churnAtQuality[heard ? 'announced' : 'unannounced']
  if (!(heard || isRead(context)) || !isMeasureDue(context, mark, churn, passages)) return
  const measures = context.builders.flatMap(({ name, drift }) =>
    (drift?.(context.graph, context.config.settings) ?? []).map((one) => ({ strategy: name, ...one })),
  )
  writeMeta(sql, metaKeys.quality, { at: now(), measures })
  writeMeta(sql, mark, churn)
  if (heard) announcePassedBounds(context, measures)
}

/** Would `announceDrift` measure? */
export function isQualityWanted(context: CorpusContext, churn: number, passages: number): boolean {
  if (!context.builders.some((one) => one.drift)) return false
  const heard = isEventWanted(context.sql, 'corpus.drift')
  return (heard || isRead(context)) && isMeasureDue(context, churnAtQuality[heard ? 'announced' : 'unannounced'], churn, passages)
}

function announcePassedBounds({ sql, graph, now }: CorpusContext, measures: Quality['measures']): void {
  const over = new Set(readMeta(sql, metaKeys.announcedDrift) ?? [])
  const beyond = measures.filter(({ lost, bound }) => lost > bound)
  for (const { strategy, measure, lost } of beyond) {
    if (over.has(`${strategy} ${measure}`)) continue
    const share = Math.round(1000 * lost) / 1000
    announce(sql, now(), [{ type: 'corpus.drift', data: { measure, strategy, share, version: graph.version } }])
  }
  writeMeta(
    sql,
    metaKeys.announcedDrift,
    beyond.map(({ strategy, measure }) => `${strategy} ${measure}`),
  )
}

/** Everything has just been consolidated, or compared and left: quality is measured again at the next check. */
export function forgetMeasures({ sql }: Pick<CorpusContext, 'sql'>): void {
  deleteMeta(sql, churnAtQuality.announced, churnAtQuality.unannounced)
}

/** The latest measurements, by builders that are switched on; null if there are none. */
export function qualityOf({ sql, builders }: Pick<CorpusContext, 'sql' | 'builders'>): CorpusHealth['quality'] {
  const last = readMeta(sql, metaKeys.quality)
  if (!last) return null
  const { at, measures } = last
  const present = measures.filter(({ strategy }) => builders.some((one) => one.name === strategy))
  return present.length > 0 ? { at, measures: present } : null
}

/** Somebody reads the health report: for a day the schedule measures what it shows. True if that was not known yet. */
export function noteHealthRead({ sql, now }: Pick<CorpusContext, 'sql' | 'now'>): boolean {
  const isNew = now() - (readMeta(sql, metaKeys.healthReadAt) ?? 0) >= NOTE_PAUSE
  if (isNew) writeMeta(sql, metaKeys.healthReadAt, now())
  return isNew
}

const isRead = ({ sql, now }: CorpusContext): boolean => now() - (readMeta(sql, metaKeys.healthReadAt) ?? -INTEREST_MS) < INTEREST_MS

function isMeasureDue({ sql }: CorpusContext, mark: MetaKey<number>, churn: number, passages: number): boolean {
  const at = readMeta(sql, mark)
  return at === undefined || churn < at || churn - at >= STEP * passages
}
