/** Combines a re-ranker's scores with those of a ranking: one number for each piece, so that neither decides alone. Pure. */

const EVEN = 1e-6 // a re-ranker's scores are kept this far from 0 and 1, where log-odds end

/**
 * (1 − weight)·own + weight·read. Own scores are shares of the best; what was read is taken as log-odds, since a cross-encoder's scores crowd at 0 and 1,
 * and scaled between the list's minimum and maximum.
 */
export function blendScores(own: readonly number[], read: readonly number[], weight: number): number[] {
  const best = Math.max(...own, 0)
  const odds = spread(read.map(logOdds))
  return own.map((score, i) => (1 - weight) * (best > 0 ? score / best : 0) + weight * (odds[i] ?? 0))
}

function logOdds(score: number): number {
  const p = Math.min(1 - EVEN, Math.max(EVEN, score))
  return Math.log(p / (1 - p))
}

function spread(values: readonly number[]): number[] {
  const max = Math.max(...values)
  const min = Math.min(...values)
  return values.map((value) => (max > min ? (value - min) / (max - min) : 0))
}
