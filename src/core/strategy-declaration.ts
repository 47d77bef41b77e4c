/**
 * What a strategy says of itself, once. Everything outside that lists strategies or knows one by name (settings and options of the API, its
 * document, estimates, the page, the command line) is derived from these. `strategies/index.ts` has the list.
 */
import type { z } from 'zod'
import type { ValueRule } from './access/visible-value'
import type { OptionShape } from './chosen-options'
import type { Need } from './estimate/need'
import type { Strategy } from './strategy'

export interface StrategyDeclaration {
  /** As the API takes it, and as settings, builders and rows are named after it. */
  readonly name: string
  /** One line for people. */
  readonly summary: string
  /** `always`: no switch; `default`: a corpus for which no strategies are chosen has it; `chosen`: only one for which it is. */
  readonly enabled: 'always' | 'default' | 'chosen'
  /**
   * It can walk several graphs read as one (core/joint), as a corpus in partitions has them: all it reads for a question lies near its words, vectors
   * and names, or is told by the part that has it (`trees`). Absent: it needs what is whole only within one graph (hierarchies, what labels learned).
   */
  readonly isJoint?: true
  /** Its part of a corpus's settings: each field with its bounds and its default. Callers see the names in snake_case, or by `publicNames`. */
  readonly settings?: z.ZodObject
  /** What a question may choose. */
  readonly options?: OptionShape
  /** Names of settings (`learning.reinforce`) and options that an earlier release took: a request that still sends one is refused and says so. */
  readonly removed?: { readonly settings?: readonly string[]; readonly options?: readonly string[] }
  /** Builders and search. Absent: it answers no questions and builds nothing from documents. */
  readonly strategy?: Strategy
  /** What models must do for it. Absent: no more than to embed passages. */
  readonly need?: Need
  /** Parts of the API that a corpus has with it alone. */
  readonly offers?: readonly Offer[]
  /** Layers are read by the text model where an answer is written: reports have at most this share of the evidence. */
  readonly filterEvidence?: { readonly communities: number }
  /** Spaces of values that no document makes: a graph derived again takes them over. */
  readonly keptSpaces?: readonly string[]
  /** Which of its values may be seen by who may not see everything: asked about spaces of its name alone. Absent: none. */
  readonly isVisible?: ValueRule
}

/** `labels`: labels and classification; `names`: which entities are one thing; the others are listed by layer. */
export type Offer = 'labels' | 'names' | 'segments' | 'communities'
