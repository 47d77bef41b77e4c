/** The partitions of a corpus: their objects, and what each has of some things. */
import { partOf } from '../../core/joint/part-of'
import type { CorpusObject } from '../../ports/object'

export interface Divided {
  readonly uid: string
  /** The object of the corpus itself: it has what is about the whole, and no documents. */
  readonly whole: CorpusObject
  readonly parts: readonly CorpusObject[]
}

/** Things by the partition that has the document of each; partitions that have none are left out. */
export function byPart<T>(things: readonly T[], documentOf: (one: T) => string, count: number): ReadonlyMap<number, readonly T[]> {
  return Map.groupBy(things, (one) => partOf(documentOf(one), count))
}
