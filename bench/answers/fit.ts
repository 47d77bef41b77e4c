/** A binary logistic function by Newton's method, each topic judged by a function that has not seen it. L2-penalised; deterministic. */
import type { Signs } from '../../src/core/reader/confidence'

interface Case {
  readonly set: string
  readonly topic: string
  readonly isAnswerable: boolean
  readonly signs: Signs
}

const FOLDS = 8
const PENALTY = 1 / 3
const STEPS = 30
/** Questions whose sentence alone is gone are often answered elsewhere all the same; those of two passages are another kind. */
const WEIGHT: readonly (readonly [RegExp, number])[] = [
  [/sentence is gone/, 0.4],
  [/^(?:hotpot|dev_2wiki)/, 0.5],
]

export function fitWeights(training: readonly Case[], all: readonly Case[]) {
  const names = ['bias', ...Object.keys(training[0]?.signs ?? {})]
  const row = ({ signs }: Case): number[] => [1, ...Object.values(signs)]
  const topics = [...new Set(training.map((one) => one.topic))]
  const fold = ({ topic }: Case): number => topics.indexOf(topic) % FOLDS
  const whole = newton(training, row)
  const parts = Array.from({ length: FOLDS }, (_, k) =>
    newton(
      training.filter((one) => fold(one) !== k),
      row,
    ),
  )
  const confidences = all.map((one) => sigmoid(dot(topics.includes(one.topic) ? (parts[fold(one)] ?? whole) : whole, row(one))))
  return { confidences, weights: Object.fromEntries(names.map((name, i) => [name, Number((whole[i] ?? 0).toFixed(2))])) }
}

function newton(cases: readonly Case[], row: (one: Case) => number[]): number[] {
  const rows = cases.map(row)
  const positives = cases.filter((one) => one.isAnswerable).length
  const weights = cases.map(
    (one) =>
      (WEIGHT.find(([set]) => set.test(one.set))?.[1] ?? 1) *
      (one.isAnswerable ? cases.length / positives : cases.length / (cases.length - positives)) *
      0.5,
  )
  let beta = new Array<number>(rows[0]?.length ?? 0).fill(0)
  for (let step = 0; step < STEPS; step++) {
    const gradient = beta.map((value, i) => (i === 0 ? 0 : -PENALTY * value))
    const hessian = beta.map((_, i) => beta.map((_, j) => (i === j ? (i === 0 ? 1e-9 : PENALTY) : 0)))
    for (const [at, x] of rows.entries()) {
      const p = sigmoid(dot(beta, x))
      const weight = weights[at] ?? 1
      const error = weight * (Number(cases[at]?.isAnswerable) - p)
      const curve = weight * p * (1 - p)
      for (const [i, a] of x.entries()) {
        gradient[i] = (gradient[i] ?? 0) + error * a
        const line = hessian[i] as number[]
        for (const [j, b] of x.entries()) line[j] = (line[j] ?? 0) + curve * a * b
      }
    }
    const change = solve(hessian, gradient)
    beta = beta.map((value, i) => value + (change[i] ?? 0))
    if (Math.max(...change.map(Math.abs)) < 1e-8) break
  }
  return beta
}

/** Gaussian elimination with pivots. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((line, i) => [...line, right[i] ?? 0])
  const n = rows.length
  for (let k = 0; k < n; k++) {
    const pivot = rows.slice(k).reduce((best, line, i) => (Math.abs(line[k] ?? 0) > Math.abs(rows[best]?.[k] ?? 0) ? k + i : best), k)
    ;[rows[k], rows[pivot]] = [rows[pivot] as number[], rows[k] as number[]]
    for (let i = k + 1; i < n; i++) {
      const factor = (rows[i]?.[k] ?? 0) / (rows[k]?.[k] ?? 1)
      for (let j = k; j <= n; j++) (rows[i] as number[])[j] = (rows[i]?.[j] ?? 0) - factor * (rows[k]?.[j] ?? 0)
    }
  }
  const out = new Array<number>(n).fill(0)
  for (let i = n - 1; i >= 0; i--) {
    const known = out.reduce((sum, value, j) => (j > i ? sum + value * (rows[i]?.[j] ?? 0) : sum), 0)
    out[i] = ((rows[i]?.[n] ?? 0) - known) / (rows[i]?.[i] ?? 1)
  }
  return out
}

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))
