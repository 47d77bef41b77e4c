/**
 * One ranking from what the channels say: seeds are their weighted sum; a walk over the links from the seeds ranks documents; a document is
 * represented by its best passage. Reads the graph only along the links.
 */

import { seedsOf, walkLinks } from '../../channels/neighbours'
import { byScore, ranked } from '../../channels/order'
import type { GraphReader } from '../../graph/reader'
import type { Hit } from '../../graph/types'
import { CANDIDATES, type Channels, type ScoresOf } from './channels'
import { passagesForDocument } from './passages-for-document'
import type { Weights } from './weights'

export interface Fused {
  readonly seeds: readonly Hit[]
  /** Documents with their share of the walk from the seeds, best first; walked when first asked for. */
  readonly reached: () => readonly Hit[]
  /** What the walk gives each passage; empty if links are not walked. */
  readonly walked: ScoresOf
  readonly ranking: readonly Hit[]
}

export function fuse(graph: GraphReader, said: Channels, weights: Weights, admits?: (chunk: string) => boolean): Fused {
  const seeds = seedRanking(said, weights)
  let documents: readonly Hit[] | undefined
  const reached = (): readonly Hit[] => (documents ??= walkedDocuments(graph, seeds, said.named))
  if (weights.links <= 0) return { seeds, reached, walked: new Map(), ranking: seeds }
  const walked = passageShares(graph, seeds, reached(), admits)
  return { seeds, reached, walked, ranking: blendRanking(seeds, walked, weights.links) }
}

export function seedRanking(said: Channels, weights: Pick<Weights, 'dense' | 'paths'>): readonly Hit[] {
  return ranked(seedScores(said, weights))
}

/** B + T + wD·D + wP·P; T is weighed already. */
export function seedScores(said: Channels, weights: Pick<Weights, 'dense' | 'paths'>): ScoresOf {
  return weightedSum([
    [said.keyword, 1],
    [said.document, 1],
    [said.vector, weights.dense],
    [said.path, weights.paths],
  ])
}

/** Passages by their documents' share of the walk. */
export function walkScores(graph: GraphReader, seeds: readonly Hit[], named: readonly string[]): ScoresOf {
  return passageShares(graph, seeds, walkedDocuments(graph, seeds, named))
}

function walkedDocuments(graph: GraphReader, seeds: readonly Hit[], named: readonly string[]): readonly Hit[] {
  return [...walkLinks(graph, seedsOf(graph, seeds, named))].sort(byScore).slice(0, CANDIDATES)
}

function passageShares(
  graph: GraphReader,
  seeds: readonly Hit[],
  documents: readonly Hit[],
  admits?: (chunk: string) => boolean,
): ScoresOf {
  const max = documents[0]?.score ?? 1
  const speaks = passagesForDocument(graph, seeds, admits, documents)
  const scores = new Map<string, number>()
  for (const { id: document, score } of documents) {
    for (const { id, portion } of speaks(document)) scores.set(id, (scores.get(id) ?? 0) + (score * portion) / max)
  }
  return scores
}

function blendRanking(seeds: readonly Hit[], walked: ScoresOf, share: number): readonly Hit[] {
  return ranked(blendScores(seeds, walked, share))
}

/** (1 − λ)·seeds + λ·walk. */
export function blendScores(seeds: readonly Hit[], walked: ScoresOf, share: number): ScoresOf {
  const best = seeds[0]?.score ?? 1
  const own = new Map(seeds.map((hit) => [hit.id, hit.score / best]))
  return weightedSum([
    [own, 1 - share],
    [walked, share],
  ])
}

function weightedSum(channels: readonly (readonly [ScoresOf, number])[]): Map<string, number> {
  const sum = new Map<string, number>()
  for (const [scores, weight] of channels) for (const [id, score] of scores) sum.set(id, (sum.get(id) ?? 0) + weight * score)
  return sum
}
