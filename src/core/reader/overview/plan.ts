/** How a question about a whole is answered: which documents, in which groups, and where the text shown was taken from. Declarations only. */
import type { OverviewKind } from './question'

export interface OverviewPlan {
  /** `topic`: what the corpus says about something; its evidence is found as for any question. */
  readonly kind: OverviewKind | 'topic'
  /** Documents by id: for a comparison one list per side, else one list; none for a topic. */
  readonly sides: readonly (readonly string[])[]
  /** For a topic: what it is, as the question says it. */
  readonly about?: string
  /** How many documents were looked at. */
  readonly looked: number
  readonly from: 'documents' | 'summaries' | 'communities'
}
