/**
 * How near a text's embedding lies to the mean of a label's texts. What all labels have in common is subtracted first, since
 * sentence encoders give all texts of a domain a large common part. Sums of int8 vectors are exact, whatever their order.
 */
import type { GoragIndex } from './index'
import type { KeptText } from './labelled-view'
import type { View } from './view'

/** Texts after which the common part is believed by half: the mean of a few texts is mostly those texts. */
const COMMON = 8

interface Centroids {
  /** The common part. */
  readonly middle: Float64Array
  readonly sums: readonly Float64Array[]
  readonly norms: Float64Array
}

const centroids = new WeakMap<View, Centroids | null>()

/** One cosine per label; undefined where there is no vector to compare. `without` leaves one labelled text out. */
export function embeddingEvidence(
  view: View,
  index: GoragIndex,
  vector: Int8Array | undefined,
  without?: KeptText,
): Float64Array | undefined {
  const known = vector && centroidsOf(view, index)
  if (!known || known.middle.length !== vector.length) return undefined
  const query = centred(vector, known.middle, 1)
  const length = Math.sqrt(product(query, query))
  const own = without && index.vectors.get(without.key)
  return Float64Array.from(known.sums, (sum, y) => {
    const near = product(query, sum)
    if (!own || without.label !== y) return cosine(near, length, known.norms[y] ?? 0)
    const mine = centred(own, known.middle, 1)
    const square = (known.norms[y] ?? 0) ** 2 - 2 * product(mine, sum) + product(mine, mine)
    return cosine(near - product(query, mine), length, square > 1e-6 ? Math.sqrt(square) : 0)
  })
}

function cosine(near: number, a: number, b: number): number {
  return a > 0 && b > 0 ? near / a / b : 0
}

function centroidsOf(view: View, index: GoragIndex): Centroids | undefined {
  const known = centroids.get(view)
  if (known !== undefined) return known ?? undefined
  const made = build(view, index)
  centroids.set(view, made ?? null)
  return made
}

function build(view: View, index: GoragIndex): Centroids | undefined {
  const told = view.labelled.texts.flatMap(({ key, label }) => {
    const vector = index.vectors.get(key)
    return vector ? [{ label, vector, weight: 1 }] : []
  })
  const first = told[0]
  if (!first) return undefined
  const learned = view.learned.flatMap(({ id, label, weight }) => {
    const vector = index.vectors.get(id)
    return vector ? [{ label, vector, weight }] : []
  })
  const total = new Float64Array(first.vector.length)
  for (const { vector } of told) for (let i = 0; i < total.length; i++) total[i] = (total[i] ?? 0) + (vector[i] ?? 0)
  const middle = total.map((sum) => sum / (told.length + COMMON))
  const sums = view.labelled.labels.map(() => new Float64Array(total.length))
  for (const { label, vector, weight } of [...told, ...learned]) {
    const sum = sums[label]
    if (sum) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + weight * ((vector[i] ?? 0) - (middle[i] ?? 0))
  }
  return { middle, sums, norms: Float64Array.from(sums, (sum) => Math.sqrt(product(sum, sum))) }
}

function centred(vector: ArrayLike<number>, middle: Float64Array, weight: number): Float64Array {
  return middle.map((common, i) => weight * ((vector[i] ?? 0) - common))
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}
