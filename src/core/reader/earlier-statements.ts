/**
 * What a new version of a document changed in the statements of the one before: sentences that say the same with another value
 * (differing-value.ts). What was added, removed or only reworded is not a changed statement; what was reworded, a judge may see. Pure.
 */
import type { Dates } from '../text/iso-date'
import { sentences } from '../text/sentences'
import { differingValue, mayAlign, type Statement, statementOf } from './differing-value'

const limits = {
  sentences: 300, // of each version that the other does not have: a document rewritten from top to bottom changed no single statements
  changes: 100,
  aligned: 10_000, // pairs whose words are aligned, some 9 µs each: in a table of prices every row may be like every other
} as const

/** As it is shown with evidence and answers: where the statement stands now, and what it said before. */
export interface EarlierStatement {
  readonly start: number
  readonly end: number
  readonly quote: string
  /** ISO 8601. */
  readonly replaced_at: string
  /** Dates of the version that said so. */
  readonly dates?: Dates
}

export interface Change {
  readonly before: string
  readonly now: string
}

export interface Versions {
  readonly changes: readonly Change[]
  /** Sentences of the older version that are gone, unpaired, and state a number, date, name or negation; in its order. */
  readonly removed: readonly string[]
  /** Does the new version still say this sentence? */
  says(sentence: string): boolean
}

/**
 * Each sentence is part of at most one change, in the order of the older version. Lists keep their order: the search for each goes on behind the
 * one found before. O(sentences + (those of only one version)²), both bounded.
 */
export function changesBetween(before: string, now: string): Versions {
  const [older, newer] = [sentencesOf(before), sentencesOf(now)]
  const [gone, come] = [only(older, newer), only(newer, older)]
  const says = (sentence: string): boolean => newer.has(sentence)
  if (gone.length > limits.sentences || come.length > limits.sentences) return { changes: [], removed: [], says }
  const changes: Change[] = []
  const left = come.flatMap(compared)
  let [next, aligned] = [0, 0]
  const isChanged = (was: Compared, is: Compared | undefined): boolean => {
    if (!is || aligned >= limits.aligned || !mayAlign(was.statement, is.statement)) return false
    aligned++
    return differingValue(was.statement, is.statement) !== undefined
  }
  const checkable = gone.flatMap(compared)
  for (const was of checkable) {
    const at = left.findIndex((_, step) => isChanged(was, left[(next + step) % left.length]))
    if (at < 0) continue
    next = (next + at) % left.length
    const [is] = left.splice(next, 1)
    if (is) changes.push({ before: was.sentence, now: is.sentence })
    if (changes.length === limits.changes) break
  }
  const paired = new Set(changes.map((one) => one.before))
  const removed = checkable.flatMap(({ sentence, statement }) => (statement.hasValue && !paired.has(sentence) ? [sentence] : []))
  return { changes, removed, says }
}

interface Compared {
  readonly sentence: string
  readonly statement: Statement
}

const sentencesOf = (text: string): ReadonlySet<string> => new Set(sentences(text).map(({ start, end }) => text.slice(start, end)))

const only = (of: ReadonlySet<string>, not: ReadonlySet<string>): readonly string[] => [...of].filter((sentence) => !not.has(sentence))

function compared(sentence: string): Compared[] {
  const statement = statementOf(sentence)
  return statement ? [{ sentence, statement }] : []
}
