/**
 * Int8 vectors at one fixed scale. A unit vector of d dimensions is multiplied by 127·√d/6 and rounded: components up to six
 * times their root mean square fit, all vectors keep nearly the same length, and so an integer sum of vectors is (up to a
 * factor) their mean: exact, order-free, and undone by subtraction. All codes, sums and scores use only these integers.
 */
import type { Vector } from './graph/types'

const SIGMAS = 6 // larger components are clipped; a Gaussian component exceeds this once in 5·10⁸

/** Quantise a vector of any length; the zero vector stays zero. */
export function quantize(values: ArrayLike<number>): Vector {
  const d = values.length
  let square = 0
  for (let i = 0; i < d; i++) square += (values[i] as number) ** 2
  const out = new Int8Array(d)
  if (!(square > 0) || !Number.isFinite(square)) return out
  const scale = (127 * Math.sqrt(d)) / SIGMAS / Math.sqrt(square)
  for (let i = 0; i < d; i++) out[i] = Math.max(-127, Math.min(127, Math.round((values[i] as number) * scale)))
  return out
}

/** Integer dot product; exact, since |a·b| < 2⁵³. */
export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}

/** The same of two sums: several times as fast as `dot`, which is asked for arrays of many kinds. */
export function sumProduct(a: Int32Array, b: Int32Array): number {
  let [even, odd] = [0, 0]
  const end = a.length - 1
  let i = 0
  for (; i < end; i += 2) {
    even += (a[i] as number) * (b[i] as number)
    odd += (a[i + 1] as number) * (b[i + 1] as number)
  }
  return i <= end ? even + odd + (a[i] as number) * (b[i] as number) : even + odd
}

export function norm(a: ArrayLike<number>): number {
  return Math.sqrt(dot(a, a))
}

/** Cosine of two vectors or sums, in [−1, 1]; 0 where one of them is zero. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const lengths = norm(a) * norm(b)
  return lengths > 0 ? dot(a, b) / lengths : 0
}

/** sum += sign · vector, in place. */
export function accumulate(sum: Int32Array, vector: ArrayLike<number>, sign: 1 | -1 = 1): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + sign * (vector[i] as number)
}

/** The normalised mean of vectors, quantised again. */
export function mean(vectors: readonly Vector[], dimensions: number): Vector {
  const sum = new Int32Array(dimensions)
  for (const vector of vectors) accumulate(sum, vector)
  return quantize(sum)
}
