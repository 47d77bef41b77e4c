/**
 * What a citation is called in an answer: the number of its piece of evidence, and from the second quote of that piece on a letter. So no two are called
 * alike, and what has a name keeps it while others come.
 */
import type { Citation } from '../../../src/client/client'

type Cited = Pick<Citation, 'marker' | 'start' | 'end'>

export function namesOf(citations: readonly Cited[]): readonly string[] {
  const quotes = new Map<number, string[]>()
  return citations.map(({ marker, start, end }) => {
    const known = quotes.get(marker) ?? []
    quotes.set(marker, known)
    const place = `${start} ${end}`
    if (!known.includes(place)) known.push(place)
    const at = known.indexOf(place)
    return at === 0 ? String(marker) : `${marker}${letter(at)}`
  })
}

/** b, c, … z, then by number: one piece seldom has more than three quotes. */
const letter = (at: number): string => (at < 26 ? String.fromCharCode(97 + at) : `.${at + 1}`)
