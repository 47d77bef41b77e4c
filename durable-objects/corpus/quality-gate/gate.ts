/**
 * The gate before every change of the whole graph: what would lose more of the probes than the corpus tolerates is not let through. Verdicts are kept for
 * reports. Without probes everything passes.
 */

import type { GateResult } from '../../../src/contract/health'
import type { Finding } from '../../../src/contract/probes'
import type { Hit, NodeKind, Vector } from '../../../src/core/graph/types'
import { partitionsOf } from '../../../src/corpus-uid'
import type { SqliteGraph } from '../../graph/sqlite-graph'
import type { Job } from '../jobs/job'
import { isMigrating } from '../pending-config'
import { withCandidate } from '../shadow-graph/with-candidate'
import type { CorpusContext } from '../store'
import { metaKeys, writeMeta } from '../tables/meta'
import { finding, measurableStrategies, type Nearest, type Verdict } from './measure'
import { type FindingPairs, type Probe, type ProbeFindings, pinnedProbes, probesAfter, storeGateFindings } from './probes'

export const AT_ONCE = 1 // probes in one slice: each scans all vectors for every strategy, before and after, a tenth of a second at 10,000 passages

/** How far a job has got with the probes: stored with its progress, so that a crash repeats at most one slice. */
export interface Measuring {
  readonly after: number
  readonly asked: ProbeFindings
  /** Identifies the probes: if others were pinned meanwhile, everything starts again. */
  readonly of: string
}

export function resumeMeasuring(context: Pick<CorpusContext, 'sql'>, begun: Measuring | undefined): Measuring {
  const { revision: of } = pinnedProbes(context)
  return begun?.of === of ? begun : { after: 0, asked: {}, of }
}

/** The next few probes on the served graph and on the candidate; undefined when all have been asked. */
export function measureNext(context: CorpusContext, begun: Measuring | undefined): Measuring | undefined {
  const { after, asked, of } = resumeMeasuring(context, begun)
  const probes = probesAfter(context, after, AT_ONCE)
  const last = probes.at(-1)
  if (!last) return undefined
  const { k } = pinnedProbes(context)
  const isMoved = isMigrating(context)
  const scans = probes.map((probe) => scan(context.graph, probe.vector))
  const before = probes.map((probe, i) => findings(context, probe, scans[i] ?? NO_HITS, k))
  const now = withCandidate(context, (candidate) => {
    const own = probes.map((probe) => (isMoved ? movedProbe(probe) : probe))
    const rescans = own.map((probe, i) => scan(candidate.graph, probe.vector, isMoved ? undefined : scans[i]))
    return own.map((probe, i) => findings(candidate, probe, rescans[i] ?? NO_HITS, k))
  })
  const fresh = probes.map((probe, i) => [probe.n, pairFindings(before[i] ?? new Map(), now[i] ?? new Map())] as const)
  return { after: last.n, asked: { ...asked, ...Object.fromEntries(fresh) }, of }
}

/** With its vector from the other embedding model. */
function movedProbe({ vector: _, moved, ...probe }: Probe): Probe {
  return moved ? { ...probe, vector: moved } : probe
}

export function recordVerdict(context: CorpusContext, job: Job, verdict: Verdict): void {
  if (partitionsOf(context.config.uid) > 1) return // its own object has probes, but nothing that they could find
  const { k, tolerance } = pinnedProbes(context)
  const view: GateResult = {
    at: context.now(),
    job: job.id,
    kind: job.kind,
    promoted: !verdict.refused,
    k,
    tolerance,
    recall: verdict.recall,
  }
  // A job whose first part was refused is reported as refused, whatever happened to the rest.
  if (verdict.refused || job.status !== 'failed') {
    writeMeta(context.sql, metaKeys.gateVerdict, view)
    storeGateFindings(context, verdict.asked, { at: view.at, job: view.job, kind: view.kind })
  }
  if (!verdict.refused) return
  job.status = 'failed'
  job.error = `refused: ${verdict.says}`
}

/** One probe on the served graph, by strategy. */
export function findings(context: CorpusContext, probe: Probe, nearest: Nearest, k: number): ReadonlyMap<string, Finding> {
  const found = measurableStrategies(context.config.strategies).map(
    (one) => [one.name, finding({ ...context, nearest }, probe, one, k)] as const,
  )
  return new Map(found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])))
}

/** A strategy that only one of the two has cannot lose. */
function pairFindings(before: ReadonlyMap<string, Finding>, after: ReadonlyMap<string, Finding>): FindingPairs {
  const held = [...before].flatMap(([name, value]) => {
    const now = after.get(name)
    return now === undefined ? [] : [[name, { before: value, after: now }] as const]
  })
  return Object.fromEntries(held)
}

const NO_HITS: Nearest = () => []

/**
 * The graph's own scan, once for each kind. The texts' vectors are the same in every graph of the corpus: `texts` already contains them.
 */
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
