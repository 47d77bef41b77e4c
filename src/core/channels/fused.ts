/**
 * Keyword and vector rankings added: keyword scores as shares of the best, cosines as contrast over the candidates, at a weight that each question sets
 * for itself. A channel whose first stands out from its first twenty knows what it is looking for; the vector channel is heard by how far its own does
 * beside the keywords'. It settles what keywords leave open and cannot overturn a clear keyword winner. Reads nothing.
 */
import type { Hit } from '../graph/types'
import { contrast, shares } from './order'

export const fusedLimits = {
  vector: 0.7, // weight of the vector channel at most: below the gap between a clear keyword winner and the next
  equal: 0.55, // where both stand out alike
  first: 20, // candidates that the first is held against
} as const

/** What each passage is worth. */
export function fusedScores(words: readonly Hit[], near: readonly Hit[]): Map<string, number> {
  const scores = shares(words)
  const contrasts = contrast(near)
  const candidates = new Set([...scores.keys(), ...contrasts.keys()]).size
  const weight = Math.min(fusedLimits.vector, (fusedLimits.equal * lead(contrasts, candidates)) / lead(scores, candidates))
  for (const [id, score] of contrasts) scores.set(id, (scores.get(id) ?? 0) + weight * score)
  return scores
}

/** The best against the mean of the first; a candidate that the channel has not found counts as 0. 1 where it has found none. */
function lead(scores: ReadonlyMap<string, number>, candidates: number): number {
  const best = [...scores.values()].sort((a, b) => b - a).slice(0, fusedLimits.first)
  const sum = best.reduce((all, score) => all + score, 0)
  return sum > 0 ? ((best[0] ?? 0) * Math.min(fusedLimits.first, candidates)) / sum : 1
}
