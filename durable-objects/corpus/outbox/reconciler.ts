/**
 * What is needed to compare a sink with the object's truth, a page at a time. The sweep (reconcile-sinks.ts) does it for every sink that
 * can say what it holds.
 */
import type { CorpusContext } from '../store'
import type { OutboxEntry } from '../tables/outbox'

export type SinkName = 'index' | 'model'

export interface PageComparison {
  /** Where the next check begins; null: that was the last. */
  readonly next: string | null
  /** What the sink lacks, or holds in another state: sent again. */
  readonly missing: readonly OutboxEntry[]
  /** Surplus in the sink: sent again, which removes it. */
  readonly foreign: readonly OutboxEntry[]
}

export interface Reconciler {
  readonly sink: SinkName
  /** `after`: where the previous check ended; '' for the first. What is being sent to the sink (`isOnItsWay`) is not a fault. */
  compare(context: CorpusContext, after: string, isOnItsWay: (entry: OutboxEntry) => boolean): Promise<PageComparison>
}

/** A position in several spaces that are processed one after another: the space's name, and the last item in it. */
export interface Place<Space extends string> {
  readonly space: Space
  readonly after: string
}

export function placeIn<Space extends string>(spaces: readonly [Space, ...Space[]], after: string): Place<Space> {
  const at = after.indexOf(' ')
  return at < 0 ? { space: spaces[0], after: '' } : { space: after.slice(0, at) as Space, after: after.slice(at + 1) }
}

/** The place after `last`, or the beginning of the next space; null after the last one. */
export function nextPlace<Space extends string>(spaces: readonly Space[], space: Space, last: string | undefined): string | null {
  if (last !== undefined) return `${space} ${last}`
  const next = spaces[spaces.indexOf(space) + 1]
  return next === undefined ? null : `${next} `
}
