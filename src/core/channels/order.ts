/** Total orders and scales for scored things: the same scores always give the same list. Pure. */
import type { Hit } from '../graph/types'

/** Best first, then by id. */
export function byScore(a: Hit, b: Hit): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/** Scores as shares of the best, 0 to 1. Scores must not be negative. */
export function shares(hits: readonly Hit[]): Map<string, number> {
  const max = hits.reduce((max, hit) => Math.max(max, hit.score), 0)
  return new Map(max > 0 ? hits.map((hit) => [hit.id, hit.score / max]) : [])
}

/**
 * Scores scaled between the minimum and maximum of a list, 0 to 1: what is no better than the minimum counts as nothing. If all are equal, each is the
 * best.
 */
export function contrast(hits: readonly Hit[]): Map<string, number> {
  const scores = hits.map((hit) => hit.score)
  const max = Math.max(...scores)
  const min = Math.min(...scores)
  return new Map(hits.map((hit) => [hit.id, max > min ? (hit.score - min) / (max - min) : 1]))
}

/** Ranked hits from a table of scores. */
export function ranked(scores: ReadonlyMap<string, number>): Hit[] {
  return [...scores].map(([id, score]) => ({ id, score })).sort(byScore)
}
