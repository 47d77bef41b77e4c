/**
 * Into which set of partitions a corpus is divided. The uid says the first; after its number was changed, the catalogue and the corpus's own object
 * know, and each isolate remembers what it has read of them. That may be old: partitions that are not the corpus's any more refuse.
 */

/** A set of partitions: the first of a corpus is 0, the next one 1. */
export interface PartitionSet {
  readonly set: number
  readonly count: number
}

export interface Layout extends PartitionSet {
  /** Counts the changes of the layout. */
  readonly n: number
  /** A second set: it is being filled, or what is left of it is being removed. */
  readonly other?: PartitionSet
}

/** How a partition that is not the corpus's any more answers. */
export const MOVED = 'corpus: its partitions are others now'

/** How one answers that may not be written for a moment, while its documents are moved. */
export const CLOSED = 'corpus: changing its partitions'

/** Longer than a corpus is remembered by the Worker (http/caches.ts), which reads the layout with it. */
const FRESH = 15_000 // ms
/** From when on nobody calls partitions that the corpus had. */
export const FORGOTTEN_AFTER = 2 * FRESH
const MAX = 10_000 // corpora in partitions

const layouts = new Map<string, Layout>() // by uid, of corpora whose number of partitions was changed: few, and none is forgotten
const reads = new Map<string, number>() // by uid: when what is known was read, ms

/** As it is recorded now (null: as the uid says); an older one than is known changes nothing. */
export function rememberLayout(uid: string, layout: Layout | null, now = Date.now()): void {
  if ((layout?.n ?? 0) < (layouts.get(uid)?.n ?? 0)) return
  if (layout) layouts.set(uid, layout)
  reads.delete(uid)
  if (reads.size >= MAX) reads.delete(reads.keys().next().value ?? '')
  reads.set(uid, now)
}

/** Null: as the uid says. */
export const rememberedLayout = (uid: string): Layout | null => layouts.get(uid) ?? null

/** Was it read a moment ago? */
export const isLayoutFresh = (uid: string, now = Date.now()): boolean => now - (reads.get(uid) ?? Number.NEGATIVE_INFINITY) < FRESH
