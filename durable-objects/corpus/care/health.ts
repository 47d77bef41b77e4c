/**
 * The health of a corpus: what the schedule finds out, a page at a time, and what can be said at once. Reading it costs a few rows;
 * a tick looks at one page of derived nodes and asks a few of the probes.
 */
import type { DerivedKind, GraphNode } from '../../../src/core/graph/types'
import type { GateView, HealthView } from '../../../src/ports'
import { findings, scan } from '../gate/gate'
import { keepFound, pinned, probeCount, probesAfter, probesUnasked, resultsOf } from '../gate/probes'
import { type Ledger, readMeta, writeMeta } from '../store'
import { waiting } from '../told/outbox'
import { lastReceipt } from '../told/receipts'
import { owedTexts } from '../work/unwritten'
import { qualityOf } from './drift'
import { isPending } from './pending'

const PAGE = 500 // nodes looked at in one tick
const PROBES = 4 // probes asked in one tick
const KINDS: readonly DerivedKind[] = ['entity', 'summary', 'community']

interface Tally {
  readonly seen: number
  readonly orphans: number
  readonly stale: number
  readonly sizes: readonly [count: number, sum: number, most: number]
  readonly degrees: readonly [count: number, sum: number, most: number]
}

interface Survey {
  readonly kind: DerivedKind
  readonly after: string
  readonly tally: Tally
}

const NOTHING: Tally = { seen: 0, orphans: 0, stale: 0, sizes: [0, 0, 0], degrees: [0, 0, 0] }
const BEGIN: Survey = { kind: 'entity', after: '', tally: NOTHING }

/** One tick's work. Inside the schedule's transaction. */
export function examine(ledger: Ledger): void {
  survey(ledger)
  ask(ledger)
  writeMeta(ledger.sql, 'tended', String(ledger.now()))
}

/** What the graph is compared with from now on: it has just been put in order. */
export function setBaseline(ledger: Ledger): void {
  ledger.sql.run(`DELETE FROM meta WHERE key IN ('survey', 'baseline')`)
}

export function health(ledger: Ledger): HealthView {
  const { sql, graph } = ledger
  const last = lastReceipt(ledger)
  const nodes = read<NonNullable<HealthView['nodes']>>(ledger, 'nodes') ?? null
  const { k, tolerance } = pinned(ledger)
  const tended = readMeta(sql, 'tended')
  return {
    version: graph.version,
    head: last ? { hash: last.hash, state: last.state } : null,
    last_tend: tended ? Number(tended) : null,
    nodes,
    drift: driftOf(ledger, nodes),
    quality: qualityOf(ledger),
    owed: owedTexts(ledger),
    quarantined: sql.one<{ n: number }>('SELECT count(*) AS n FROM revision WHERE error IS NOT NULL')?.n ?? 0,
    outbox: { entries: waiting(ledger), versions_behind: Math.max(0, graph.version - Number(readMeta(sql, 'told/version') ?? 0)) },
    probes: { count: probeCount(ledger), k, tolerance, ...found(ledger) },
    gate: read<GateView>(ledger, 'gate') ?? null,
    pending: isPending(ledger),
  }
}

function read<T>(ledger: Pick<Ledger, 'sql'>, key: string): T | undefined {
  const text = readMeta(ledger.sql, key)
  return text ? (JSON.parse(text) as T) : undefined
}

/** A page of one kind; after the last kind the look is whole, and begins again. */
function survey(ledger: Ledger): void {
  const { sql, graph } = ledger
  const { kind, after, tally } = read<Survey>(ledger, 'survey') ?? BEGIN
  const ids = graph.page(kind, after, PAGE)
  const now = ids.flatMap((id) => graph.node(id) ?? []).reduce((sum, node) => looked(ledger, node, sum), tally)
  const next = KINDS[KINDS.indexOf(kind) + 1]
  const further: Survey | undefined =
    ids.length === PAGE ? { kind, after: ids.at(-1) ?? '', tally: now } : next && { kind: next, after: '', tally: now }
  writeMeta(sql, 'survey', JSON.stringify(further ?? BEGIN))
  if (further) return
  const nodes = {
    at: ledger.now(),
    seen: now.seen,
    orphans: now.orphans,
    stale: now.stale,
    size: spread(now.sizes),
    degree: spread(now.degrees),
  }
  writeMeta(sql, 'nodes', JSON.stringify(nodes))
  if (!readMeta(sql, 'baseline')) writeMeta(sql, 'baseline', JSON.stringify({ size: nodes.size.mean, degree: nodes.degree.mean }))
}

function looked({ graph }: Ledger, node: GraphNode, tally: Tally): Tally {
  const degree = graph.degreeTo(node.kind === 'entity' ? 'mentions' : 'member', node.id)
  const among = node.kind === 'entity' ? 'degrees' : 'sizes'
  const [count, sum, most] = tally[among]
  return {
    ...tally,
    seen: tally.seen + 1,
    orphans: tally.orphans + Number(degree === 0),
    stale: tally.stale + Number(node.stale === true),
    [among]: [count + 1, sum + degree, Math.max(most, degree)],
  }
}

function spread([count, sum, most]: Tally['sizes']): { readonly mean: number; readonly most: number } {
  return { mean: count > 0 ? Math.round((1000 * sum) / count) / 1000 : 0, most }
}

function driftOf(ledger: Ledger, nodes: HealthView['nodes']): HealthView['drift'] {
  const base = read<{ readonly size: number; readonly degree: number }>(ledger, 'baseline')
  if (!nodes || !base) return null
  const moved = (now: number, before: number): number => (before > 0 ? Math.round((1000 * Math.abs(now - before)) / before) / 1000 : 0)
  const churn = Number(readMeta(ledger.sql, 'churn') ?? 0) / Math.max(1, ledger.graph.count('passage'))
  return { size: moved(nodes.size.mean, base.size), degree: moved(nodes.degree.mean, base.degree), churn: Math.round(1000 * churn) / 1000 }
}

/** A few probes, those not asked yet and then in turn: what each strategy finds of what it should. */
function ask(ledger: Ledger): void {
  const { sql } = ledger
  const { k } = pinned(ledger)
  const fresh = probesUnasked(ledger, PROBES)
  const probes = fresh.length > 0 ? fresh : probesAfter(ledger, Number(readMeta(sql, 'probed') ?? 0), PROBES)
  for (const probe of probes) {
    keepFound(ledger, probe, { at: ledger.now(), found: Object.fromEntries(findings(ledger, probe, scan(ledger.graph, probe.vector), k)) })
  }
  if (fresh.length === 0) writeMeta(sql, 'probed', String(probes.length < PROBES ? 0 : (probes.at(-1)?.n ?? 0)))
}

function found(ledger: Pick<Ledger, 'sql'>): { readonly recall: { readonly [strategy: string]: number }; readonly at: number | null } {
  const all = resultsOf(ledger).flatMap(({ last }) => last ?? [])
  const sums = new Map<string, { readonly sum: number; readonly count: number }>()
  for (const { found: own } of all) {
    for (const [name, value] of Object.entries(own)) {
      const { sum, count } = sums.get(name) ?? { sum: 0, count: 0 }
      sums.set(name, { sum: sum + value.recall, count: count + 1 })
    }
  }
  const recall = Object.fromEntries([...sums].map(([name, { sum, count }]) => [name, Math.round((1000 * sum) / count) / 1000]))
  return { recall, at: all.length > 0 ? Math.max(...all.map((one) => one.at)) : null }
}
