/**
 * The gate before every change of the whole graph: what would lose more of the probes than the corpus tolerates is not let through.
 * Verdicts are kept to be reported. Without probes everything passes.
 */
import { type Draft, draftOf } from '../../../src/core/graph/draft'
import type { Hit, NodeKind, Patch, Vector } from '../../../src/core/graph/types'
import { kindOf } from '../../../src/core/ids'
import { cosine } from '../../../src/core/vectors'
import type { GateView } from '../../../src/ports'
import type { SqliteGraph } from '../../graph/sqlite-graph'
import { inCandidate } from '../candidate/candidate'
import { type Ledger, writeMeta } from '../store'
import type { Job } from '../work/jobs'
import { compared, judged, measurable, type Nearest, recall, type Sums, type Verdict } from './measure'
import { type Probe, pinned, probesAfter } from './probes'

const AT_ONCE = 4 // probes of one slice: each is a scan of all vectors for every strategy, before and after

export interface Measuring {
  readonly after: number
  readonly sums: Sums
}

/** The next few probes on the graph that is served and on the candidate; undefined when all have been asked. */
export function measureSome(ledger: Ledger, { after, sums }: Measuring): Measuring | undefined {
  const probes = probesAfter(ledger, after, AT_ONCE)
  const last = probes.at(-1)
  if (!last) return undefined
  const { k } = pinned(ledger)
  const scans = probes.map((probe) => scan(ledger.graph, probe.vector))
  const before = probes.map((probe, i) => recalls(ledger, probe, scans[i] ?? nothing, k))
  const now = inCandidate(ledger, (candidate) => {
    const rescans = probes.map((probe, i) => scan(candidate.graph, probe.vector, scans[i]))
    return probes.map((probe, i) => recalls(candidate, probe, rescans[i] ?? nothing, k))
  })
  return { after: last.n, sums: before.reduce((all, one, i) => added(all, one, now[i] ?? new Map()), sums) }
}

/** Would these changes lose what the strategies of this builder find? Asked on a draft: nothing is written. */
export function weighed(ledger: Ledger, patch: Patch, builder: string): Verdict {
  const bounds = pinned(ledger)
  const draft = drafted(ledger.graph, patch)
  let sums: Sums = {}
  for (const probe of probesAfter(ledger, 0, Number.MAX_SAFE_INTEGER)) {
    const served = scan(ledger.graph, probe.vector)
    const subjects = {
      before: { ...ledger, nearest: served },
      after: { graph: draft, config: ledger.config, nearest: rescored(draft, served, patch, probe.vector) },
    }
    for (const strategy of measurable(ledger.config.strategies, builder)) sums = compared(sums, probe, subjects, strategy, bounds.k)
  }
  return judged(sums, bounds)
}

export function record(ledger: Ledger, job: Job, verdict: Verdict): void {
  const { k, tolerance } = pinned(ledger)
  const view: GateView = { at: ledger.now(), job: job.id, kind: job.kind, promoted: !verdict.refused, k, tolerance, recall: verdict.recall }
  // A job whose first part was refused is told as refused, whatever became of the rest.
  if (verdict.refused || job.status !== 'failed') writeMeta(ledger.sql, 'gate', JSON.stringify(view))
  if (!verdict.refused) return
  job.status = 'failed'
  job.error = `refused: ${verdict.says}`
}

/** One probe on the graph that is served. */
export function recalls(ledger: Ledger, probe: Probe, nearest: Nearest, k: number): ReadonlyMap<string, number> {
  const found = measurable(ledger.config.strategies).map((one) => [one.name, recall({ ...ledger, nearest }, probe, one, k)] as const)
  return new Map(found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])))
}

/** A strategy only one of the two has cannot lose. */
function added(sums: Sums, before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): Sums {
  const both = [...before].flatMap(([name, value]) => {
    const now = after.get(name)
    const held = sums[name] ?? { before: 0, after: 0, probes: 0 }
    return now === undefined ? [] : [[name, { before: held.before + value, after: held.after + now, probes: held.probes + 1 }] as const]
  })
  return { ...sums, ...Object.fromEntries(both) }
}

const nothing: Nearest = () => []

/** The graph's own scan, each kind once. The texts' vectors are the same in every graph of the corpus: `texts` has them already. */
export function scan(graph: SqliteGraph, vector: Vector | undefined, texts?: Nearest): Nearest {
  const known = new Map<NodeKind, readonly Hit[]>()
  return (kind, k) => {
    if (!vector) return []
    if (texts && (kind === 'passage' || kind === 'unit')) return texts(kind, k)
    const held = known.get(kind)
    if (held && held.length >= k) return held.slice(0, k)
    const hits = graph.nearest(vector, kind, k)
    known.set(kind, hits)
    return hits
  }
}

/** What the graph's scan finds, less what the patch drops, with what it puts. */
function rescored(draft: Draft, served: Nearest, patch: Patch, vector: Vector | undefined): Nearest {
  const put = patch.flatMap((change) => (change.op === 'put-node' ? [change.node.id] : []))
  const dropped = patch.filter((change) => change.op === 'drop-node').length
  return (kind, k) => {
    if (kind === 'passage' || kind === 'unit') return served(kind, k)
    const ids = new Set([...served(kind, k + put.length + dropped).map((hit) => hit.id), ...put.filter((id) => kindOf(id) === kind)])
    const hits = [...ids].flatMap((id) => {
      const own = draft.vector(id)
      return own && vector ? [{ id, score: cosine(vector, own) }] : []
    })
    return hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, k)
  }
}

function drafted(graph: SqliteGraph, patch: Patch): Draft {
  const draft = draftOf(graph)
  for (const change of patch) {
    switch (change.op) {
      case 'put-node':
        draft.putNode(change.node)
        break
      case 'drop-node':
        draft.dropNode(change.id)
        break
      case 'put-edge':
        draft.putEdge(change.edge)
        break
      case 'drop-edge':
        draft.dropEdge(change.kind, change.source, change.target)
        break
      case 'put-place':
        draft.putPlace(change.space, change.key, change.id)
        break
      case 'drop-place':
        draft.dropPlace(change.space, change.key)
        break
      case 'put-value':
        draft.putValue(change.space, change.key, change.value)
        break
      case 'drop-value':
        draft.dropValue(change.space, change.key)
        break
      default:
        throw new Error(`gate: no builder writes ${change.op}`)
    }
  }
  return draft
}
