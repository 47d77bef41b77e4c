/** Does the claim say all where the source says some? A claim may say less than its source, but not more. Pure. */
import type { Matches } from './matches'
import type { Sentence } from './read'
import type { Reason } from './reason'

export function overstated(claim: Sentence, places: readonly number[], sentence: Sentence, matches: Matches): Reason[] {
  const all = claim.words.findIndex((word, at) => word.role === 'universal' && nextSaid(claim, at, places, matches) !== undefined)
  if (all < 0) return []
  const said = nextSaid(claim, all, places, matches)
  if (said === undefined) return []
  const before = sentence.words.slice(Math.max(0, said - 3), said)
  const some = before.find((word) => word.role === 'partial')
  return some ? [{ fault: 'quantifier', claim: claim.words[all]?.text ?? '', source: some.text }] : []
}

/** Where the sentence says the word that follows the quantifier. */
function nextSaid(claim: Sentence, at: number, places: readonly number[], matches: Matches): number | undefined {
  const next = places.find((place) => place > at && place <= at + 3 && claim.words[place]?.kind === 'content')
  return next === undefined ? undefined : matches.get(next)?.at
}
