/** How many different names a chunk says: what reports on communities are paid by, since a longer text of the same names brings no more of them. Pure. */
import type { Chunk } from '../graph/types'
import { chunkNames } from '../text/chunk-names'

export function countNames({ text, units, language }: Pick<Chunk, 'text' | 'units' | 'language'>): number {
  const names = chunkNames(
    units.map(({ start, end }) => text.slice(start, end)),
    language,
  )
  return new Set(names.flatMap((list) => list.map((one) => one.key))).size
}
