/**
 * People's decisions about names in a corpus in partitions. Its own object makes them, in one order; every partition weighs what is wanted by
 * its texts, and is told each decision once, in that order, so that it also holds for names that come later.
 */
import type { Asker } from '../core/access/labels'
import type { Wanted, Weighed } from '../core/builders/decide'
import type { Decision } from '../core/builders/decision-list'

/** Numbered without end by the corpus's own object. */
export type Ruling = { readonly n: number } & RulingBody

export type RulingBody =
  | { readonly what: 'made' | 'undone'; readonly decision: Decision }
  /** What a source no longer lists. */
  | { readonly what: 'gone'; readonly source: string; readonly documents: readonly string[] }

/** What a decision is about, to be shown. */
export interface Named {
  readonly entities: readonly string[]
  readonly documents: readonly string[]
}

export interface NamedHere {
  /** How its texts write each, with how often: nothing if they do not mention it. Null: only texts that the asker may not read do. */
  readonly written: { readonly [entity: string]: readonly (readonly [name: string, times: number])[] | null }
  /** Those of the documents that are here and that the asker may not read. */
  readonly hidden: readonly string[]
}

export interface DecidingObject {
  /** In a partition: what its texts say about it. Of a wish about documents, only about its own. */
  weigh(wish: Wanted, asker?: Asker): Promise<Weighed>
  /** In a partition: applies what is new to it. Repeating it changes nothing. */
  takeRulings(rulings: readonly Ruling[]): Promise<void>
  named(about: Named, asker?: Asker): Promise<NamedHere>
  /** In the corpus's own object: tells the partitions what they do not know yet, for at most ten seconds. Returns the numbers of those that it could not tell. */
  tellPartitions(): Promise<readonly number[]>
}
