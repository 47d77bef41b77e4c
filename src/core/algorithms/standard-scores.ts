/**
 * Scores of one question on a common scale: mean 0 and standard deviation 1 over the options; all 0 if none differs. With `usual`, the deviation of
 * other questions' scores, half of the variance comes from that: having one word in common with one of many options is not certainty.
 */
export function standardScores(scores: Float64Array, usual = 0): Float64Array {
  const size = Math.max(1, scores.length)
  const mean = scores.reduce((sum, x) => sum + x, 0) / size
  const variance = scores.reduce((sum, x) => sum + (x - mean) ** 2, 0) / size
  const deviation = Math.sqrt(usual > 0 ? (variance + usual ** 2) / 2 : variance)
  return deviation > TINY ? scores.map((x) => (x - mean) / deviation) : new Float64Array(scores.length)
}

/** Smaller differences are rounding errors. */
const TINY = 1e-12
