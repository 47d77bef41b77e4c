/** The metric of a few vectors of many dimensions, beside the inverse covariance written out. */
import { expect, it } from 'vitest'
import { type Placed, placedCosine, shrunkMetric, without } from '../../../src/core/algorithms/shrunk-metric'
import { random } from '../../../src/core/random'
import { cosine } from '../../../src/core/vectors'

const D = 6
const numbers = random('metric')
const drawn = (count: number): Float64Array[] =>
  Array.from({ length: count }, () => Float64Array.from({ length: D }, (_, i) => 3 + i + numbers.normal() * (i + 1)))

/** Solves matrix · x = right by elimination. */
function solved(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0])
  for (const [k, pivot] of rows.entries()) {
    const scale = pivot[k] ?? 1
    for (const [c, x] of pivot.entries()) pivot[c] = x / scale
    for (const row of rows) {
      const factor = row[k] ?? 0
      if (row !== pivot) for (const [c, x] of pivot.entries()) row[c] = (row[c] ?? 0) - factor * x
    }
  }
  return rows.map((row) => row[D] ?? 0)
}

function naiveCosine(sample: readonly Float64Array[], a: Float64Array, b: Float64Array): number {
  const mean = Array.from({ length: D }, (_, i) => sample.reduce((sum, one) => sum + (one[i] ?? 0), 0) / sample.length)
  const centred = (one: Float64Array): number[] => [...one].map((x, i) => x - (mean[i] ?? 0))
  const rows = sample.map(centred)
  const trace = rows.flat().reduce((sum, x) => sum + x * x, 0) / sample.length
  const kept = sample.length / (sample.length + 2 * D)
  const covariance = mean.map((_, i) =>
    mean.map((_, j) => {
      const own = rows.reduce((sum, row) => sum + (row[i] ?? 0) * (row[j] ?? 0), 0) / sample.length
      return kept * own + (i === j ? ((1 - kept) * trace) / D : 0)
    }),
  )
  const product = (x: number[], y: number[]): number => solved(covariance, y).reduce((sum, one, i) => sum + one * (x[i] ?? 0), 0)
  const [x, y] = [centred(a), centred(b)]
  return product(x, y) / Math.sqrt(product(x, x) * product(y, y))
}

const sum = (...all: readonly Float64Array[]): Float64Array =>
  Float64Array.from({ length: D }, (_, i) => all.reduce((total, one) => total + (one[i] ?? 0), 0))

it('[C462] cosines are those of the shrunk inverse covariance, with fewer and with more vectors than dimensions', () => {
  for (const count of [2, 4, 30]) {
    const sample = drawn(count)
    const metric = shrunkMetric(sample)
    const [a, b] = drawn(2) as [Float64Array, Float64Array]
    expect(placedCosine(metric.place(a, 1), metric.place(b, 1))).toBeCloseTo(naiveCosine(sample, a, b), 9)
  }
})

it('[C462] what is placed may be added to and taken from', () => {
  const sample = drawn(9)
  const metric = shrunkMetric(sample)
  const [a, b] = sample as [Float64Array, Float64Array]
  const rest: Placed = without(metric.place(sum(a, b), 2), metric.place(b, 1))
  expect(placedCosine(rest, metric.place(a, 1))).toBeCloseTo(1, 9)
})

it('[C462] vectors that show no direction leave plain cosines, nothing has a cosine of 0', () => {
  const [a, b] = drawn(2) as [Float64Array, Float64Array]
  for (const sample of [[], [a], [a, a, a]]) {
    const metric = shrunkMetric(sample)
    expect(placedCosine(metric.place(a, 1), metric.place(b, 1))).toBeCloseTo(cosine(a, b), 9)
  }
  const metric = shrunkMetric([])
  expect(placedCosine(metric.place(new Float64Array(D), 1), metric.place(b, 1))).toBe(0)
})
