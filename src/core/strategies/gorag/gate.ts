/**
 * How many candidates a text has. A fixed number wastes them on texts that are plain and starves those that are not: at the same
 * mean, as many as a text's own doubt asks for lose fewer right labels.
 */
import type { GoragSettings } from './settings'

/** Of probability, which the labels kept for a text would have to hold; chosen on development sets. */
const MASS = 0.98

/**
 * The harmonic mean of the labels that hold `MASS` of the probability and the share allowed: a text in no doubt gets few, one in
 * great doubt at most 2s/(1 + s) of all labels, a third with a share s of a fifth; never fewer than `min`.
 */
export function candidatesFor(probabilities: Float64Array, settings: Pick<GoragSettings, 'min' | 'share'>): number {
  const all = probabilities.length
  const allowed = all * settings.share
  const needed = holding(probabilities, MASS)
  return Math.min(all, Math.max(settings.min, Math.floor((2 * needed * allowed) / (needed + allowed))))
}

/** The fewest labels that hold so much probability together. */
function holding(probabilities: Float64Array, mass: number): number {
  let held = 0
  let count = 0
  for (const probability of [...probabilities].sort((a, b) => b - a)) {
    if (count > 0 && held >= mass) break
    held += probability
    count++
  }
  return Math.max(1, count)
}
