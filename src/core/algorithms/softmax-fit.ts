/**
 * Conditional logit (McFadden 1974): the weights of a few features under which the right option of each trial is most probable, pulled towards
 * given weights. Convex; Newton's method. Used to weigh evidence and to turn its sum into a probability.
 */

export interface Trial {
  /** feature → option → value. */
  readonly features: readonly Float64Array[]
  readonly right: number
  /** How much it counts beside the other trials; 1 by default. */
  readonly weight?: number
}

export interface Pull {
  /** The weights without any trial; positive. */
  readonly weights: readonly number[]
  /** How far `strength` lets each weight move. */
  readonly spread: readonly number[]
  /** How many trials' worth of evidence it takes to move a weight by its spread. */
  readonly strength: number
}

const STEPS = 12 // Newton converges quadratically
const HALVINGS = [1, 1 / 2, 1 / 8, 1 / 64] // of a Newton step, if the whole one overshoots
const MIN = 0.1 // share of the given weight that always remains: evidence never counts against itself

export function softmaxFit(trials: readonly Trial[], pull: Pull): number[] {
  let weights = [...pull.weights]
  let value = objective(trials, weights, pull)
  for (let step = 0; step < STEPS; step++) {
    const { gradient, curvature } = slope(trials, weights, pull)
    const move = solve(curvature, gradient)
    const next = HALVINGS.map((scale) =>
      weights.map((weight, k) => Math.max(MIN * (pull.weights[k] ?? 0), weight + scale * (move[k] ?? 0))),
    )
    const better = next.find((one) => objective(trials, one, pull) > value)
    if (!better) return weights
    weights = better
    value = objective(trials, weights, pull)
  }
  return weights
}

/** Penalised log-likelihood, which each step must raise. */
function objective(trials: readonly Trial[], weights: readonly number[], pull: Pull): number {
  const penalty = weights.reduce((sum, weight, k) => sum + ((weight - (pull.weights[k] ?? 0)) / (pull.spread[k] ?? 1)) ** 2, 0)
  return trials.reduce(
    (sum, { features, right, weight = 1 }) => {
      const chance = softmax(features, weights, features[0]?.length ?? 0)[right] ?? 0
      return sum + weight * Math.log(Math.max(chance, Number.MIN_VALUE))
    },
    (-pull.strength * penalty) / 2,
  )
}

/** Probabilities of the options. */
export function softmax(features: readonly Float64Array[], weights: readonly number[], options: number): Float64Array {
  const logits = new Float64Array(options)
  for (const [k, feature] of features.entries()) {
    for (let i = 0; i < options; i++) logits[i] = (logits[i] ?? 0) + (weights[k] ?? 0) * (feature[i] ?? 0)
  }
  const max = logits.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const parts = logits.map((logit) => Math.exp(logit - max))
  const sum = parts.reduce((a, b) => a + b, 0)
  return parts.map((part) => part / sum)
}

function slope(trials: readonly Trial[], weights: readonly number[], pull: Pull) {
  const size = weights.length
  const gradient = weights.map((weight, k) => (-pull.strength * (weight - (pull.weights[k] ?? 0))) / (pull.spread[k] ?? 1) ** 2)
  const curvature = weights.map((_, k) => weights.map((_, l) => (k === l ? pull.strength / (pull.spread[k] ?? 1) ** 2 : 0)))
  for (const { features, right, weight = 1 } of trials) {
    const chances = softmax(features, weights, features[0]?.length ?? 0)
    const means = features.map((feature) => expected(chances, feature))
    for (let k = 0; k < size; k++) {
      gradient[k] = (gradient[k] ?? 0) + weight * ((features[k]?.[right] ?? 0) - (means[k] ?? 0))
      for (let l = 0; l < size; l++) {
        const row = curvature[k]
        const [a, b] = [features[k], features[l]]
        if (row && a && b) row[l] = (row[l] ?? 0) + weight * (expected(chances, a, b) - (means[k] ?? 0) * (means[l] ?? 0))
      }
    }
  }
  return { gradient, curvature }
}

function expected(chances: Float64Array, a: Float64Array, b?: Float64Array): number {
  let sum = 0
  for (let i = 0; i < chances.length; i++) sum += (chances[i] ?? 0) * (a[i] ?? 0) * (b ? (b[i] ?? 0) : 1)
  return sum
}

/** Gauss–Jordan; the matrix is positive definite. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, k) => [...row, right[k] ?? 0])
  for (const [k, pivot] of rows.entries()) {
    const scale = pivot[k] || 1
    for (let c = 0; c < pivot.length; c++) pivot[c] = (pivot[c] ?? 0) / scale
    for (const row of rows) {
      if (row === pivot) continue
      const factor = row[k] ?? 0
      for (let c = 0; c < row.length; c++) row[c] = (row[c] ?? 0) - factor * (pivot[c] ?? 0)
    }
  }
  return rows.map((row) => row.at(-1) ?? 0)
}
