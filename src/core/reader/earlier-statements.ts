/**
 * What a new version of a document changed in the statements of the one before: sentences that say the same with another value
 * (differing-value.ts). What was added, removed or only reworded is not a changed statement. Pure.
 */
import type { Dates } from '../text/iso-date'
import { sentences } from '../text/sentences'
import { differingValue, type Statement, statementOf } from './differing-value'

const limits = {
  sentences: 300, // of each version that the other does not have: a document rewritten from top to bottom changed no single statements
  changes: 100,
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
  /** Does the new version still say this sentence? */
  says(sentence: string): boolean
}

/** Each sentence is part of at most one change, in the order of the older version. O(sentences + (those of only one version)²), both bounded. */
export function changesBetween(before: string, now: string): Versions {
  const [older, newer] = [sentencesOf(before), sentencesOf(now)]
  const [gone, come] = [only(older, newer), only(newer, older)]
  const says = (sentence: string): boolean => newer.has(sentence)
  if (gone.length > limits.sentences || come.length > limits.sentences) return { changes: [], says }
  const changes: Change[] = []
  const left = come.flatMap(compared)
  for (const was of gone.flatMap(compared)) {
    const at = left.findIndex((is) => differingValue(was.statement, is.statement) !== undefined)
    const [is] = at < 0 ? [] : left.splice(at, 1)
    if (is) changes.push({ before: was.sentence, now: is.sentence })
    if (changes.length === limits.changes) break
  }
  return { changes, says }
}

const sentencesOf = (text: string): ReadonlySet<string> => new Set(sentences(text).map(({ start, end }) => text.slice(start, end)))

const only = (of: ReadonlySet<string>, not: ReadonlySet<string>): readonly string[] => [...of].filter((sentence) => !not.has(sentence))

function compared(sentence: string): { readonly sentence: string; readonly statement: Statement }[] {
  const statement = statementOf(sentence)
  return statement ? [{ sentence, statement }] : []
}
