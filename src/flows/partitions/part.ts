/** The partitions of a corpus: their objects, and the share of some things in each. */
import { partOf } from '../../core/joint/part-of'
import type { CorpusObject } from '../../ports/object'

export interface Divided {
  readonly uid: string
  /** The object of the corpus itself: it has everything about the whole, and no documents. */
  readonly whole: CorpusObject
  readonly parts: readonly CorpusObject[]
  /** Any partition, by its uid: also one that the corpus has no more, or not yet. Absent: there are only these. */
  readonly objectOf?: (uid: string) => CorpusObject
}

/** Groups things by the partition that has each one's document; partitions without any are left out. */
export function byPart<T>(things: readonly T[], documentOf: (one: T) => string, count: number): ReadonlyMap<number, readonly T[]> {
  return Map.groupBy(things, (one) => partOf(documentOf(one), count))
}
