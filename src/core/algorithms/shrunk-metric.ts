/**
 * Cosines in which directions that all vectors share count less: ⟨a, b⟩ = (a − m)ᵀ Σ⁻¹ (b − m) for the mean m and covariance Σ of a sample, shrunk
 * towards a sphere as if `PRIOR`·d further vectors had shown nothing (Ledoit and Wolf 2004, with a fixed share). For few vectors of many
 * dimensions: by Woodbury's identity ⟨a, b⟩ is, up to a factor, a·b less the product of two short vectors, each with as many numbers as the sample
 * has vectors.
 */

/** Further vectors without any direction, per dimension. */
const PRIOR = 2

/** A vector or a sum of vectors; both parts may be added and subtracted. */
export interface Placed {
  readonly centred: Float64Array
  readonly along: Float64Array
}

export interface ShrunkMetric {
  /** `sum`: of `count` vectors. */
  place(sum: ArrayLike<number>, count: number): Placed
}

export function shrunkMetric(sample: readonly ArrayLike<number>[]): ShrunkMetric {
  const n = sample.length
  const d = sample[0]?.length ?? 0
  const sampleMean = new Float64Array(d)
  for (const vector of sample) for (let i = 0; i < d; i++) sampleMean[i] = (sampleMean[i] ?? 0) + (vector[i] ?? 0) / n
  const rows = sample.map((vector) => sampleMean.map((m, i) => (vector[i] ?? 0) - m))
  const square = rows.reduce((sum, row) => sum + product(row, row), 0)
  // One vector, or many equal ones, show no direction: plain cosines.
  if (square <= 1e-9 * n) return { place: (sum) => ({ centred: Float64Array.from(sum), along: new Float64Array(0) }) }
  const root = cholesky(rows, (PRIOR * square) / n)
  return {
    place(sum, count) {
      const centred = sampleMean.map((m, i) => (sum[i] ?? 0) - count * m)
      return {
        centred,
        along: solveLower(
          root,
          Float64Array.from(rows, (row) => product(row, centred)),
        ),
      }
    },
  }
}

/** In [−1, 1]; 0 if one of them is zero. */
export function placedCosine(a: Placed, b: Placed): number {
  const squares = placedProduct(a, a) * placedProduct(b, b)
  return squares > 1e-12 ? placedProduct(a, b) / Math.sqrt(squares) : 0
}

export function without(all: Placed, one: Placed): Placed {
  return { centred: all.centred.map((x, i) => x - (one.centred[i] ?? 0)), along: all.along.map((x, i) => x - (one.along[i] ?? 0)) }
}

function placedProduct(a: Placed, b: Placed): number {
  return product(a.centred, b.centred) - product(a.along, b.along)
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}

/** The lower triangle whose product with its transpose is rows·rowsᵀ + ridge·I; positive definite. */
function cholesky(rows: readonly Float64Array[], ridge: number): Float64Array[] {
  const lower: Float64Array[] = []
  for (const [i, row] of rows.entries()) {
    const own = new Float64Array(i + 1)
    lower.push(own)
    for (let j = 0; j <= i; j++) {
      const before = lower[j] as Float64Array
      let sum = product(row, rows[j] as Float64Array) + (i === j ? ridge : 0)
      for (let k = 0; k < j; k++) sum -= (own[k] as number) * (before[k] as number)
      own[j] = i === j ? Math.sqrt(sum) : sum / (before[j] as number)
    }
  }
  return lower
}

/** The x for which lower·x = right. */
function solveLower(lower: readonly Float64Array[], right: Float64Array): Float64Array {
  const out = new Float64Array(right.length)
  for (const [i, row] of lower.entries()) {
    let sum = right[i] as number
    for (let k = 0; k < i; k++) sum -= (row[k] as number) * (out[k] as number)
    out[i] = sum / (row[i] as number)
  }
  return out
}
