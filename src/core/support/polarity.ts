/** Does one side say what the other denies? A negation reverses its clause, and so does an opposite word: "not allowed" is "forbidden". Pure. */

import { clauseAt, type Matches } from './matches'
import { isName } from './names'
import type { Sentence } from './read'
import type { Reason } from './reason'
import type { Match } from './word-index'

const VERB = 2 // what a clause denies is its verb; its nouns occur either way

export function denials(claim: Sentence, places: readonly number[], sentence: Sentence, matches: Matches): Reason[] {
  if (isExcepted(claim, sentence)) return []
  const turned = exceptions(claim, places, sentence, matches)
  const said = new Set([...matches.values()].flatMap((match) => (match && !match.isOpposite ? [match.at] : [])))
  const votes = new Map<number, number>()
  const explained = new Set<number>()
  for (const at of places) {
    const match = matches.get(at)
    if (!match) continue
    const clause = clauseAt(claim, at)
    const sign = (match.isOpposite ? -1 : 1) * signAt(claim, at) * signAt(sentence, match.at) * (turned.has(clause) ? -1 : 1)
    const fault = denied(claim, at, sentence, match, sign, said)
    if (fault) return [fault]
    if (match.isOpposite) explained.add(clause)
    else votes.set(clause, (votes.get(clause) ?? 0) + sign * weightOf(claim, at))
  }
  const clause = [...votes].find(([own, vote]) => vote < 0 && !explained.has(own))?.[0]
  return clause === undefined ? [] : [{ fault: 'negation', claim: claim.clauses[clause]?.words.map((word) => word.text).join(' ') ?? '' }]
}

/** A single word that decides: an opposite, or a thing that is there on one side and lacking on the other. */
function denied(
  claim: Sentence,
  at: number,
  sentence: Sentence,
  match: Match,
  sign: number,
  said: ReadonlySet<number>,
): Reason | undefined {
  if (sign > 0) return undefined
  const text = claim.words[at]?.text ?? ''
  if (!match.isOpposite) return isLacking(claim, at) === isLacking(sentence, match.at) ? undefined : { fault: 'negation', claim: text }
  const isSaidOtherwise = match.places?.some((place) => signAt(sentence, place) !== signAt(sentence, match.at))
  return isSaidOtherwise || said.has(match.at)
    ? undefined
    : { fault: 'opposite', claim: text, source: sentence.words[match.at]?.text ?? '' }
}

/** Names occur on either side of a negation; a verb is what it denies. */
function weightOf(claim: Sentence, at: number): number {
  const word = claim.words[at]
  if (word?.kind !== 'content' || isName(claim.index, at)) return 0
  return claim.index.rules.verbs.has(word.key) ? VERB : 1
}

/** Clauses of the claim about what the sentence excepts: open except on Mondays means closed on Mondays. */
function exceptions(claim: Sentence, places: readonly number[], sentence: Sentence, matches: Matches): Set<number> {
  const isExcepted = (of: Sentence, at: number): boolean => of.clauses[clauseAt(of, at)]?.excepted.has(at) ?? false
  return new Set(
    places
      .filter((at) => {
        const match = matches.get(at)
        return match && isExcepted(sentence, match.at) !== isExcepted(claim, at)
      })
      .map((at) => clauseAt(claim, at)),
  )
}

/** "only at noon" is "not, except at noon". */
function isExcepted(claim: Sentence, sentence: Sentence): boolean {
  const has = (role: 'exclusive' | 'exception'): boolean => [claim, sentence].some(({ words }) => words.some((word) => word.role === role))
  return has('exclusive') && has('exception')
}

function isLacking(sentence: Sentence, at: number): boolean {
  return sentence.clauses[clauseAt(sentence, at)]?.lacking.has(at) ?? false
}

/** −1 if a word stands under a negation. */
function signAt(sentence: Sentence, at: number): number {
  const clause = sentence.clauses[clauseAt(sentence, at)]
  return (clause?.isNegated ? -1 : 1) * (isLacking(sentence, at) ? -1 : 1)
}
