/** Multinomial logistic regression over sparse vectors, L2-penalised as scikit-learn's default (C = 1), by Adagrad. A baseline. */

type Sparse = ReadonlyMap<string, number>

const STEPS = 150
const RATE = 0.5
const PENALTY = 1 // C = 1: half the squared norm against the summed log-loss

export function logistic(vectors: readonly Sparse[], labels: readonly number[], classes: number): (vector: Sparse) => number[] {
  const names = new Map<string, number>()
  for (const vector of vectors) for (const term of vector.keys()) if (!names.has(term)) names.set(term, names.size)
  const rows = vectors.map((vector) => [...vector].map(([term, x]) => [names.get(term) ?? 0, x] as const))
  const weights = new Float64Array(names.size * classes)
  const squares = new Float64Array(weights.length).fill(1e-8)
  const logits = (row: readonly (readonly [number, number])[]): number[] => {
    const out = new Array<number>(classes).fill(0)
    for (const [term, x] of row) for (let k = 0; k < classes; k++) out[k] = (out[k] ?? 0) + x * (weights[term * classes + k] ?? 0)
    return out
  }
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map((w) => PENALTY * w)
    for (const [i, row] of rows.entries()) {
      const errors = softmax(logits(row)).map((part, k) => part - (labels[i] === k ? 1 : 0))
      for (const [term, x] of row) {
        for (const [k, error] of errors.entries()) gradient[term * classes + k] = (gradient[term * classes + k] ?? 0) + x * error
      }
    }
    for (let at = 0; at < weights.length; at++) {
      const slope = gradient[at] ?? 0
      squares[at] = (squares[at] ?? 0) + slope * slope
      weights[at] = (weights[at] ?? 0) - (RATE * slope) / Math.sqrt(squares[at] ?? 1)
    }
  }
  return (vector) => logits([...vector].flatMap(([term, x]) => (names.has(term) ? [[names.get(term) ?? 0, x] as const] : [])))
}

function softmax(scores: readonly number[]): number[] {
  const max = Math.max(...scores)
  const parts = scores.map((score) => Math.exp(score - max))
  const total = parts.reduce((a, b) => a + b, 0)
  return parts.map((part) => part / total)
}
