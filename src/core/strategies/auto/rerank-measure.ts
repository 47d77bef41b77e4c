/**
 * What a re-ranker does for the probes: where each probe's passage ranks as `auto` orders its pool, with the re-ranker's scores blended in at each
 * weight. It gets the weight whose gain is surest, beyond two standard errors, else none: of five weights tried with random scores, one often gains
 * more than one error. Pure.
 */
import { blendScores } from '../../channels/blend'
import { reachedBy } from '../../channels/reached-by'
import { readingText } from '../../channels/reading-text'
import type { GraphReader } from '../../graph/reader'
import { chunkOf, passageId } from '../../ids'
import type { RerankPool } from '../../strategy'
import { rankEvidence } from './evidence-ranking'
import { fuse } from './fuse'
import { type Difference, meanOf, paired, rankAmong, worthOf } from './measure'
import { channelsForProbes, type EmbeddedProbe } from './probe-channels'
import { type Probe, restOf } from './probes'
import { calibrationOf, defaultWeights } from './weights'

export const rerankGrid = [0, 0.15, 0.3, 0.5, 0.7, 0.85] as const
const PROVED = 2 // standard errors
export const POOL = 20 // passages of a probe's pool that the re-ranker reads

/** The best passages for a probe, and which of them was to be found. */
export interface ProbePool {
  readonly probe: Probe
  /** If a sentence was taken out of it, the re-ranker reads what is left. */
  readonly target: string
  readonly ids: readonly string[]
  readonly scores: readonly number[]
}

/**
 * As `auto` orders them for a question, since the re-ranker's scores are blended with that; a probe whose passage is not among them tells nothing
 * about a re-ranker.
 */
export function probePools(graph: GraphReader, probes: readonly EmbeddedProbe[], pool: readonly string[]): ProbePool[] {
  const measured = calibrationOf(graph) ?? defaultWeights
  const channels = channelsForProbes(graph, probes, pool)
  return channels.flatMap(({ target, said, probe, query }) => {
    const fused = fuse(graph, said, measured[said.named.length > 0 ? 'named' : 'unnamed'])
    const { ranking } = rankEvidence(graph, query, { said, fused })
    const best = ranking.slice(0, POOL)
    const wanted = [target, ...beginningOf(probe)]
    if (!best.some((hit) => wanted.includes(hit.id))) return []
    return [{ probe, target, ids: best.map((hit) => hit.id), scores: best.map((hit) => hit.score) }]
  })
}

/** The passage where the question of a pair begins. */
function beginningOf({ first }: Probe): readonly string[] {
  return first ? [passageId(first.chunk, first.passage)] : []
}

/** What the re-ranker is to read: of the target passage, only what is left without the probe's sentence. */
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

/** A digit for each weight, the target passage's rank, or `x`; for a pair, after a slash, the same for the passage it begins at. */
export function rerankRanks({ probe, target, ids, scores }: ProbePool, read: readonly number[]): string {
  const ranksOf = (wanted: string): string =>
    rerankGrid
      .map((weight) => rankAmong(new Map(blendScores(scores, read, weight).map((score, i) => [ids[i] ?? '', score])), wanted))
      .join('')
  return [target, ...beginningOf(probe)].map(ranksOf).join(STROKE)
}

const STROKE = '/'

/**
 * The weight whose gain is surest: its mean less two standard errors, over single probes and pairs together, is the largest and above zero, and it
 * loses on neither kind by more than one. `without` and `with`: mean worth at weight 0 and at this weight.
 */
export function rerankWeightFrom(all: readonly string[]): { readonly weight: number; readonly without: number; readonly with: number } {
  const kinds = [all.filter((ranks) => !ranks.includes(STROKE)), all.filter((ranks) => ranks.includes(STROKE))]
  const surest = rerankGrid
    .filter((weight) => kinds.every((own) => !isLoss(gainOf(own, weight))))
    .map((weight) => ({ weight, gain: gainOf(all, weight) }))
    .map(({ weight, gain: { mean, error } }) => ({ weight, least: weight === 0 ? 0 : mean - PROVED * error }))
    .reduce((best, one) => (one.least > best.least ? one : best), { weight: 0, least: 0 })
  return { weight: surest.weight, without: meanOf(worthsAt(all, 0)), with: meanOf(worthsAt(all, surest.weight)) }
}

function gainOf(all: readonly string[], weight: number): Difference {
  return paired(worthsAt(all, weight), worthsAt(all, 0))
}

function isLoss({ mean, error }: Difference): boolean {
  return mean < -error
}

/** For a pair, the mean of both passages. */
function worthsAt(all: readonly string[], weight: number): number[] {
  const place = rerankGrid.indexOf(weight as 0)
  return all.map((ranks) => meanOf(ranks.split(STROKE).map((own) => worthOf(own[place]))))
}
