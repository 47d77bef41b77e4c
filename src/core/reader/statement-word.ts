/** A word of a statement, or several that are one value. Declarations only. */

export type Kind = 'word' | 'stop' | 'number' | 'date' | 'name' | 'negation'

export interface Word {
  readonly text: string
  /** Its place in the sentence. */
  readonly start: number
  readonly end: number
  /** What is compared. */
  readonly form: string
  readonly kind: Kind
  /** Of what is written in several words, or may be written in several ways. */
  readonly value?: Value
}

export interface Value {
  readonly year?: number
  readonly month?: number
  readonly day?: number
  readonly weekday?: number
  /** Forms of both ends. */
  readonly span?: readonly [Word, Word]
}
