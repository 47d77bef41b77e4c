/** The largest eigenvalue of a symmetric tridiagonal matrix with eigenvalues in [−1, 1], and its unit vector: Sturm counts, then inverse iteration. */

const HALVINGS = 50 // of an interval of length 2: down to rounding
const TURNS = 3 // of inverse iteration; from a shift this near one is nearly always enough
const ABOVE = 1e-12 // the shift lies above the largest eigenvalue, so the shifted matrix is definite and needs no pivots
const TINY = 1e-300

/** `diagonal` has n entries, `beside` n − 1; n ≥ 1. */
export function largestEigenvector(diagonal: readonly number[], beside: readonly number[]): Float64Array {
  let low = -1
  let high = 1 + ABOVE
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2
    if (anyAbove(diagonal, beside, middle)) low = middle
    else high = middle
  }
  let vector = new Float64Array(diagonal.length).fill(1)
  for (let turn = 0; turn < TURNS; turn++) vector = solved(diagonal, beside, high + ABOVE, vector)
  return vector
}

/** Sylvester: as many pivots of the shifted matrix are positive as eigenvalues are above the shift. */
function anyAbove(diagonal: readonly number[], beside: readonly number[], shift: number): boolean {
  let pivot = -1
  return diagonal.some((entry, i) => {
    const link = i > 0 ? (beside[i - 1] ?? 0) : 0
    pivot = entry - shift - (link * link) / pivot || -TINY
    return pivot > 0
  })
}

/** (T − shift)⁻¹ of a vector, at unit length. */
function solved(diagonal: readonly number[], beside: readonly number[], shift: number, right: Float64Array): Float64Array<ArrayBuffer> {
  const size = right.length
  const above = new Float64Array(size)
  const out = new Float64Array(size)
  for (let i = 0; i < size; i++) {
    const link = i > 0 ? (beside[i - 1] ?? 0) : 0
    const pivot = (diagonal[i] ?? 0) - shift - link * (above[i - 1] ?? 0) || -TINY
    above[i] = (beside[i] ?? 0) / pivot
    out[i] = ((right[i] ?? 0) - link * (out[i - 1] ?? 0)) / pivot
  }
  for (let i = size - 2; i >= 0; i--) out[i] = (out[i] ?? 0) - (above[i] ?? 0) * (out[i + 1] ?? 0)
  const length = Math.sqrt(out.reduce((sum, x) => sum + x * x, 0))
  return out.map((x) => x / length)
}
