/** The words of a sentence by stem, meaning and beginning, and what a look-up among them finds. */
import type { Rules } from './grammar/languages'
import type { Word } from './word'

export interface Match {
  /** Place in the sentence. */
  readonly at: number
  /** How surely it says the same, from 0 to 1. */
  readonly weight: number
  /** Does the sentence say the opposite word, or one that excludes it? */
  readonly isOpposite: boolean
  /** All places of such words. */
  readonly places?: readonly number[]
}

export const weights = { same: 1, meaning: 0.95, opposite: 0.9, form: 0.85, part: 0.5 } as const

export interface Index {
  readonly words: readonly Word[]
  readonly rules: Rules
  readonly byKey: ReadonlyMap<string, readonly number[]>
  readonly bySense: ReadonlyMap<number, readonly (readonly [group: number, at: number])[]>
  readonly byStart: ReadonlyMap<string, readonly number[]>
}
