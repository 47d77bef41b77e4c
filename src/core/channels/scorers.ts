/**
 * What a path of units is worth, three ways: by the question's terms it covers (no model, no vectors), by vectors, by a cross-encoder
 * whose scores come from outside. Pure.
 */

import type { Vector } from '../graph/types'
import { fingerprint } from '../ids'
import type { Scores } from '../strategy'
import { accumulate, cosine, dot, norm } from '../vectors'
import type { Clue } from './clue'
import type { Weighted } from './lexical'
import type { Scorer } from './walk'

const PER_TOKEN = 0.002 // the cost of a token of a path, in shares of the question: 100 tokens must cover a fifth of it
const NEARNESS = 0.3 // weight of the cosine besides the lexical share, if vectors have proved useful

export interface LexicalScorer extends Scorer {
  /** Rarity-weighted share of the question's terms that the units cover together. */
  covered(units: readonly Clue[]): number
}

/** Rarity-weighted share of the question's terms that a path covers, less its length. With `vector`, plus a little nearness. */
export function lexicalScorer(question: readonly Weighted[], vector?: Vector): LexicalScorer {
  const total = question.reduce((sum, one) => sum + one.idf, 0) || 1
  const share = (all: number): number => question.reduce((sum, one, i) => (all & (1 << i) ? sum + one.idf : sum), 0) / total
  const near = (unit: Clue): number => {
    const own = vector && unit.vector()
    return own ? NEARNESS * cosine(vector, own) : 0
  }
  const mask = (units: readonly Clue[]): number => units.reduce((all, unit) => all | unit.covers(), 0)
  return {
    covered: (units) => share(mask(units)),
    fits: (unit, said) => share(unit.covers() & ~mask(said)) + share(unit.covers()) / 100 - PER_TOKEN * unit.tokens() + near(unit),
    worth: (paths) =>
      paths.map((units) => {
        const length = units.reduce((sum, unit) => sum + unit.tokens(), 0)
        return share(mask(units)) - PER_TOKEN * length + units.reduce((sum, unit) => sum + near(unit), 0) / units.length
      }),
  }
}

/** The paper's walk without its reranker: the question's vector less those of the units found; a path is as near as the sum of its units. */
export function embeddingScorer(vector: Vector): Scorer {
  const known = new Map<string, Measured | undefined>()
  const measured = (unit: Clue): Measured | undefined => {
    if (known.has(unit.id)) return known.get(unit.id)
    const own = unit.vector()
    const made = own && { vector: own, length: norm(own) || 1 }
    known.set(unit.id, made)
    return made
  }
  // All units of one step are compared with the same rest of the question, which is computed once.
  let rest: { readonly said: readonly Clue[]; readonly vector: Int32Array; readonly length: number } | undefined
  const left = (said: readonly Clue[]) => {
    if (rest?.said === said) return rest
    const sum = sumVectors(said, measured, vector.length)
    const less = Int32Array.from(vector, (value, i) => value - (sum[i] ?? 0))
    rest = { said, vector: less, length: norm(less) || 1 }
    return rest
  }
  return {
    fits(unit, said) {
      const own = measured(unit)
      const open = left(said)
      return own ? dot(open.vector, own.vector) / (open.length * own.length) : -1
    },
    worth: (paths) => paths.map((units) => cosine(vector, sumVectors(units, measured, vector.length))),
  }
}

interface Measured {
  readonly vector: Vector
  readonly length: number
}

/** The paper's form: units by vector (or by terms without one), paths by the cross-encoder. Worth is undefined until its score is in the table. */
export function rerankScorer(question: string, scores: Scores, next: Scorer): Scorer {
  return {
    fits: next.fits,
    worth: (paths) => paths.map((units) => scores.get(pairKey(question, pathText(units)))),
  }
}

export function pathText(units: readonly Clue[]): string {
  return [...units]
    .map((unit) => unit.text)
    .sort()
    .join(' ')
}

export function pairKey(question: string, text: string): string {
  return fingerprint(question, text)
}

function sumVectors(units: readonly Clue[], measured: (unit: Clue) => Measured | undefined, dimensions: number): Int32Array {
  const sum = new Int32Array(dimensions)
  for (const unit of units) {
    const own = measured(unit)
    if (own) accumulate(sum, own.vector)
  }
  return sum
}
