/**
 * What a partition tells the object of its corpus: documents that it has forgotten, so that what that object keeps of answers forgets them
 * too, events for the corpus's endpoints, what has been spent, and the top summaries of its tree. Numbered without end by the partition; each is taken once, in order.
 */
import type { EventType } from '../contract/events'
import type { EmbeddingSettings } from '../core/settings'
import type { Top } from '../core/strategies/erarag/above'
import type { Hold, RemainingBudget, UsageView } from './spending'

export type Report = { readonly n: number } & ReportBody

export type ReportBody =
  | { readonly kind: 'forgotten'; readonly documents: readonly string[] }
  | {
      readonly kind: 'event'
      /** ms. */
      readonly at: number
      readonly type: EventType
      readonly data: { readonly [key: string]: string | number | null }
      /** For an event about a document: the labels of each of its versions, as JSON lists; none: it is deleted. */
      readonly accesses?: readonly string[]
    }
  | {
      readonly kind: 'spent'
      /** In all, since it exists. */
      readonly spent: Omit<UsageView['total'], 'calls' | 'neurons'>
      /** Reservations that end with it. */
      readonly holds: readonly string[]
      /** It was made while the corpus had a budget, and everything spent from then on is reserved first. */
      readonly isCapped?: true
    }
  | {
      readonly kind: 'tops'
      /** Of all summaries in the top layer of its tree. */
      readonly ids: readonly string[]
      /** Those of them that are not as they were last reported. */
      readonly changed: readonly ToldTop[]
      /** The embedding model that their sums are of. Absent: made by an earlier release, of the corpus's. */
      readonly of?: EmbeddingSettings
    }

export type ToldTop = Omit<Top, 'sum'> & { readonly sum: readonly number[] }

/** What a partition may spend next. */
export interface Granted {
  /** For each reservation, in order. */
  readonly granted: readonly boolean[]
  /** Of the whole corpus's budget, ignoring reservations. */
  readonly left: RemainingBudget
}

export interface ReportsObject {
  /** Repeating it changes nothing. Once it has returned, nothing the object keeps has the words of a document reported as forgotten. */
  takeReports(partition: string, reports: readonly Report[]): Promise<void>
  /** Sets aside what fits into the budget of the whole, for calls that a partition is about to make; ended by its report of what they cost. */
  reserveFor(holds: readonly Hold[]): Promise<Granted>
}
