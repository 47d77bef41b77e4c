/**
 * How full a store is that corpora share: the database the corpus is read from, or the vector index. Every write to the database reports
 * its size; since other corpora fill it too, it is asked again when the known size is too old. While it cannot be asked, the last known
 * size counts.
 */
import type { CorpusContext, FullStore, StoreSize } from '../store'
import type { Sinks } from './drain'

const FRESH = 60_000 // ms for which a size stays valid

export function storeSize(what: FullStore['what'], now: () => number): StoreSize {
  let known = { held: 0, max: Number.POSITIVE_INFINITY, at: Number.NEGATIVE_INFINITY }
  return {
    async refresh(ask) {
      if (now() - known.at < FRESH) return
      const size = await ask().catch(() => undefined)
      if (size) known = { ...size, at: now() }
    },
    note(held) {
      if (known.max < Number.POSITIVE_INFINITY) known = { ...known, held, at: now() }
    },
    full: () => (known.held < known.max ? undefined : { kind: 'full', what, max: known.max }),
  }
}

/** For both stores that the corpus shares. */
export async function refreshSizes({ config, databaseSize, indexSize }: CorpusContext, { readModel, index }: Sinks): Promise<void> {
  await Promise.all([
    databaseSize?.refresh(() => readModel.size(config).then(({ bytes, max }) => ({ held: bytes, max }))),
    indexSize?.refresh(() => index.size(config.uid).then(({ vectors, max }) => ({ held: vectors, max }))),
  ])
}
