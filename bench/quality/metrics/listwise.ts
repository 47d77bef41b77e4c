/**
 * Weights under which, of a question's candidates, each wanted one beats all that are not: −log of its share among itself and the others, softmax of a
 * weighted sum (ListNet's loss, Cao et al. 2007, a wanted item at a time), with a small L2 penalty. Convex; by Adam from the same start. Pure.
 */

export interface Example {
  /** Features of each candidate, one row after the other. */
  readonly features: Float64Array
  readonly wanted: readonly number[]
  readonly others: readonly number[]
  readonly weight: number
}

const STEPS = 150
const RATE = 0.1
const PENALTY = 0.001
const START = 0.5

/** `used`: which features may have a weight. */
export function fitWeights(examples: readonly Example[], used: readonly boolean[]): Float64Array {
  const usable = examples.filter((one) => one.wanted.length > 0 && one.others.length > 0)
  const total = usable.reduce((sum, one) => sum + one.weight, 0)
  const weights = Float64Array.from(used, (is) => (is ? START : 0))
  const [first, second, slope] = [new Float64Array(used.length), new Float64Array(used.length), new Float64Array(used.length)]
  for (let step = 1; step <= STEPS; step++) {
    for (let i = 0; i < weights.length; i++) slope[i] = PENALTY * (weights[i] as number)
    for (const one of usable) addSlope(one, weights, one.weight / total, slope)
    for (let i = 0; i < weights.length; i++) {
      if (!used[i]) continue
      const g = slope[i] as number
      first[i] = 0.9 * (first[i] as number) + 0.1 * g
      second[i] = 0.999 * (second[i] as number) + 0.001 * g * g
      const mean = (first[i] as number) / (1 - 0.9 ** step)
      const spread = Math.sqrt((second[i] as number) / (1 - 0.999 ** step)) + 1e-8
      weights[i] = (weights[i] as number) - (RATE * mean) / spread
    }
  }
  return weights
}

function addSlope({ features, wanted, others }: Example, weights: Float64Array, share: number, slope: Float64Array): void {
  const width = weights.length
  const score = (at: number): number => {
    let sum = 0
    for (let i = 0; i < width; i++) sum += (features[at * width + i] as number) * (weights[i] as number)
    return sum
  }
  const add = (at: number, by: number): void => {
    for (let i = 0; i < width; i++) slope[i] = (slope[i] as number) + by * (features[at * width + i] as number)
  }
  const parts = Float64Array.from(others, score)
  const most = parts.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  let sum = 0
  for (let i = 0; i < parts.length; i++) sum += parts[i] = Math.exp((parts[i] as number) - most)
  let loses = 0
  for (const at of wanted) {
    const lost = 1 / (1 + Math.exp(score(at) - most - Math.log(sum))) // chance that it does not win
    add(at, (-lost * share) / wanted.length)
    loses += lost / wanted.length
  }
  for (const [i, at] of others.entries()) add(at, (share * loses * (parts[i] as number)) / sum)
}
