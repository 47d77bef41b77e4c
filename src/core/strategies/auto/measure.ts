/**
 * How well each channel finds the probes' passages, and the weights that follow. Vectors must prove themselves: they get a weight only for a
 * gain beyond one standard error. Paths and links cannot be proved by probes that one passage answers, only refuted: they keep their
 * full weight down to the first value whose loss is within one standard error. What is kept of a probe is where its passage ranks under each
 * weight, so that probes can be put a few at a time: first for the weights of the seeds, then, walking from these, for that of the links. Pure.
 */
import { ranked } from '../../channels/order'
import type { GraphReader } from '../../graph/reader'
import type { Hit } from '../../graph/types'
import { chunkOf } from '../../ids'
import { CANDIDATES, type ScoresOf } from './channels'
import { blendScores, seedRanking, seedScores, walkScores } from './fuse'
import { channelsForProbes, type EmbeddedProbe, type ProbeChannels } from './probe-channels'
import { defaultWeights, type Weights } from './weights'

export const grid = {
  dense: [0, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2],
  paths: [1, 0.7, 0.5, 0.3, 0.2, 0.1, 0],
  links: [1, 0.85, 0.7, 0.5, 0],
} as const
const FAINT = 0.3 // weight of paths without links: the best of them is then worth a third of the best keyword passage at most
const NOWHERE = 'x' // in place of a rank
const COUNTED = 10 // ranks that are worth anything

/** Of one probe: a digit for each weight tried, the rank of its passage, or `x`. */
export type Ranks = string

export type Seeding = Pick<Weights, 'dense' | 'paths'>

/** Where each probe's passage ranks by seeds alone, for each pair of the grid's weights. */
export function seedRanks(graph: GraphReader, probes: readonly EmbeddedProbe[], pool: readonly string[]): Ranks[] {
  const ranks = ({ said, target }: ProbeChannels): Ranks =>
    grid.dense.flatMap((dense) => grid.paths.map((paths) => rankOf(seedScores(said, { dense, paths }), target))).join('')
  return channelsForProbes(graph, probes, pool).map(ranks)
}

/** `vectors`: did any probe have one? */
export function seedWeights(all: readonly Ranks[], vectors: boolean): Seeding {
  const score = (dense: number, paths: number): number[] => {
    const at = (grid.dense as readonly number[]).indexOf(dense) * grid.paths.length + (grid.paths as readonly number[]).indexOf(paths)
    return all.map((ranks) => worth(ranks[at]))
  }
  const dense = vectors ? proved(grid.dense, (value) => score(value, 0)) : defaultWeights.named.dense
  return { dense, paths: unrefuted(grid.paths, (value) => score(dense, value)) }
}

/** Where each probe's passage ranks once links are walked from the seeds, for each of their weights. */
export function linkRanks(graph: GraphReader, probes: readonly EmbeddedProbe[], pool: readonly string[], chosen: Seeding): Ranks[] {
  return channelsForProbes(graph, probes, pool).map(({ said, target }) => {
    const seeds = seedRanking(said, chosen)
    const walked = walkScores(graph, seeds, said.named)
    return grid.links.map((links) => rankOf(blendScores(seeds, walked, links), target)).join('')
  })
}

export function linkWeight(all: readonly Ranks[]): number {
  return unrefuted(grid.links, (value) => all.map((ranks) => worth(ranks[(grid.links as readonly number[]).indexOf(value)])))
}

/** Paths run over the same names as links. Where links lose, they only settle what the other channels leave nearly even. */
export function restrained({ dense, paths, links }: Weights): Weights {
  return { dense, paths: Math.min(paths, Math.max(FAINT, links)), links }
}

/** A passage counts once per chunk, as a document does in a ranking; of the hits, best first, only so many are looked at. */
function rankOf(scores: ScoresOf, target: string): string {
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
function worth(rank: string | undefined): number {
  const at = Number(rank) // not a number for NOWHERE
  return at >= 0 ? ((at < 5 ? 1 : 0) + 1 / Math.log2(at + 2)) / 2 : 0
}

/** The best value, 0 unless its paired gain over 0 is more than one standard error. */
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

function paired(a: readonly number[], b: readonly number[]): { readonly mean: number; readonly error: number } {
  const gains = a.map((value, i) => value - (b[i] ?? 0))
  const n = Math.max(1, gains.length)
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / n
  const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / Math.max(1, n - 1)
  return { mean, error: Math.sqrt(variance / n) }
}
