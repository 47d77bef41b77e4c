/** Whole answers that are kept by a corpus. */
import type { QueryResult, Usage } from '../contract/questions'

export interface Recall {
  /** Hash of everything the answer depends on, but the version. */
  readonly key: string
  /** How old it may be. */
  readonly seconds: number
  readonly minVersion?: number
}

/** There is none. An answer that is made now is kept under this number, unless what it depends on beside the version has changed meanwhile. */
export interface NotKept {
  readonly generation: number
}

export interface AnswerToKeep extends NotKept {
  readonly key: string
  readonly seconds: number
  readonly version: number
  readonly result: QueryResult
  /** What it cost, and is not paid again. */
  readonly saved: Usage & { readonly usd: number }
}

export interface KeptAnswer extends Pick<AnswerToKeep, 'result' | 'saved'> {
  /** Milliseconds since it was given. */
  readonly age: number
}
