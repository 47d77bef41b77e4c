/**
 * Hyperplanes fitted to a sample: normals are its principal directions, most telling first, and each plane goes through the sample's
 * centre. Found by orthogonal iteration from the planes given; where the sample has no further direction, the given plane stays,
 * moved to the centre. The same sample in the same order gives the same planes.
 */
import { type Hyperplanes, STEPS, stepped } from '../../src/core/algorithms/hyperplanes'

const ROUNDS = 24 // of the iteration: the first directions, which decide most, have settled by then
const FLAT = 1e-9 // share of the sample's largest spread below which a direction counts as none

export function principalHyperplanes(sample: readonly ArrayLike<number>[], start: Hyperplanes): Hyperplanes {
  const { bits, dimensions } = start
  const centre = Float64Array.from({ length: dimensions }, (_, i) => average(sample.map((vector) => vector[i] as number)))
  const rows = sample.map((vector) => Float64Array.from(centre, (mean, i) => (vector[i] as number) - mean))
  const given = Array.from({ length: bits }, (_, bit) =>
    Float64Array.from(start.normals.subarray(bit * dimensions, (bit + 1) * dimensions)),
  )
  let axes: readonly Float64Array[] = given
  for (let round = 0; round < ROUNDS; round++) axes = orthonormal(axes.map((axis) => spread(rows, axis)))
  const normals = new Int16Array(bits * dimensions)
  const offsets = new Float64Array(bits)
  for (const [bit, axis] of axes.entries()) {
    const plane = length(axis) > 0 ? scaled(axis, Math.sqrt(dimensions)) : scaled(given[bit] as Float64Array, 1 / STEPS)
    normals.set(plane.map(stepped), bit * dimensions)
    offsets[bit] = Math.round(product(centre, normals.subarray(bit * dimensions, (bit + 1) * dimensions)))
  }
  return { bits, dimensions, normals, offsets }
}

/** The covariance of the rows, applied to an axis. */
function spread(rows: readonly Float64Array[], axis: Float64Array): Float64Array {
  const out = new Float64Array(axis.length)
  for (const row of rows) add(out, row, product(row, axis))
  return out
}

/** Gram and Schmidt; an axis that lies within those before it becomes zero. */
function orthonormal(axes: readonly Float64Array[]): Float64Array[] {
  const out: Float64Array[] = []
  const max = Math.max(...axes.map(length))
  for (const axis of axes) {
    const rest = Float64Array.from(axis)
    for (const known of out) add(rest, known, -product(known, rest))
    const left = length(rest)
    out.push(left > max * FLAT && left > 0 ? scaled(rest, 1 / left) : new Float64Array(axis.length))
  }
  return out
}

function add(to: Float64Array, from: Float64Array, times: number): void {
  for (let i = 0; i < to.length; i++) to[i] = (to[i] as number) + times * (from[i] as number)
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}

function scaled(axis: Float64Array, times: number): Float64Array {
  return axis.map((component) => component * times)
}

function length(axis: Float64Array): number {
  return Math.sqrt(product(axis, axis))
}

function average(values: readonly number[]): number {
  return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : 0
}
