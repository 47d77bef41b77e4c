/** A word of a text, as a check compares it. */
import type { DateSaid } from './dates'
import type { Role } from './grammar/grammar'
import type { Unit } from './units'

export interface Quantity {
  /** More than one if the separators can be read in two ways. */
  readonly values: readonly number[]
  readonly unit?: Unit
  readonly approximate?: true
}

export type Kind = 'content' | 'number' | 'date' | 'sign' | 'function'

export interface Word {
  readonly kind: Kind
  /** As written. */
  readonly text: string
  /** Lower case. */
  readonly low: string
  /** Stem without accents. */
  readonly key: string
  readonly role?: Role
  readonly capital: boolean
  /** First in its sentence: there a capital says nothing. */
  readonly first: boolean
  /** A negating word that does not negate here. */
  readonly affirmed?: true
  /** "Palmer's" */
  readonly possesses?: true
  /** A verb that denies what follows. */
  readonly denies?: true
  readonly quantity?: Quantity
  readonly date?: DateSaid
}
