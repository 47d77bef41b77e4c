/**
 * How near a text's embedding lies to a label: the cosine to the sum of its labelled texts' vectors, with directions that all examples share
 * counting less, since labels of one field differ in other directions. Like idf, the metric is over all labelled examples (over a sample, if there
 * are many), whatever is left out. Sums of int8 vectors are exact, so what is taken away is gone from them.
 */
import { type Placed, placedCosine, type ShrunkMetric, shrunkMetric, without as takenFrom } from '../../algorithms/shrunk-metric'
import type { GoragIndex } from './index'
import type { KeptText, LabelledView } from './labelled-view'
import { exampleSample } from './sample'
import type { View } from './view'

interface Sums {
  readonly dimensions: number
  readonly metric: ShrunkMetric
  /** By label; undefined if it has no vector. */
  readonly sums: readonly (Placed | undefined)[]
  /** The number of vectors in each. */
  readonly counts: readonly number[]
}

/** Kept by the labelled texts' vectors, which learning does not change. */
const known = new WeakMap<GoragIndex['vectors'], { readonly labelled: LabelledView; readonly sums: Sums }>()

/** One cosine per label; undefined if there is no vector to compare. `without` leaves one labelled text out. */
export function embeddingEvidence(
  view: View,
  index: GoragIndex,
  vector: Int8Array | undefined,
  without?: KeptText,
): Float64Array | undefined {
  if (!vector) return undefined
  const { dimensions, metric, sums, counts } = sumsOf(view, index)
  if (dimensions !== vector.length) return undefined
  const text = metric.place(vector, 1)
  const leftOut = without && index.vectors.get(without.key)
  const own = leftOut && metric.place(leftOut, 1)
  return Float64Array.from(sums, (sum, y) => {
    if (!sum) return 0
    if (!own || without?.label !== y) return placedCosine(text, sum)
    return (counts[y] ?? 0) > 1 ? placedCosine(text, takenFrom(sum, own)) : 0
  })
}

function sumsOf({ labelled }: View, index: GoragIndex): Sums {
  const before = known.get(index.vectors)
  if (before?.labelled === labelled) return before.sums
  const sums = sum(labelled, index)
  known.set(index.vectors, { labelled, sums })
  return sums
}

function sum(labelled: LabelledView, index: GoragIndex): Sums {
  const dimensions = index.vectors.values().next().value?.length ?? 0
  const sums = labelled.labels.map(() => new Float64Array(dimensions))
  const counts = labelled.labels.map(() => 0)
  for (const { key, label } of labelled.texts) {
    const vector = index.vectors.get(key)
    const own = sums[label]
    if (!vector || !own) continue
    for (let i = 0; i < dimensions; i++) own[i] = (own[i] ?? 0) + (vector[i] ?? 0)
    counts[label] = (counts[label] ?? 0) + 1
  }
  const metric = shrunkMetric(exampleSample(index, labelled).flatMap(({ key }) => index.vectors.get(key) ?? []))
  return { dimensions, metric, counts, sums: sums.map((one, y) => ((counts[y] ?? 0) > 0 ? metric.place(one, counts[y] ?? 0) : undefined)) }
}
