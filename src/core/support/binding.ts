/** Which figure belongs to what: "five years on the motor and two on the other parts" has both numbers of "two years on the motor". Pure. */
import { clauseAt, type Matches } from './matches'
import type { Sentence } from './read'
import type { Reason } from './reason'
import type { Word } from './word'

const CLAUSE = 12 // a clause's border counts as this many words
const VERB = 2 // what happened then, or is so many, tells more than to whom it happened
const MIN_VOTES = 2
const MAX_FIGURES = 8 // in a claim; a table is not prose, and every figure is weighed against every other

/** Words of the claim that stand beside one figure there and beside another of its kind here. */
export function misbound(claim: Sentence, places: readonly number[], sentence: Sentence, matches: Matches): Reason[] {
  const figures = places.filter((at) => isFigure(claim.words[at]) && matches.get(at))
  if (figures.length > MAX_FIGURES) return []
  const { subject } = claim
  for (const figure of figures) {
    const here = matches.get(figure)?.at ?? 0
    for (const [rival, word] of sentence.words.entries()) {
      if (rival === here || !isRival(sentence.words[here], word)) continue
      // If two figures of the claim have changed places, they count together.
      const other = figures.find((one) => matches.get(one)?.at === rival)
      const own = votes(claim, places, sentence, matches, { figure, here, rival, figures, subject })
      const back =
        other === undefined ? 0 : votes(claim, places, sentence, matches, { figure: other, here: rival, rival: here, figures, subject })
      if (own + back <= -MIN_VOTES) {
        return [{ fault: 'misplaced', claim: claim.words[figure]?.text ?? '', source: word.text }]
      }
    }
  }
  return []
}

interface Pair {
  readonly figure: number
  readonly here: number
  readonly rival: number
  readonly figures: readonly number[]
  readonly subject: ReadonlySet<number>
}

function votes(claim: Sentence, places: readonly number[], sentence: Sentence, matches: Matches, pair: Pair): number {
  let sum = 0
  for (const at of places) {
    const match = matches.get(at)
    const word = claim.words[at]
    if (!match || word?.kind !== 'content' || pair.subject.has(at)) continue
    // Only words that stand nearer to this figure than to any other in the claim.
    if (pair.figures.some((other) => other !== pair.figure && gap(claim, at, other) <= gap(claim, at, pair.figure))) continue
    const difference = gap(sentence, match.at, pair.rival) - gap(sentence, match.at, pair.here)
    // A word between the two decides nothing.
    if (Math.abs(difference) < CLAUSE / 2) continue
    sum += Math.sign(difference) * (claim.index.rules.verbs.has(word.key) ? VERB : 1)
  }
  return sum
}

function gap(sentence: Sentence, a: number, b: number): number {
  return Math.abs(a - b) + CLAUSE * Math.abs(clauseAt(sentence, a) - clauseAt(sentence, b))
}

function isFigure(word: Word | undefined): boolean {
  return word?.kind === 'number' || word?.kind === 'date'
}

function isRival(said: Word | undefined, other: Word): boolean {
  if (!said || other.kind !== said.kind) return false
  return said.quantity?.unit?.of === other.quantity?.unit?.of
}
