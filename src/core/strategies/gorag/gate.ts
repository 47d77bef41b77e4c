/**
 * How many candidates a text has. A fixed number wastes them on clear texts and starves doubtful ones. So a text gets as many as its own doubt asks
 * for, and how much doubt may be left over is measured on the labelled texts.
 */
import type { GoragSettings } from './settings'

/** Shares of the probability that a text's candidates may have to hold together, smallest first; the last stands for all that are allowed. */
const MASSES = [0.98, 0.99, 0.995, 0.999, 1] as const

/** Share of the labelled texts whose own label must be among their candidates, so that 95 of 100 others find theirs. */
const KEPT = 0.97

type Bounds = Pick<GoragSettings, 'min' | 'share'>

/** A labelled text, left out: the probability of each label, and which is its own. */
export interface GateTrial {
  readonly probabilities: Float64Array
  readonly right: number
}

/**
 * The smallest share of the probability at which the labelled texts keep their labels; all that is allowed if there are no texts, or no share is
 * enough.
 */
export function massFor(trials: readonly GateTrial[], bounds: Bounds): number {
  const ranked = trials.map(({ probabilities, right }) => ({ probabilities, rank: rankOf(probabilities, right) }))
  const isKept = (mass: number): boolean =>
    ranked.filter(({ probabilities, rank }) => rank < candidatesFor(probabilities, bounds, mass)).length >= KEPT * ranked.length
  return (ranked.length > 0 ? MASSES.find(isKept) : undefined) ?? 1
}

/**
 * How many labels hold `mass` of the probability: few for a text in no doubt, never fewer than `min`, never more than 2s/(1 + s) of all labels,
 * which is a third if the share s is a fifth.
 */
export function candidatesFor(probabilities: Float64Array, { min, share }: Bounds, mass: number): number {
  const all = probabilities.length
  const allowed = Math.floor((2 * share * all) / (1 + share))
  const needed = mass < 1 ? holding(probabilities, mass) : all
  return Math.min(all, Math.max(min, Math.min(allowed, needed)))
}

/** The fewest labels that together hold this much probability. */
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

/** How many labels come before it; ties go to the earlier one. */
function rankOf(probabilities: Float64Array, label: number): number {
  const own = probabilities[label] ?? 0
  return probabilities.filter((one, i) => one > own || (one === own && i < label)).length
}
