/**
 * The survey behind the health report: every derived node, a page at a time, and every probe, one at a time. One begins when the graph has
 * changed since the last, an hour after that at the earliest, and goes on slice by slice until it is whole; an unchanged graph is not looked at.
 */
import type { DerivedKind, GraphNode } from '../../../src/core/graph/types'
import type { HealthView } from '../../../src/ports'
import { findings, scan } from '../gate/gate'
import { keepFound, pinned, probeToAsk } from '../gate/probes'
import { pauses, type Upkeep } from '../schedule/due-times'
import { type Ledger, readMeta, writeMeta } from '../store'

const PAGE = 200 // nodes looked at in a slice
const PROBED = 100_000 // passages up to which the schedule asks the probes: each is a scan of 100 MB of vectors. Beyond, only the gate asks them
const KINDS: readonly DerivedKind[] = ['entity', 'summary', 'community']

interface Tally {
  readonly seen: number
  readonly orphans: number
  readonly stale: number
  readonly sizes: readonly [count: number, sum: number, max: number]
  readonly degrees: readonly [count: number, sum: number, max: number]
}

/** How far the nodes have been looked at. */
interface Place {
  readonly kind: DerivedKind
  readonly after: string
  readonly tally: Tally
}

/** The survey under way, or the last one. */
interface Survey {
  readonly at: number
  /** Of the graph, when it began. */
  readonly version: number
  readonly nodes?: Place
}

const NOTHING: Tally = { seen: 0, orphans: 0, stale: 0, sizes: [0, 0, 0], degrees: [0, 0, 0] }
const BEGIN: Place = { kind: 'entity', after: '', tally: NOTHING }

export function surveyState(ledger: Ledger): Pick<Upkeep, 'survey' | 'surveyedAt'> {
  const last = lastSurvey(ledger)
  const surveyedAt = last?.at ?? 0
  if (last && (last.nodes || toAsk(ledger, last))) return { survey: 'under way', surveyedAt }
  if (toAsk(ledger, undefined)) return { survey: 'unasked probes', surveyedAt }
  return { survey: isStale(ledger, last) ? 'stale' : 'current', surveyedAt }
}

/** A slice of the survey, inside the schedule's transaction. */
export function examine(ledger: Ledger): void {
  const now = ledger.now()
  const last = lastSurvey(ledger)
  const begins = isStale(ledger, last) && !last?.nodes && (!last || now >= last.at + pauses.survey)
  const current = begins ? { at: now, version: ledger.graph.version, nodes: BEGIN } : last
  const probe = toAsk(ledger, current)
  if (probe) {
    const { k } = pinned(ledger)
    keepFound(ledger, probe, { at: now, found: Object.fromEntries(findings(ledger, probe, scan(ledger.graph, probe.vector), k)) })
  }
  if (current?.nodes) {
    const { nodes, ...rest } = current
    const further = lookAtPage(ledger, nodes)
    writeMeta(ledger.sql, 'survey', JSON.stringify(further ? { ...rest, nodes: further } : rest))
  }
  writeMeta(ledger.sql, 'tended', String(now))
}

/** What the graph is compared with from now on: it has just been put in order, and is surveyed anew. */
export function setBaseline(ledger: Ledger): void {
  ledger.sql.run(`DELETE FROM meta WHERE key IN ('survey', 'baseline')`)
}

function lastSurvey({ sql }: Pick<Ledger, 'sql'>): Survey | undefined {
  const text = readMeta(sql, 'survey')
  const survey = text ? (JSON.parse(text) as Partial<Survey>) : undefined
  return survey?.at === undefined ? undefined : (survey as Survey)
}

const isStale = ({ graph }: Ledger, last: Survey | undefined): boolean => (last?.version ?? 0) !== graph.version

/** A probe that was never asked, or that this survey has not asked yet. */
function toAsk(ledger: Ledger, survey: Survey | undefined) {
  return ledger.graph.count('passage') > PROBED ? undefined : probeToAsk(ledger, survey?.at ?? 0)
}

/** A page of one kind; undefined after the last kind, when what was found is written. */
function lookAtPage(ledger: Ledger, { kind, after, tally: before }: Place): Place | undefined {
  const ids = ledger.graph.page(kind, after, PAGE)
  const tally = ids.flatMap((id) => ledger.graph.node(id) ?? []).reduce((sum, node) => counted(ledger, node, sum), before)
  const next = KINDS[KINDS.indexOf(kind) + 1]
  if (ids.length === PAGE) return { kind, after: ids.at(-1) ?? '', tally }
  if (next) return { kind: next, after: '', tally }
  report(ledger, tally)
  return undefined
}

function report({ sql, now }: Ledger, { seen, orphans, stale, sizes, degrees }: Tally): void {
  const nodes: NonNullable<HealthView['nodes']> = { at: now(), seen, orphans, stale, size: spread(sizes), degree: spread(degrees) }
  writeMeta(sql, 'nodes', JSON.stringify(nodes))
  if (!readMeta(sql, 'baseline')) writeMeta(sql, 'baseline', JSON.stringify({ size: nodes.size.mean, degree: nodes.degree.mean }))
}

function counted({ graph }: Ledger, node: GraphNode, tally: Tally): Tally {
  const degree = graph.degreeTo(node.kind === 'entity' ? 'mentions' : 'member', node.id)
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

function spread([count, sum, max]: Tally['sizes']): { readonly mean: number; readonly most: number } {
  return { mean: count > 0 ? Math.round((1000 * sum) / count) / 1000 : 0, most: max }
}
