/**
 * Why a claim is not supported. `terms`: too little of it is said · `name`, `number`, `date`: one that is not there · `replaced`: something else
 * stands in its place · `misplaced`: a figure that belongs to another thing · `negation`, `opposite`: the source denies it · `reversed`: who did it
 * to whom · `quantifier`: all where the source says some · `language`: in another language than its source, and cannot be compared without a model
 * · `uncited`: no source is named · `length`: too long for a statement
 */
export const faults = [
  'terms',
  'name',
  'number',
  'date',
  'replaced',
  'misplaced',
  'negation',
  'opposite',
  'reversed',
  'quantifier',
  'language',
  'uncited',
  'length',
] as const
export type Fault = (typeof faults)[number]

export interface Reason {
  readonly fault: Fault
  /** The words of the claim, and what the source says instead, if anything. */
  readonly claim: string
  readonly source?: string
}
