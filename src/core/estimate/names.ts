/** How many different names a chunk says: what reports on communities are paid by, since a longer text of the same names brings no more of them. Pure. */
import type { Chunk } from '../graph/types'
import { entities } from '../text/entities'

export function countNames({ text, units }: Pick<Chunk, 'text' | 'units'>): number {
  return new Set(units.flatMap(({ start, end }) => entities(text.slice(start, end)).map((one) => one.key))).size
}
