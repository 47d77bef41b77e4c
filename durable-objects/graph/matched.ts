/** How the keyword index is asked, and what it answers. */
import { compareText } from '../../src/core/graph/ordered-map'
import type { Hit } from '../../src/core/graph/types'
import { passageId } from '../../src/core/ids'

export interface Matched {
  readonly chunk: string
  readonly ordinal: number
  /** As FTS5 returns it: lower is better. */
  readonly score: number
}

/** A term as FTS5 is asked for it. */
export const quoted = (term: string): string => `"${term.replaceAll('"', '""')}"`
export const anyOf = (words: readonly string[]): string => words.map(quoted).join(' OR ')

/** Best first, then by id. */
export const byScore = (a: Hit, b: Hit): number => b.score - a.score || compareText(a.id, b.id)

/** In that order. FTS5 returns the negative of the score. */
export function hitsOf(rows: readonly Matched[]): Hit[] {
  return rows.map((row): Hit => ({ id: passageId(row.chunk, row.ordinal), score: -row.score })).sort(byScore)
}
