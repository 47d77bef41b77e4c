/** The terms of a question, by what the corpus knows of them. */
export interface QuestionTerm {
  /** Inverse document frequency. */
  readonly weight: number
  /** Does the corpus say it anywhere? */
  readonly isKnown: boolean
}

export type QuestionTerms = ReadonlyMap<string, QuestionTerm>

/** How many terms of a question are looked up: a pasted page says no more with more of them. */
export const MAX_TERMS = 64
