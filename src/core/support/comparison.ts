/** "A has more than B" beside "B has more than A": the same words the other way round; "less" and "not as" reverse it once more. Pure. */
import { inComparison } from './clauses'
import { clauseAt, type Matches } from './matches'
import type { Sentence } from './read'
import type { Reason } from './reason'

interface Pivot {
  readonly at: number
  /** −1: less, not as. */
  readonly direction: number
}

const NEAR = 6 // words before a "than" that may say what is compared
const LESS = /^(?:less|fewer|weniger|moins|menos)$/
const AS = /^(?:as|wie|como)$/
const FIRST_AS = /^(?:as|so|aussi|tan)$/

/** Undefined: not a comparison. Null: the same one. */
export function comparisonSwapped(claim: Sentence, sentence: Sentence, matches: Matches): Reason | null | undefined {
  const own = pivotOf(claim, undefined)
  const clause = mainClause(sentence, matches)
  const other = pivotOf(sentence, clause) ?? pivotOf(sentence, undefined)
  if (own === undefined || other === undefined) return undefined
  let [crossed, returned, turned] = [-1, false, 1]
  for (const [at, match] of matches) {
    const there = match === null ? -1 : match.at
    if (match?.isOpposite && Math.abs(match.at - other.at) <= NEAR) turned = -1
    else if (match?.isOpposite) continue
    else if (at < own.at && there > other.at) crossed = at
    // What only the passage says is the sentence's "it", its subject.
    else if (at > own.at && there < other.at) returned = true
  }
  const direction = turned * own.direction * other.direction
  const isSwapped = crossed >= 0 && returned
  if (isSwapped === direction < 0) return null
  return { fault: 'reversed', claim: claim.words[Math.max(crossed, 0)]?.text ?? '' }
}

function pivotOf(sentence: Sentence, clause: number | undefined): Pivot | undefined {
  const { words } = sentence
  const at = words.findIndex((word, i) => {
    if (clause !== undefined && clauseAt(sentence, i) !== clause) return false
    return (
      word.role === 'comparison' ||
      inComparison(words, i) ||
      (AS.test(word.low) && words.slice(Math.max(0, i - 3), i).some((one) => FIRST_AS.test(one.low)))
    )
  })
  // "more than 40 tonnes" only compares with a number.
  if (at < 0 || words.slice(at + 1, at + 3).some((word) => word.kind === 'number')) return undefined
  const before = words.slice(Math.max(0, at - NEAR), at)
  const isLess = before.some((word) => LESS.test(word.low))
  const isNotAs = before.some((word) => word.affirmed && word.role === 'negation')
  return { at, direction: (isLess ? -1 : 1) * (isNotAs ? -1 : 1) }
}

function mainClause(sentence: Sentence, matches: Matches): number {
  const counts = sentence.clauses.map(() => 0)
  for (const match of matches.values()) if (match) counts[clauseAt(sentence, match.at)] = (counts[clauseAt(sentence, match.at)] ?? 0) + 1
  return counts.indexOf(Math.max(...counts))
}
