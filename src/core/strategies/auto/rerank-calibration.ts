/**
 * Measures the deployment's re-ranker on this corpus, if there is one: probes of two passages, and some of those that weighed the channels, are
 * asked; `auto` orders a pool for each, and the re-ranker reads it. This happens a few at a time, in the background, each probe once: at most
 * `limits.calls` calls. Of a probe that was read, only ranks are kept.
 */
import type { GraphReader } from '../../graph/reader'
import type { Json } from '../../graph/types'
import { fingerprint } from '../../ids'
import type { Settings } from '../../settings'
import type { Builder, Reply, Update } from '../../strategy'
import { embedProbes, isHeld, poolOf, restText } from './calibration'
import { pairProbesOf } from './pair-probes'
import { type Probe, packedProbe, packedProbes, probesOf, probing } from './probes'
import { type ProbePool, probePools, rerankRanks, rerankWeightFrom, textsOf } from './rerank-measure'
import { RERANKING, type RerankCalibration, rerankCalibrationJson, rerankCalibrationOf } from './rerank-weight'
import { calibrationOf, SPACE } from './weights'

export const limits = {
  calls: 180, // of a re-ranker in one measurement; the standard error of a paired difference is then near 1 point
  singles: 120, // at most, out of those calls; pairs are asked first
  few: 3, // probes put in one commit
  beside: 1024, // passages beyond which measuring waits until no job is open
} as const
const PROBES = 'reranking probes'
const NAME = 'rerank-calibration'

interface Measuring {
  /** Not put yet. */
  readonly probes: readonly Probe[]
  /** Being read. */
  readonly pools: readonly ProbePool[]
  readonly ranks: readonly string[]
  readonly reranker: string
  readonly passages: number
}

export const rerankCalibration: Builder = {
  name: NAME,
  builds: [],
  update(graph, { replies, removed }, settings) {
    const reply = replies.find((one) => one.node === NAME)
    const measuring = reply || removed.length > 0 ? measuringIn(graph) : undefined
    if (!measuring) return NOTHING
    if (reply) return next(graph, measuring, reply, settings)
    const probes = measuring.probes.filter((probe) => isHeld(graph, probe))
    const pools = measuring.pools.filter(({ probe }) => isHeld(graph, probe))
    if (probes.length === measuring.probes.length && pools.length === measuring.pools.length) return NOTHING
    return continueWith({ ...measuring, probes, pools }, settings)
  },
  brief(graph, task) {
    const measuring = measuringIn(graph)
    if (!measuring || (task.kind === 'rerank') !== measuring.pools.length > 0) return undefined
    if (task.kind === 'rerank') return { kind: 'rerank', pools: measuring.pools.map((pool) => textsOf(graph, pool)) }
    return { kind: 'embed', texts: nextProbes(measuring).flatMap((probe) => [probe.text, restText(graph, probe)]) }
  },
  isDue(graph, settings, isBusy) {
    return !(isBusy && isLarge(graph)) && isDue(graph, settings) && measuringIn(graph) === undefined
  },
  isPostponed: isLarge,
  consolidate(graph, settings) {
    return isDue(graph, settings) && measuringIn(graph) === undefined ? begin(graph, settings) : NOTHING
  },
}

const NOTHING: Update = { patch: [], tasks: [] }

function isLarge(graph: GraphReader): boolean {
  return graph.count('passage') > limits.beside
}

/** Due after the channels have been measured, since the re-ranker's scores are blended with theirs. */
function isDue(graph: GraphReader, { reranker, models }: Settings): boolean {
  const channels = calibrationOf(graph)
  if (!reranker || !channels || channels.models !== models) return false
  const last = rerankCalibrationOf(graph)
  return !last || last.reranker !== reranker || last.models !== models || last.passages !== channels.passages
}

/** Pairs, and two of every four single probes, so that both kinds of single probe are included, from all over the corpus. */
function begin(graph: GraphReader, settings: Settings): Update {
  const pairs = pairProbesOf(graph)
  const singles = probesOf(graph)
    .filter((_, i) => i % 4 < 2)
    .slice(0, Math.min(limits.singles, limits.calls - pairs.length))
  const probes = [...pairs, ...singles]
  const passages = calibrationOf(graph)?.passages ?? 0
  return continueWith({ probes, pools: [], ranks: [], reranker: settings.reranker ?? '', passages }, settings)
}

/** Asks for what comes next: first a reading of the pools, then the vectors of the next few probes, then nothing. */
function continueWith(measuring: Measuring, settings: Settings): Update {
  const { probes, pools, ranks, reranker, passages } = measuring
  if (probes.length + pools.length === 0) return end(measuring, settings)
  const kind = pools.length > 0 ? 'rerank' : 'embed'
  const few = pools.length > 0 ? pools.map(({ probe }) => probe) : nextProbes(measuring)
  const asked = few.flatMap((probe) => [probe.chunk, probe.passage, probe.text])
  const input = fingerprint(NAME, kind, settings.models, reranker, probing.seed, ...asked)
  const held: Json = {
    probes: packedProbes(probes),
    pools: pools.map((one) => ({ ...one, probe: packedProbe(one.probe) })),
    ranks,
    reranker,
    passages,
  }
  return {
    patch: [{ op: 'put-value', space: SPACE, key: PROBES, value: held }],
    tasks: [{ builder: NAME, kind, node: NAME, input, urgent: false, background: true }],
  }
}

function next(graph: GraphReader, measuring: Measuring, reply: Reply, settings: Settings): Update {
  if ((reply.kind === 'rerank') !== measuring.pools.length > 0) return NOTHING // replies to a task that has been replaced
  if (measuring.pools.length > 0) {
    const scores = reply.kind === 'rerank' ? reply.scores : []
    const read = measuring.pools.flatMap((pool, i) => (scores[i]?.length === pool.ids.length ? [rerankRanks(pool, scores[i])] : []))
    return continueWith({ ...measuring, pools: [], ranks: [...measuring.ranks, ...read] }, settings)
  }
  const few = embedProbes(graph, nextProbes(measuring), reply)
  return continueWith({ ...measuring, probes: measuring.probes.slice(limits.few), pools: probePools(graph, few, poolOf(graph)) }, settings)
}

function end({ ranks, reranker, passages }: Measuring, { models }: Settings): Update {
  const value: RerankCalibration = { ...rerankWeightFrom(ranks), reranker, models, passages, probes: ranks.length }
  return {
    patch: [
      { op: 'put-value', space: SPACE, key: RERANKING, value: rerankCalibrationJson(value) },
      { op: 'drop-value', space: SPACE, key: PROBES },
    ],
    tasks: [],
  }
}

const nextProbes = ({ probes }: Measuring): readonly Probe[] => probes.slice(0, limits.few)

/** Assumed to be what `continueWith` wrote. */
function measuringIn(graph: GraphReader): Measuring | undefined {
  const value = graph.value(SPACE, PROBES)
  return value && typeof value === 'object' && 'pools' in value ? (value as unknown as Measuring) : undefined
}
