/**
 * Tells when a structure that grows locally has drifted so far that its builder would make it anew. Measuring reads the whole structure, so
 * it is done where somebody wants to know (an endpoint that hears of it, or a reader of the health report), by the schedule, when a twentieth
 * of the passages has moved since it was last done, and after a consolidation. Told once each time a measure passes its bound.
 */
import type { CorpusHealth } from '../../../src/contract/health'
import { type CorpusContext, readMeta, writeMeta } from '../store'
import { announce, wanted } from '../webhooks/announce'

const STEP = 0.05 // of the passages must have come or gone since quality was last measured
const CURIOUS = 86_400_000 // ms for which who has read the health report is taken to want to know
const OFTEN = 3_600_000 // ms between two notes of that: reading writes no row each time
const READ = 'drift/read' // when the health report was read
const MEASURED = 'drift/measured' // where churn stood when it was last measured for an endpoint
const SEEN = 'drift/seen' // and when nobody was told
const QUALITY = 'drift/quality' // what was measured
const OVER = 'drift/over' // builders and measures beyond their bound, as last told

type Quality = NonNullable<CorpusHealth['quality']>

/** Inside the schedule's transaction. `churn`: passages that came or went since the last consolidation, of so many. */
export function announceDrift(context: CorpusContext, churn: number, passages: number): void {
  const { sql, now } = context
  const heard = wanted(sql, 'corpus.drift')
  const mark = heard ? MEASURED : SEEN
  if (!(heard || isRead(context)) || !due(context, mark, churn, passages)) return
  const measures = context.builders.flatMap(({ name, drift }) =>
    (drift?.(context.graph, context.config.settings) ?? []).map((one) => ({ strategy: name, ...one })),
  )
  writeMeta(sql, QUALITY, JSON.stringify({ at: now(), measures } satisfies Quality))
  writeMeta(sql, mark, String(churn))
  if (heard) tell(context, measures)
}

/** Would `tellDrift` measure? */
export function isQualityWanted(context: CorpusContext, churn: number, passages: number): boolean {
  if (!context.builders.some((one) => one.drift)) return false
  const heard = wanted(context.sql, 'corpus.drift')
  return (heard || isRead(context)) && due(context, heard ? MEASURED : SEEN, churn, passages)
}

function tell({ sql, graph, now }: CorpusContext, measures: Quality['measures']): void {
  const over = new Set(JSON.parse(readMeta(sql, OVER) ?? '[]') as string[])
  const beyond = measures.filter(({ lost, bound }) => lost > bound)
  for (const { strategy, measure, lost } of beyond) {
    if (over.has(`${strategy} ${measure}`)) continue
    const share = Math.round(1000 * lost) / 1000
    announce(sql, now(), [{ type: 'corpus.drift', data: { measure, strategy, share, version: graph.version } }])
  }
  writeMeta(sql, OVER, JSON.stringify(beyond.map(({ strategy, measure }) => `${strategy} ${measure}`)))
}

/** Everything has just been put in order, or weighed and left: quality is measured anew at the next look. */
export function forgetMeasures({ sql }: Pick<CorpusContext, 'sql'>): void {
  sql.run('DELETE FROM meta WHERE key IN (?, ?)', MEASURED, SEEN)
}

/** What was measured last, by builders that are switched on; null where nothing was. */
export function qualityOf({ sql, builders }: Pick<CorpusContext, 'sql' | 'builders'>): CorpusHealth['quality'] {
  const text = readMeta(sql, QUALITY)
  if (!text) return null
  const { at, measures } = JSON.parse(text) as Quality
  const present = measures.filter(({ strategy }) => builders.some((one) => one.name === strategy))
  return present.length > 0 ? { at, measures: present } : null
}

/** Somebody reads the health report: for a day the schedule measures what it tells. True where that was not known. */
export function noteHealthRead({ sql, now }: Pick<CorpusContext, 'sql' | 'now'>): boolean {
  const isNew = now() - Number(readMeta(sql, READ) ?? 0) >= OFTEN
  if (isNew) writeMeta(sql, READ, String(now()))
  return isNew
}

const isRead = ({ sql, now }: CorpusContext): boolean => now() - Number(readMeta(sql, READ) ?? -CURIOUS) < CURIOUS

function due({ sql }: CorpusContext, mark: string, churn: number, passages: number): boolean {
  const at = readMeta(sql, mark)
  return at === undefined || churn < Number(at) || churn - Number(at) >= STEP * passages
}
