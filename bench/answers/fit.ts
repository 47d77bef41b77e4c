/**
 * A binary logistic function by Newton's method. What it is judged on it has not seen: each of our own worlds and each topic of the others is left out in turn.
 * L2-penalised by each sign's variance; deterministic.
 */
import { oddsOf } from '../../src/core/reader/confidence'
import type { Fitted, Weights } from '../../src/core/reader/fitted'
import type { Signs } from '../../src/core/reader/signs'
import { JUDGES, WORLDS } from './cases'
import type { Case } from './found'

const FOLDS = 8 // of the topics that are not our own
const PENALTY = 20
const STEPS = 25
const TOTAL = 3000 // of the weights of either class
/** Sentences that are gone are often said elsewhere all the same; our own questions are few, and as people ask. The rest is looked at and not learned from. */
const WEIGHTS: readonly (readonly [corpus: RegExp, lacks: RegExp, weight: number])[] = [
  [/^(?:harbour|handbook|workshop|reserve)$/, /^subject$/, 4],
  [/^(?:harbour|handbook|workshop|reserve)$/, /^fact$/, 7],
  [/^(?:harbour|handbook|workshop|reserve)$/, /^(?:article)?$/, 7],
  [/^xquad$/, /^name$/, 1],
  [/^xquad$/, /^sentence$/, 0.4],
  [/^xquad$/, /^(?:article)?$/, 2],
  [/^xquad of 3$/, /^sibling$/, 0.2],
  [/^xquad of 3$/, /^(?:article)?$/, 0.3],
  [/^xquad of 12$/, /^(?:article)?$/, 0.5],
  [/^hotpot|^dev_|^musique/, /^(?:passages)?$/, 1],
]

export type Kind = 'meaning' | 'letters'
type Row = readonly number[]

/** For each case the ln-odds of a function that has not seen its world or topic; and the function of all. Undefined signs: nothing was found. */
export function fitted(cases: readonly Case[], kind: Kind): { readonly odds: readonly number[]; readonly all: Fitted } {
  const worlds = new Set<string>([...WORLDS, ...JUDGES])
  const topics = [...new Set(cases.map((one) => one.topic))].filter((topic) => !worlds.has(topic)).sort()
  const partOf = ({ topic }: Case): string => (worlds.has(topic) ? topic : String(topics.indexOf(topic) % FOLDS))
  const parts = new Map(
    [...new Set(cases.map(partOf))].map((part) => [
      part,
      learned(
        cases.filter((one) => partOf(one) !== part),
        kind,
      ),
    ]),
  )
  const odds = cases.map((one) => {
    const own = parts.get(partOf(one))
    return one.certain ?? (own && one[kind] ? oddsOf(one[kind], own) : Number.NEGATIVE_INFINITY)
  })
  return { odds, all: learned(cases, kind) }
}

function learned(cases: readonly Case[], kind: Kind): Fitted {
  const used = cases.flatMap((one) => {
    const signs = one[kind]
    const weight = WEIGHTS.find(([corpus, lacks]) => corpus.test(one.corpus) && lacks.test(one.lacks))?.[2] ?? 0
    return signs && weight > 0 && one.certain === undefined ? [{ signs, weight, isAnswered: one.lacks === '' }] : []
  })
  const all = Object.keys(used[0]?.signs ?? {}) as (keyof Signs)[]
  const names = all.filter((name) => name !== 'small' && (kind === 'meaning' || !name.startsWith('meant')))
  // Of small corpora the difference is learned, so that they differ no more than the cases bear out.
  const rows = used.map(({ signs }): Row => {
    const row = [1, ...names.map((name) => signs[name])]
    return [...row, ...row.map((value) => signs.small * value)]
  })
  const sums = [true, false].map((is) => used.filter((one) => one.isAnswered === is).reduce((sum, one) => sum + one.weight, 0))
  const weights = used.map(({ weight, isAnswered }) => (TOTAL * weight) / (sums[isAnswered ? 0 : 1] ?? 1))
  const beta = newton(
    rows,
    weights,
    used.map((one) => Number(one.isAnswered)),
  )
  const keys = ['bias', ...names]
  const weightsOf = (at: (i: number) => number): Weights =>
    Object.fromEntries(keys.map((name, i) => [name, Number(at(i).toFixed(2))])) as unknown as Weights
  const many = (i: number): number => beta[i] ?? 0
  return { many: weightsOf(many), few: weightsOf((i) => many(i) + many(keys.length + i)) }
}

function newton(rows: readonly Row[], weights: readonly number[], targets: readonly number[]): Row {
  const variances = (rows[0] ?? []).map((_, i) => variance(rows.map((row) => row[i] ?? 0)))
  const half = variances.length / 2
  // The second half are differences: each as dear as its sign, however few small corpora show it.
  const penalties = variances.map((own, i) => (i === 0 ? 1e-9 : PENALTY * Math.max(own, variances[i - half] ?? 0) + 1e-6))
  let beta: Row = penalties.map(() => 0)
  for (let step = 0; step < STEPS; step++) {
    const gradient = beta.map((value, i) => -(penalties[i] ?? 0) * value)
    const hessian = beta.map((_, i) => Float64Array.from(beta, (_, j) => (i === j ? (penalties[i] ?? 0) : 0)))
    for (const [at, x] of rows.entries()) {
      const p = 1 / (1 + Math.exp(-dot(beta, x)))
      const weight = weights[at] ?? 0
      const error = weight * ((targets[at] ?? 0) - p)
      const curve = weight * p * (1 - p)
      for (let i = 0; i < x.length; i++) {
        const a = x[i] as number
        if (a === 0) continue
        gradient[i] = (gradient[i] as number) + error * a
        const line = hessian[i] as Float64Array
        const scaled = curve * a
        for (let j = i; j < x.length; j++) line[j] = (line[j] as number) + scaled * (x[j] as number)
      }
    }
    for (const [i, line] of hessian.entries()) for (let j = 0; j < i; j++) line[j] = hessian[j]?.[i] as number // symmetric
    const change = solve(hessian, gradient)
    beta = beta.map((value, i) => value + (change[i] ?? 0))
    if (Math.max(...change.map(Math.abs)) < 1e-4) break
  }
  return beta
}

function variance(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
}

/** Gaussian elimination with pivots. */
function solve(matrix: readonly Float64Array[], right: readonly number[]): number[] {
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

function dot(a: Row, b: Row): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}
