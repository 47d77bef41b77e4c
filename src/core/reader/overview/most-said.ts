/** Pieces of text that together say most of what is said often: each for what it adds to those before it. Greedy, and as much as it reads. */

export interface Piece {
  /** Each once. */
  readonly words: readonly string[]
  /** Beside others of the same words: a text's beginning says what it is about. */
  readonly prior: number
  /** The part of its text it stands in: another one is preferred to the same again. */
  readonly part?: number
}

export type WeightOf = (word: string) => number

const SAID = 0.15 // of its weight keeps a word that a chosen piece says
const AGAIN = 0.6 // of its worth keeps a piece for each chosen one of its part
const SHORT = 6 // words: what has fewer is not preferred for that

/** Their places, the best first. */
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

/** What is said once says little of the whole; what is said often no more than a few times as much. */
export function weightBy(counts: ReadonlyMap<string, number>): WeightOf {
  return (word) => {
    const count = counts.get(word) ?? 0
    return count > 1 ? Math.log2(1 + count) : 0.4
  }
}
