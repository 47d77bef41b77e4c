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
