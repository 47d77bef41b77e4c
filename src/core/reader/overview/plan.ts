/** How a question about a whole is answered: which documents, in which groups, and where what is shown was taken from. Declarations only. */
import type { OverviewKind } from './question'

export interface OverviewPlan {
  /** `topic`: of what the corpus says about something; its evidence is found as for any question. */
  readonly kind: OverviewKind | 'topic'
  /** Documents by id, a list for each side of a comparison, else one; none for a topic. */
  readonly sides: readonly (readonly string[])[]
  /** Of a topic: what it is, as the question says it. */
  readonly about?: string
  /** Documents that were looked at. */
  readonly looked: number
  readonly from: 'documents' | 'summaries' | 'communities'
}
