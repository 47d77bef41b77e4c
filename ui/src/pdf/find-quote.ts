/** Where a quote stands among the runs of text that a page is drawn from. */
import { fold } from './folded'

/** A part of the quote: characters of one run. */
export interface Piece {
  readonly run: number
  readonly from: number
  readonly until: number
}

/**
 * In order; none if the page does not hold the quote. Of several places, the one that is nearest to where the quote should be.
 * @param before how many letters, folded, stand on the page before the quote
 */
export function findQuote(runs: readonly string[], quote: string, before: number): readonly Piece[] {
  const sought = fold(quote).letters
  const folded = runs.map(fold)
  const found = nearest(folded.map(({ letters }) => letters).join(''), sought, before)
  if (found < 0) return []
  const end = found + sought.length
  const pieces: Piece[] = []
  let first = 0 // letter of the run
  for (const [run, { letters, at, lengths }] of folded.entries()) {
    const [from, last] = [found - first, end - first - 1]
    first += letters.length
    if (last < 0 || from >= letters.length + (from < 0 ? 1 : 0)) continue
    const whole = runs[run] ?? ''
    // Spaces and hyphens inside the quote belong to it.
    const begins = from < 0 ? 0 : (at[from] ?? 0)
    const ends = last < letters.length ? (at[last] ?? 0) + (lengths[last] ?? 0) : whole.trimEnd().length
    if (ends > begins) pieces.push({ run, from: begins, until: ends })
  }
  return pieces
}

/** −1: nowhere. */
function nearest(page: string, sought: string, before: number): number {
  if (sought === '') return -1
  const earlier = page.lastIndexOf(sought, before)
  const later = page.indexOf(sought, before)
  if (earlier < 0 || later < 0) return Math.max(earlier, later)
  return before - earlier <= later - before ? earlier : later
}
