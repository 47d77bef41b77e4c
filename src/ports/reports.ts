/**
 * What a partition tells the object of its corpus: documents that it has forgotten, so that what that object keeps of answers forgets them
 * too, and events for the corpus's endpoints. Numbered without end by the partition; each is taken once, in order.
 */
import type { EventType } from '../contract/events'

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

export interface ReportsObject {
  /** Repeating it changes nothing. Once it has returned, nothing the object keeps has the words of a document reported as forgotten. */
  takeReports(partition: string, reports: readonly Report[]): Promise<void>
}
