/** The value that says how far a change of the number of partitions is (repartition/whole.ts). */
import type { Spent } from '../../../src/contract/usage'
import type { PartitionSet } from '../../../src/partition-layout'
import type { Actor } from '../../../src/ports/audit'

export interface Repartition {
  readonly job: string
  readonly by: Actor | null
  /** `count` 1: the corpus's own object. */
  readonly from: PartitionSet
  readonly to: PartitionSet
  /** Strategies that end with the switch. */
  readonly without?: readonly string[]
  /** The number of the layout that it makes first. */
  readonly layout: number
  /** The last decision that was made before it. */
  readonly rulings: number
  /**
   * open: the new partitions are made · copy: they are given documents · close: writes are refused · serve: they become the corpus's · clear: the old
   * ones are removed · abandon: the new ones are removed · done
   */
  readonly step: 'open' | 'copy' | 'close' | 'serve' | 'clear' | 'abandon' | 'done'
  readonly status: 'running' | 'succeeded' | 'failed' | 'cancelled'
  readonly error?: string
  /** Where reading documents for the first time continues; null: all have been read. */
  readonly place: { readonly part: number; readonly after: string } | null
  /** Orders sent so far. */
  readonly orders: number
  /** When writes were refused, ms; how often that was not long enough; and before when nothing is done. */
  readonly closedAt?: number
  readonly tries: number
  /** Since when partitions have been busy, ms. */
  readonly waitingSince?: number | undefined
  readonly notBefore: number
  /** From when on deletions have yet to be noted in the new partitions; when these became the corpus's; and whether it has the jobs of the old ones. */
  readonly logsAt?: number
  readonly switchedAt?: number
  readonly areJobsMoved?: true
  readonly created: number
  readonly documents: { readonly done: number; readonly total: number }
  readonly spent: Spent
}
