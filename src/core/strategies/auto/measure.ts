/**
 * How well each channel finds the probes' passages, and the weights that follow. Each keeps what it has by default unless probes speak against it by
 * more than one standard error: vectors the weight of `hybrid`, since those that mean nothing must go and those that are strong may gain; paths
 * and links, which probes that one passage answers can only refute, their full weight down to the first value whose loss is within the error.
 * Links are refuted for questions that say a document's name by probes that say one, and for the others by the others: what a walk from mere
 * words loses says nothing of a walk from a name. What is kept of a probe is where its passage ranks under each weight, so that probes can be put
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
const FAINT = 0.3 // weight of paths without links: the best of them is then worth a third of the best keyword passage at most
const FEW = 12 // probes of a kind below which nothing is said of the kind, and the guess serves
const NOWHERE = 'x' // in place of a rank
const COUNTED = 10 // ranks that are worth anything
const PAIRS = grid.dense.length * grid.paths.length

/** Of one probe: `n` if it says a document's name, else `u`; then a digit for each weight tried, the rank of its passage, or `x`. */
export type Ranks = string

/**
 * Where each probe's passage ranks by seeds alone, for each pair of the grid's weights; then with links, walked from seeds of the default
 * weights, for each of theirs: so the weight of links depends on no other that is measured.
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

/** `vectors`: did any probe have one? */
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

/** The weight that is proved against none, if it is proved against that of `hybrid`, too; else that of `hybrid`. */
function denseWeight(score: (value: number) => readonly number[]): number {
  const best = proved(grid.dense, score)
  const { mean, error } = paired(score(best), score(HYBRID_WEIGHT))
  return mean > error ? best : HYBRID_WEIGHT
}

/** Paths run over the same names as links. Where links lose, they only settle what the other channels leave nearly even. */
export function restrained({ dense, paths, links }: Weights): Weights {
  return { dense, paths: Math.min(paths, Math.max(FAINT, links)), links }
}

function placeOf(values: readonly number[], value: number): number {
  return values.indexOf(value)
}

function worths(all: readonly Ranks[], place: number): number[] {
  return all.map((ranks) => worthOf(ranks[1 + place]))
}

/** A passage counts once per chunk, as a document does in a ranking; of the hits, best first, only so many are looked at. */
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

/** (recall@5 + nDCG@10) / 2 of one wanted passage. */
export function worthOf(rank: string | undefined): number {
  const at = Number(rank) // not a number for NOWHERE
  return at >= 0 ? ((at < 5 ? 1 : 0) + 1 / Math.log2(at + 2)) / 2 : 0
}

/** The best value, 0 unless its paired gain over 0 is more than its standard error. */
export function proved(values: readonly number[], score: (value: number) => readonly number[]): number {
  const none = score(0)
  const gains = values.map((value) => ({ value, ...paired(score(value), none) }))
  const best = gains.reduce((top, one) => (one.mean > top.mean ? one : top))
  return best.mean > best.error ? best.value : 0
}

const REFUTED = 1 // standard errors: as little as proves a vector refutes a path or a link; a corpus of chats or abstracts is not ranked by links that lose on it

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
