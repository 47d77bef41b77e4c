/** The strategies for code that may not import the server: the page, the command line, scripts. */
import type { Offer, StrategyDeclaration } from '../strategy-declaration'

export interface ListedStrategy {
  readonly name: string
  readonly summary: string
  readonly enabled: StrategyDeclaration['enabled']
  /** Can a question be asked with it? */
  readonly answers: boolean
  /** Can a corpus in partitions have it? */
  readonly joint: boolean
  readonly offers: readonly Offer[]
}

export function listing(declarations: readonly StrategyDeclaration[]): ListedStrategy[] {
  return declarations.map(({ name, summary, enabled, strategy, isJoint = false, offers = [] }) => ({
    name,
    summary,
    enabled,
    answers: strategy !== undefined,
    joint: isJoint,
    offers: [...offers],
  }))
}
