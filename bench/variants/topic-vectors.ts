/** Borders of topics by vectors instead of words: the cosine of the sums of what an encoder makes of the sentences on each side. */
import type { Comparison } from '../../src/core/text/topic-shifts'

const GROUP = 3 // sentences on each side, as in the product

export const byVectors =
  (encode: (text: string) => Float32Array): Comparison =>
  (text, spans) => {
    const vectors = spans.map(({ start, end }) => encode(text.slice(start, end)))
    return (i) => cosine(sumOf(vectors.slice(Math.max(0, i - GROUP), i)), sumOf(vectors.slice(i, i + GROUP)))
  }

function sumOf(vectors: readonly Float32Array[]): number[] {
  return Array.from(vectors[0] ?? [], (_, d) => vectors.reduce((sum, vector) => sum + (vector[d] ?? 0), 0))
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number => x.reduce((sum, value, d) => sum + value * (y[d] ?? 0), 0)
  const length = Math.sqrt(dot(a, a) * dot(b, b))
  return length === 0 ? 0 : dot(a, b) / length
}
