/**
 * Keywords of a text: its terms and the phrases of neighbouring terms, with how often each occurs (GORAG §3.2, before Eq. 2 chooses among them).
 * Integer counts only, so that removing a text removes exactly what it brought. Knows no corpus.
 */
import { spelled, terms } from '../../text/terms'

export type Counts = ReadonlyMap<string, number>

/** A phrase counts half: its words are counted too. */
const PHRASE = 0.5

/** Stop words are removed before phrases are joined, as in the official code: "cost of living" gives "cost live". */
export function keywordCounts(text: string, max: 1 | 2 | 3): Counts {
  const words = terms(text)
  const counts = new Map<string, number>()
  for (let length = 1; length <= max; length++) {
    for (let at = 0; at + length <= words.length; at++) {
      const keyword = words.slice(at, at + length).join(' ')
      counts.set(keyword, (counts.get(keyword) ?? 0) + 1)
    }
  }
  return counts
}

export function isPhrase(keyword: string): boolean {
  return keyword.includes(' ')
}

export function importance(keyword: string): number {
  return isPhrase(keyword) ? PHRASE : 1
}

export function asWritten(keyword: string): string {
  return keyword.split(' ').map(spelled).join(' ')
}

/** |t| of Eq. 2. */
export function lengthOf(counts: Counts): number {
  let sum = 0
  for (const count of counts.values()) sum += count
  return sum
}
