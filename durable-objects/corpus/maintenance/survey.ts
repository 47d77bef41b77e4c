/**
 * The survey behind the health report: every derived node, a page at a time, and every probe, one at a time. A survey begins when the graph has changed
 * since the last one, an hour after that at the earliest, and continues slice by slice until it is complete; an unchanged graph is not surveyed.
 */
import type { CorpusHealth } from '../../../src/contract/health'
import { memberEdges } from '../../../src/core/graph/members'
import type { DerivedKind, GraphNode } from '../../../src/core/graph/types'
import { partitionsOf } from '../../../src/corpus-uid'
import { findings, scan } from '../quality-gate/gate'
import { pinnedProbes, probeToAsk, storeFinding } from '../quality-gate/probes'
import type { CorpusContext } from '../store'
import { deleteMeta, hasMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { Survey, SurveyPlace, SurveyTally } from '../tables/meta-values'

export const SURVEY_PAUSE = 3_600_000 // ms between two surveys of a corpus that keeps changing
const PAGE = 200 // nodes checked in a slice
const MAX_PROBED_PASSAGES = 100_000 // passages up to which the schedule asks the probes: each is a scan of 100 MB of vectors. Beyond, only the gate asks them
const KINDS: readonly DerivedKind[] = ['entity', 'summary', 'community']

const NOTHING: SurveyTally = { seen: 0, orphans: 0, stale: 0, sizes: [0, 0, 0], degrees: [0, 0, 0] }
const BEGIN: SurveyPlace = { kind: 'entity', after: '', tally: NOTHING }

export interface SurveyState {
  readonly survey: 'current' | 'stale' | 'under way' | 'unasked probes'
  readonly surveyedAt: number
}

export function surveyState(context: CorpusContext): SurveyState {
  const last = lastSurvey(context)
  const surveyedAt = last?.at ?? 0
  if (last && (last.nodes || nextProbe(context, last))) return { survey: 'under way', surveyedAt }
  if (nextProbe(context, undefined)) return { survey: 'unasked probes', surveyedAt }
  return { survey: isStale(context, last) ? 'stale' : 'current', surveyedAt }
}

/** A slice of the survey, inside the schedule's transaction. */
export function surveySlice(context: CorpusContext): void {
  const now = context.now()
  const last = lastSurvey(context)
  const begins = isStale(context, last) && !last?.nodes && (!last || now >= last.at + SURVEY_PAUSE)
  const current = begins ? { at: now, version: context.graph.version, nodes: BEGIN } : last
  const probe = nextProbe(context, current)
  if (probe) {
    const { k } = pinnedProbes(context)
    storeFinding(context, probe, { at: now, found: Object.fromEntries(findings(context, probe, scan(context.graph, probe.vector), k)) })
  }
  if (current?.nodes) {
    const { nodes, ...rest } = current
    const further = surveyPage(context, nodes)
    writeMeta(context.sql, metaKeys.survey, further ? { ...rest, nodes: further } : rest)
  }
  writeMeta(context.sql, metaKeys.maintainedAt, now)
}

/** The baseline for later comparisons: the graph has just been consolidated, and is surveyed again. */
export function resetSurvey(context: CorpusContext): void {
  deleteMeta(context.sql, metaKeys.survey, metaKeys.surveyBaseline)
}

function lastSurvey({ sql }: Pick<CorpusContext, 'sql'>): Survey | undefined {
  const survey = readMeta(sql, metaKeys.survey)
  return survey?.at === undefined ? undefined : (survey as Survey)
}

const isStale = ({ graph }: CorpusContext, last: Survey | undefined): boolean => (last?.version ?? 0) !== graph.version

/** A probe that was never asked, or that this survey has not asked yet. */
function nextProbe(context: CorpusContext, survey: Survey | undefined) {
  if (partitionsOf(context.config.uid) > 1) return undefined // it has no documents: its partitions are asked (ask-probes.ts)
  return context.graph.count('passage') > MAX_PROBED_PASSAGES ? undefined : probeToAsk(context, survey?.at ?? 0)
}

/** A page of one kind; undefined after the last kind, when the findings are written. */
function surveyPage(context: CorpusContext, { kind, after, tally: before }: SurveyPlace): SurveyPlace | undefined {
  const ids = context.graph.page(kind, after, PAGE)
  const tally = ids.flatMap((id) => context.graph.node(id) ?? []).reduce((sum, node) => countNode(context, node, sum), before)
  const next = KINDS[KINDS.indexOf(kind) + 1]
  if (ids.length === PAGE) return { kind, after: ids.at(-1) ?? '', tally }
  if (next) return { kind: next, after: '', tally }
  storeReport(context, tally)
  return undefined
}

function storeReport({ sql, now }: CorpusContext, { seen, orphans, stale, sizes, degrees }: SurveyTally): void {
  const nodes: NonNullable<CorpusHealth['nodes']> = { at: now(), seen, orphans, stale, size: spread(sizes), degree: spread(degrees) }
  writeMeta(sql, metaKeys.surveyedNodes, nodes)
  if (!hasMeta(sql, metaKeys.surveyBaseline)) {
    writeMeta(sql, metaKeys.surveyBaseline, { size: nodes.size.mean, degree: nodes.degree.mean })
  }
}

function countNode({ graph }: CorpusContext, node: GraphNode, tally: SurveyTally): SurveyTally {
  const degree = node.kind === 'entity' ? graph.degreeTo('mentions', node.id) : memberEdges(graph, node.id).length
  const among = node.kind === 'entity' ? 'degrees' : 'sizes'
  const [count, sum, max] = tally[among]
  return {
    ...tally,
    seen: tally.seen + 1,
    orphans: tally.orphans + Number(degree === 0),
    stale: tally.stale + Number(node.stale === true),
    [among]: [count + 1, sum + degree, Math.max(max, degree)],
  }
}

function spread([count, sum, max]: SurveyTally['sizes']): NonNullable<CorpusHealth['nodes']>['size'] {
  return { mean: count > 0 ? Math.round((1000 * sum) / count) / 1000 : 0, max, most: max }
}
