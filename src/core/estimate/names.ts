/** How many different names a chunk has: the cost of reports on communities depends on that, since a longer text with the same names adds no reports. Pure. */
import type { Chunk } from '../graph/types'
import { chunkNames } from '../text/chunk-names'

export function countNames({ text, units, language }: Pick<Chunk, 'text' | 'units' | 'language'>): number {
  const names = chunkNames(
    units.map(({ start, end }) => text.slice(start, end)),
    language,
  )
  return new Set(names.flatMap((list) => list.map((one) => one.key))).size
}
