/** Whole answers that a corpus keeps. */
import type { QueryResult, Usage } from '../contract/questions'

export interface Recall {
  /** Hash of everything that the answer depends on, except the version. */
  readonly key: string
  /** The greatest age that is accepted. */
  readonly seconds: number
  readonly minVersion?: number
}

/** There is none. An answer made now is kept under this number, unless something it depends on besides the version changes meanwhile. */
export interface NotKept {
  readonly generation: number
  /** The object's time: what is in force may change between the question and its answer. Milliseconds since 1970. */
  readonly asked: number
}

export interface AnswerToKeep extends NotKept {
  readonly key: string
  readonly seconds: number
  readonly version: number
  readonly result: QueryResult
  /** What it cost, and need not cost again. */
  readonly saved: Usage & { readonly usd: number }
}

export interface KeptAnswer extends Pick<AnswerToKeep, 'result' | 'saved'> {
  /** Milliseconds since it was asked for. */
  readonly age: number
}
