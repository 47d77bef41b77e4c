/**
 * How full the database is that the corpus is read from. Every write to it says so; since other corpora fill it too, it is asked again
 * when what is known has aged. While it cannot be asked, what was known last holds.
 */
import type { Accepted, CorpusRef, ReadModel } from '../../../src/ports'

const FRESH = 60_000 // ms for which a size holds

export interface DatabaseSize {
  /** Asks, unless it is known from less than a minute ago. Never rejects. */
  refresh(corpus: CorpusRef, readModel: Pick<ReadModel, 'size'>): Promise<void>
  note(bytes: number): void
  /** Undefined: there is room, or nothing is known. */
  full(): Extract<Accepted, { kind: 'full' }> | undefined
}

export function databaseSize(now: () => number): DatabaseSize {
  let known = { bytes: 0, max: Number.POSITIVE_INFINITY, at: Number.NEGATIVE_INFINITY }
  return {
    async refresh(corpus, readModel) {
      if (now() - known.at < FRESH) return
      const size = await readModel.size(corpus).catch(() => undefined)
      if (size) known = { ...size, at: now() }
    },
    note(bytes) {
      if (known.max < Number.POSITIVE_INFINITY) known = { ...known, bytes, at: now() }
    },
    full: () => (known.bytes < known.max ? undefined : { kind: 'full', what: 'database_bytes', most: known.max }),
  }
}
