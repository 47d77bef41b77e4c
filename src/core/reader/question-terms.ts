/** The terms of a question, by what the corpus knows of them. */
export interface QuestionTerm {
  /** Inverse document frequency. */
  readonly weight: number
  /** The corpus says it somewhere. */
  readonly isKnown: boolean
}

export type QuestionTerms = ReadonlyMap<string, QuestionTerm>

/** Of the terms of a question, as many as are looked up: a pasted page says no more with more. */
export const MAX_TERMS = 64

/** How many passages the corpus has at least, by the weights, which are BM25's ln(1 + (N − n + ½) / (n + ½)): an unknown term says it, a known one as if it were in one passage. */
export function passagesBy(asked: QuestionTerms): number {
  return Math.max(
    0,
    ...[...asked.values()].map(({ weight, isKnown }) => (isKnown ? 1.5 * Math.expm1(weight) + 0.5 : 0.5 * Math.expm1(weight) - 0.5)),
  )
}
