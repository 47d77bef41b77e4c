/**
 * What a re-ranker does for the probes: where the passage of each ranks as `auto` orders its pool, with the re-ranker's scores blended in at each
 * weight. Its weight is the one that gains most, if that is more than two standard errors; else none: of five weights tried with scores
 * by chance one gains more than one error often. Pure.
 */
import { blendScores } from '../../channels/blend'
import { reachedBy } from '../../channels/reached-by'
import { readingText } from '../../channels/reading-text'
import type { GraphReader } from '../../graph/reader'
import { chunkOf } from '../../ids'
import type { RerankPool } from '../../strategy'
import { fuse } from './fuse'
import { meanOf, proved, rankAmong, worthOf } from './measure'
import { channelsForProbes, type EmbeddedProbe } from './probe-channels'
import { type Probe, restOf } from './probes'
import { calibrationOf, defaultWeights } from './weights'

export const rerankGrid = [0, 0.15, 0.3, 0.5, 0.7, 0.85] as const
const PROVED = 2 // standard errors
const POOL = 20 // passages of a probe's pool that the re-ranker reads

/** The best passages for a probe, and which of them was to be found. */
export interface ProbePool {
  readonly probe: Probe
  readonly target: string
  readonly ids: readonly string[]
  readonly scores: readonly number[]
}

/** As `auto` orders them by what is measured; those whose passage is not among them say nothing of a re-ranker. */
export function probePools(graph: GraphReader, probes: readonly EmbeddedProbe[], pool: readonly string[]): ProbePool[] {
  const measured = calibrationOf(graph) ?? defaultWeights
  const channels = channelsForProbes(graph, probes, pool)
  return channels.flatMap(({ target, said, probe }) => {
    const { ranking } = fuse(graph, said, measured[said.named.length > 0 ? 'named' : 'unnamed'])
    const best = ranking.slice(0, POOL)
    if (!best.some((hit) => hit.id === target)) return []
    return [{ probe, target, ids: best.map((hit) => hit.id), scores: best.map((hit) => hit.score) }]
  })
}

/** What the re-ranker is to read: of the passage to be found, only what is left without the probe's sentence. */
export function textsOf(graph: GraphReader, { probe, target, ids }: ProbePool): RerankPool {
  const paths = reachedBy(graph, ids)
  const texts = ids.map((id, i) => {
    const chunk = graph.chunk(chunkOf(id))
    const text = id === target && chunk ? restOf(chunk, probe) : (graph.text(id)?.text ?? '')
    const path = paths[i]?.includes(probe.text) ? undefined : paths[i]
    return readingText({ title: chunk?.title ?? '', path, text, question: probe.text })
  })
  return { question: probe.text, texts }
}

/** A digit for each weight: the rank of the pool's passage, or `x`. */
export function rerankRanks({ target, ids, scores }: ProbePool, read: readonly number[]): string {
  return rerankGrid
    .map((weight) => rankAmong(new Map(blendScores(scores, read, weight).map((score, i) => [ids[i] ?? '', score])), target))
    .join('')
}

/** `without` and `with`: mean worth at weight 0 and at the weight. */
export function rerankWeightFrom(all: readonly string[]): { readonly weight: number; readonly without: number; readonly with: number } {
  const worths = (weight: number): number[] => all.map((ranks) => worthOf(ranks[rerankGrid.indexOf(weight as 0)]))
  const weight = all.length > 0 ? proved(rerankGrid, worths, PROVED) : 0
  return { weight, without: meanOf(worths(0)), with: meanOf(worths(weight)) }
}
