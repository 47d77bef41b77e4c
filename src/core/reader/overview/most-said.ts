/**
 * Pieces of text that together say most of what is often said: each is chosen for what it adds to those before it. Greedy; linear in what it reads
 * for each choice.
 */

export interface Piece {
  /** Each word once. */
  readonly words: readonly string[]
  /** Compared with other pieces of the same words: a text's beginning says what it is about. */
  readonly prior: number
  /** The part of its text that it stands in: a piece from another part is preferred to one from the same part. */
  readonly part?: number
}

export type WeightOf = (word: string) => number

const SAID = 0.15 // the share of its weight that a word keeps once a chosen piece says it
const AGAIN = 0.6 // the share of its worth that a piece keeps for each chosen one of its part
const SHORT = 6 // words: a piece is not preferred for having fewer

/** Places of the chosen pieces, the best first. */
export function mostSaid(pieces: readonly Piece[], count: number, weightOf: WeightOf, begun: readonly number[] = []): number[] {
  const said = new Set<string>()
  const parts = new Map<number | undefined, number>()
  const chosen: number[] = []
  const take = (at: number): void => {
    chosen.push(at)
    const { words = [], part } = pieces[at] ?? {}
    for (const word of words) said.add(word)
    if (part !== undefined) parts.set(part, (parts.get(part) ?? 0) + 1)
  }
  for (const at of begun.slice(0, count)) take(at)
  const left = new Set(pieces.keys())
  for (const at of chosen) left.delete(at)
  while (chosen.length < count && left.size > 0) {
    let best = { at: -1, worth: 0 }
    for (const at of left) {
      const { words, prior, part } = pieces[at] as Piece
      const sum = words.reduce((all, word) => all + weightOf(word) * (said.has(word) ? SAID : 1), 0)
      const worth = (prior * AGAIN ** (parts.get(part) ?? 0) * sum) / Math.sqrt(Math.max(SHORT, words.length))
      if (worth > best.worth) best = { at, worth }
    }
    if (best.at < 0) break
    take(best.at)
    left.delete(best.at)
  }
  return chosen
}

/** How many of the pieces say each word. */
export function saidBy(pieces: readonly Pick<Piece, 'words'>[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { words } of pieces) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** What is said once says little about the whole; what is said often counts no more than a few times as much. */
export function weightBy(counts: ReadonlyMap<string, number>): WeightOf {
  return (word) => {
    const count = counts.get(word) ?? 0
    return count > 1 ? Math.log2(1 + count) : 0.4
  }
}
