/** What reading yields: slices of passages. */
import type { Span } from '../graph/types'
import type { Question } from './question'

/** A slice of a passage's text; the passage is given by its place in the list. */
export interface Slice extends Span {
  readonly passage: number
}

export interface Reading {
  readonly question: Question
  /** The words that answer, if that is clear: inside one of the sentences. */
  readonly span?: Slice
  /** In the order in which they should be read. Empty only if the passages hold no text. */
  readonly sentences: readonly Slice[]
}

export function sliceOf({ passage, start, end }: Slice): Slice {
  return { passage, start, end }
}
