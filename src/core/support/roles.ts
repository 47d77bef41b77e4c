/** Who did it to whom: a claim that says of A and B what the sentence says of B and A is wrong although every word is there. Pure. */
import { type Cast, castsOf, headsOf } from './casts'
import { clauseAt, type Matches, saysWord } from './matches'
import { isName } from './names'
import type { Phrase } from './phrases'
import type { Passage, Sentence } from './read'
import type { Reason } from './reason'
import { textOf } from './replaced'

const SYMMETRIC = new Set(
  (
    'meet met marri border agre share connect link join tie equal resembl between treff heirat grenz verbind gleich zwisch rencontr epous mari reli ' +
    'entre encontr cas un limit compart'
  ).split(' '),
)

export function reversal(claim: Sentence, places: readonly number[], sentence: Sentence, passage: Passage, matches: Matches): Reason[] {
  const wanted = new Set(places)
  if (places.some((at) => SYMMETRIC.has(claim.words[at]?.key ?? '') && matches.has(at))) return []
  const casts = castsOf(sentence, false)
  for (const cast of castsOf(claim, true)) {
    if (!cast.doer.places.every((at) => wanted.has(at))) continue
    for (const said of casts) {
      if (!isSwapped(claim, cast, sentence, said, passage, matches) && !isAnothers(claim, cast, sentence, said, matches)) continue
      return [{ fault: 'reversed', claim: textOf(claim, cast.doer.places), source: textOf(sentence, said.doer.places) }]
    }
  }
  return []
}

function isSwapped(claim: Sentence, cast: Cast, sentence: Sentence, said: Cast, passage: Passage, matches: Matches): boolean {
  // The claim's doer is one of the others here …
  const isMeant = (phrase: Phrase, other: Phrase): boolean =>
    other.isPronoun && phrase.places.some((at) => !matches.get(at)) && phrase.places.every((at) => saysWord(claim, at, passage.context))
  const place = said.others.find((other) => isSaidBy(claim, cast.doer, other, matches) || isMeant(cast.doer, other))
  if (!place || isSaidBy(claim, cast.doer, said.doer, matches)) return false
  // "The most common effect was nausea": a statement with only a form of be may be made from either end.
  if (place.tie === 'core' && said.isCopula) return false
  // … and the doer here is one of the claim's others.
  return cast.others.some((other) => {
    if (other.places.length === 0 || other.tie !== place.tie || !isPlain(claim, cast) || !isPlain(sentence, said)) return false
    return isSaidBy(claim, other, said.doer, matches) || isMeant(other, said.doer)
  })
}

/** The claim's verb belongs to another: the sentence says that Lund collected and that Oberg isolated. */
function isAnothers(claim: Sentence, cast: Cast, sentence: Sentence, said: Cast, matches: Matches): boolean {
  const isNamed = (of: Sentence, { places }: Phrase): boolean => places.some((at) => isName(of.index, at))
  if (!isNamed(claim, cast.doer) || !isNamed(sentence, said.doer) || isSaidBy(claim, cast.doer, said.doer, matches)) return false
  if (
    !cast.doer.places.every((at) => matches.get(at)) ||
    said.doer.places.some((at) => cast.doer.places.some((own) => matches.get(own)?.at === at))
  )
    return false
  const nouns = new Set(claim.phrases[cast.clause]?.flatMap((phrase) => phrase.places))
  const verbs = claim.words.flatMap((word, at) =>
    word.kind === 'content' && !nouns.has(at) && clauseAt(claim, at) === cast.clause ? [matches.get(at)] : [],
  )
  const isDoneBy = (one: Cast): boolean => verbs.some((match) => match && clauseAt(sentence, match.at) === one.clause)
  const others = castsOf(sentence, false).filter((one) => isSaidBy(claim, cast.doer, one.doer, matches))
  return isDoneBy(said) && others.length > 0 && !others.some(isDoneBy)
}

/** German may begin with the object: the first phrase is the doer only if an article, a name or the verb's number shows it. */
function isPlain(of: Sentence, { doer, others, clause }: Cast): boolean {
  if (of.index.rules.grammar.language !== 'de' || doer.isPronoun || doer.isMarked || !doer.isDefinite || doer.tie === 'agent') return true
  if (doer.places.some((at) => isName(of.index, at)) || others.some((phrase) => phrase.isObject)) return true
  const verb = of.words[of.predicates[clause] ?? -1]?.low ?? ''
  return /en$/.test(verb) && others.some((phrase) => phrase.article === 'das' || phrase.article === 'eine')
}

/** Does the phrase of the sentence say what the claim's phrase is about? */
function isSaidBy(claim: Sentence, phrase: Phrase, other: Phrase, matches: Matches): boolean {
  const heads = headsOf(claim, phrase)
  return heads.length > 0 && heads.every((at) => other.places.includes(matches.get(at)?.at ?? -1))
}
