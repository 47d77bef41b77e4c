/**
 * How well each channel finds the probes' passages, and the weights that follow. Each channel keeps its default unless probes speak against it by
 * more than one standard error. Vectors default to the weight of `hybrid`, since meaningless ones must go and strong ones may gain. Paths and
 * links, which probes answered by one passage can only refute, keep their full weight, or get the first lower value whose loss is within the error.
 * For questions that say a document's name, links are refuted by probes that say one, and for other questions by the other probes: what a walk from
 * mere words loses tells nothing about a walk from a name. Of a probe, only its passage's rank under each weight is kept, so that probes can be put
 * a few at a time. Pure.
 */
import { ranked } from '../../channels/order'
import type { GraphReader } from '../../graph/reader'
import type { Hit } from '../../graph/types'
import { chunkOf } from '../../ids'
import { HYBRID_WEIGHT } from '../baselines/hybrid'
import { CANDIDATES, type ScoresOf } from './channels'
import { blendScores, seedRanking, seedScores, walkScores } from './fuse'
import { channelsForProbes, type EmbeddedProbe } from './probe-channels'
import { type ByName, defaultWeights, type Weights } from './weights'

export const grid = {
  dense: [0, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2],
  paths: [1, 0.7, 0.5, 0.3, 0.2, 0.1, 0],
  links: [1, 0.85, 0.7, 0.5, 0],
} as const
const FAINT = 0.3 // weight of paths without links: the best of them is then worth at most a third of the best keyword passage
const FEW = 12 // probes of a kind below which nothing is concluded for that kind, and the guess serves
const NOWHERE = 'x' // in place of a rank
const COUNTED = 10 // ranks that are worth anything
const PAIRS = grid.dense.length * grid.paths.length

/** For one probe: `n` if it says a document's name, else `u`; then for each weight tried a digit, its passage's rank, or `x`. */
export type Ranks = string

/**
 * Where each probe's passage ranks: by seeds alone, for each pair of the grid's weights; then with links, walked from seeds with the default
 * weights, for each weight of links. So the weight of links depends on no other measured weight.
 */
export function probeRanks(graph: GraphReader, probes: readonly EmbeddedProbe[], pool: readonly string[]): Ranks[] {
  return channelsForProbes(graph, probes, pool).map(({ said, target }) => {
    const pairs = grid.dense.flatMap((dense) => grid.paths.map((paths) => rankAmong(seedScores(said, { dense, paths }), target)))
    const seeds = seedRanking(said, defaultWeights.named)
    const walked = walkScores(graph, seeds, said.named)
    const links = grid.links.map((share) => rankAmong(blendScores(seeds, walked, share), target))
    return [said.named.length > 0 ? 'n' : 'u', ...pairs, ...links].join('')
  })
}

/** `vectors`: did any probe have a vector? */
export function weightsFrom(all: readonly Ranks[], vectors: boolean): ByName<Weights> {
  const score = (dense: number, paths: number): number[] =>
    worths(all, placeOf(grid.dense, dense) * grid.paths.length + placeOf(grid.paths, paths))
  const dense = vectors ? denseWeight((value) => score(value, 0)) : HYBRID_WEIGHT
  const paths = unrefuted(grid.paths, (value) => score(dense, value))
  const weightsFor = (kind: keyof ByName<Weights>): Weights => {
    const own = all.filter((ranks) => ranks.startsWith(kind === 'named' ? 'n' : 'u'))
    if (own.length < FEW) return { ...defaultWeights[kind], dense }
    return restrained({ dense, paths, links: unrefuted(grid.links, (value) => worths(own, PAIRS + placeOf(grid.links, value))) })
  }
  return { named: weightsFor('named'), unnamed: weightsFor('unnamed') }
}

/** The best weight, if it is proved both against 0 and against the weight of `hybrid`; else that of `hybrid`. */
function denseWeight(score: (value: number) => readonly number[]): number {
  const best = proved(grid.dense, score)
  const { mean, error } = paired(score(best), score(HYBRID_WEIGHT))
  return mean > error ? best : HYBRID_WEIGHT
}

/** Paths run over the same names as links. Where links lose, paths only settle what the other channels leave nearly even. */
export function restrained({ dense, paths, links }: Weights): Weights {
  return { dense, paths: Math.min(paths, Math.max(FAINT, links)), links }
}

function placeOf(values: readonly number[], value: number): number {
  return values.indexOf(value)
}

function worths(all: readonly Ranks[], place: number): number[] {
  return all.map((ranks) => worthOf(ranks[1 + place]))
}

/** Passages of one chunk count once, as a document does in a ranking; only so many of the best hits count at all. */
export function rankAmong(scores: ScoresOf, target: string): string {
  const wanted = chunkOf(target)
  const own = ranked(new Map([...scores].filter(([id]) => chunkOf(id) === wanted)))[0]
  if (!own) return NOWHERE
  const chunks = new Set<string>()
  let before = 0
  for (const [id, score] of scores) {
    if (!isBefore({ id, score }, own)) continue
    chunks.add(chunkOf(id))
    before++
  }
  return chunks.size < COUNTED && before < CANDIDATES ? String(chunks.size) : NOWHERE
}

function isBefore(a: Hit, b: Hit): boolean {
  return a.score > b.score || (a.score === b.score && a.id < b.id)
}

/** (recall@5 + nDCG@10) / 2 for one wanted passage. */
export function worthOf(rank: string | undefined): number {
  const at = Number(rank) // not a number for NOWHERE
  return at >= 0 ? ((at < 5 ? 1 : 0) + 1 / Math.log2(at + 2)) / 2 : 0
}

/** The best value, or 0 unless its paired gain over 0 exceeds its standard error. */
export function proved(values: readonly number[], score: (value: number) => readonly number[]): number {
  const none = score(0)
  const gains = values.map((value) => ({ value, ...paired(score(value), none) }))
  const best = gains.reduce((top, one) => (one.mean > top.mean ? one : top))
  return best.mean > best.error ? best.value : 0
}

const REFUTED = 1 // standard errors: as little as proves a vector refutes a path or a link; in a corpus of chats or abstracts, links that lose must not rank

/** The first value whose paired loss against 0 is not beyond chance. */
export function unrefuted(values: readonly number[], score: (value: number) => readonly number[]): number {
  const none = score(0)
  return (
    values.find((value) => {
      const { mean, error } = paired(score(value), none)
      return -mean <= REFUTED * error
    }) ?? 0
  )
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

export interface Difference {
  readonly mean: number
  /** Standard error of the mean. */
  readonly error: number
}

export function paired(a: readonly number[], b: readonly number[]): Difference {
  const gains = a.map((value, i) => value - (b[i] ?? 0))
  const n = Math.max(1, gains.length)
  const mean = meanOf(gains)
  const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / Math.max(1, n - 1)
  return { mean, error: Math.sqrt(variance / n) }
}
