/** A comparison in time ("Which is older, A or B?") read from a sentence about each side. */
import { nameKey } from '../text/names'
import { readTerms as terms } from '../text/read-terms'
import type { Candidate } from './candidates'
import { comparisonOf, yearOf } from './comparison'
import type { Question } from './question'
import { type Reading, sliceOf } from './slices'

/** How surely a sentence is about a side: by its title, its beginning, or because together with its title it says all of it. Undefined: it is not. */
function nearness(one: Candidate, side: string): number | undefined {
  if (nameKey(one.title) === nameKey(side)) return 0
  if (one.text.toLowerCase().startsWith(side.toLowerCase())) return 1
  const words = terms(side)
  return words.length > 0 && words.every((word) => one.terms.has(word) || one.about.has(word)) ? 2 : undefined
}

interface Dated {
  readonly one: Candidate
  readonly year: number
  readonly rank: number
}

function isDated(one: { readonly [key in keyof Dated]: Dated[key] | undefined }): one is Dated {
  return one.year !== undefined && one.rank !== undefined
}

/** The sentence that dates each side, the winner first. */
export function compare(question: Question, all: readonly Candidate[]): Reading | undefined {
  const comparison = comparisonOf(question.text)
  if (!comparison) return undefined
  const sides = comparison.sides.map((side) => {
    const dated = all.map((one) => ({ one, year: yearOf(comparison.event, one.text), rank: nearness(one, side) })).filter(isDated)
    const [nearest] = dated.sort((x, y) => x.rank - y.rank)
    return nearest && { ...nearest, side }
  })
  const [a, b] = sides
  if (!a || !b || a.year === b.year) return undefined
  const first = a.year < b.year === (comparison.wins === 'earliest')
  const [winner, other] = first ? [a, b] : [b, a]
  const at = winner.one.text.toLowerCase().indexOf(winner.side.toLowerCase())
  const start = winner.one.start + at
  return {
    question,
    sentences: [sliceOf(winner.one), sliceOf(other.one)],
    ...(at >= 0 ? { span: { passage: winner.one.passage, start, end: start + winner.side.length } } : {}),
  }
}
