/**
 * The name of a citation in an answer. The cited pieces are numbered from 1 in the order in which they are first cited; from the second
 * quote of a piece on, a letter follows. So no two have the same name, and names stay while others arrive.
 */
import type { Citation } from '../../../src/client/client'

type Cited = Pick<Citation, 'marker' | 'start' | 'end'>

export function namesOf(citations: readonly Cited[]): readonly string[] {
  const numbers = numbersOf(citations)
  const quotes = new Map<number, string[]>()
  return citations.map(({ marker, start, end }) => {
    const known = quotes.get(marker) ?? []
    quotes.set(marker, known)
    const place = `${start} ${end}`
    if (!known.includes(place)) known.push(place)
    const at = known.indexOf(place)
    return at === 0 ? String(numbers.get(marker)) : `${numbers.get(marker)}${letter(at)}`
  })
}

/** Maps a citation's marker, which is its piece's place among all evidence, to its number in the answer. */
export function numbersOf(citations: readonly Pick<Citation, 'marker'>[]): ReadonlyMap<number, number> {
  const markers = [...new Set(citations.map(({ marker }) => marker))]
  return new Map(markers.map((marker, at) => [marker, at + 1]))
}

/** b, c, … z, then numbers: a piece seldom has more than three quotes. */
const letter = (at: number): string => (at < 26 ? String.fromCharCode(97 + at) : `.${at + 1}`)
