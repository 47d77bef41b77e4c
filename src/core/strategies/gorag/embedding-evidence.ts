/**
 * How near a text's embedding lies to a label: the cosine to the sum of its labelled texts' vectors. Sums of int8 vectors
 * are exact, so what is taken away is gone from them.
 */
import { cosine, dot, norm } from '../../vectors'
import type { GoragIndex } from './index'
import type { KeptText } from './labelled-view'
import type { View } from './view'

interface Sums {
  readonly sums: readonly Float64Array[]
  readonly norms: readonly number[]
}

const known = new WeakMap<View, Sums>()

/** One cosine per label; undefined where there is no vector to compare. `without` leaves one labelled text out. */
export function embeddingEvidence(
  view: View,
  index: GoragIndex,
  vector: Int8Array | undefined,
  without?: KeptText,
): Float64Array | undefined {
  if (!vector) return undefined
  const { sums, norms } = sumsOf(view, index)
  if (sums[0]?.length !== vector.length) return undefined
  const length = norm(vector)
  const own = without && index.vectors.get(without.key)
  return Float64Array.from(sums, (sum, y) => {
    if (own && without.label === y)
      return cosine(
        vector,
        sum.map((x, i) => x - (own[i] ?? 0)),
      )
    const lengths = length * (norms[y] ?? 0)
    return lengths > 0 ? dot(vector, sum) / lengths : 0
  })
}

function sumsOf(view: View, index: GoragIndex): Sums {
  const before = known.get(view)
  if (before) return before
  const length = index.vectors.values().next().value?.length ?? 0
  const sums = view.labelled.labels.map(() => new Float64Array(length))
  for (const { key, label } of view.labelled.texts) {
    const vector = index.vectors.get(key)
    const sum = sums[label]
    if (!vector || !sum) continue
    for (let i = 0; i < length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0)
  }
  const made = { sums, norms: sums.map(norm) }
  known.set(view, made)
  return made
}
