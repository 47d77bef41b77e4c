/**
 * Sentences that a new version of a document no longer has and that no rule pairs with one it has: perhaps it says the same in other words, with
 * another value. Which of them, and which sentences of the document now, a judge is to compare for a question. Pure.
 */
import type { Dates } from '../text/iso-date'
import { readTerms as terms } from '../text/read-terms'
import { distinct } from '../text/terms'
import { type Said, type Source, sentencesOf } from './disagreements'
import { fitOf } from './expected'
import { readQuestion } from './question'

export const comparedWithNow = { removed: 8, current: 8 } as const // sentences
const ASKED = 0.5 // share of the question's words that a sentence and its title must say, unless it holds the kind of thing that is asked for
const FIT = 0.5 // what that counts for, beside the share

export interface RemovedStatement {
  readonly document: string
  readonly quote: string
  /** ISO 8601. */
  readonly replaced_at: string
  /** Dates of the version that said so. */
  readonly dates?: Dates
}

/** Those that speak of what is asked, the nearest first. `titles`: by document. The corpus need not say the question's words any more. */
export function removedAsked(
  question: string,
  removed: readonly RemovedStatement[],
  titles: ReadonlyMap<string, string>,
): readonly RemovedStatement[] {
  const asked = readQuestion(question)
  const weighed = removed.map((one) => {
    const said = new Set(terms(`${titles.get(one.document) ?? ''}\n${one.quote}`))
    const share = asked.terms.filter((term) => said.has(term)).length / Math.max(1, asked.terms.length)
    return { one, weight: share + (fitOf(asked, one.quote) > 0 ? FIT : 0) }
  })
  return best(weighed, ASKED, comparedWithNow.removed)
}

/** Sentences of the same documents in the evidence that may say so now: those that share words with them or the question, or hold what is asked for. */
export function currentBeside(evidence: readonly Source[], question: string, removed: readonly RemovedStatement[]): readonly Said[] {
  const asked = readQuestion(question)
  const words = new Map(
    [...Map.groupBy(removed, ({ document }) => document)].map(([document, own]) => [
      document,
      new Set([...asked.terms, ...own.flatMap(({ quote }) => terms(quote))]),
    ]),
  )
  const weighed = evidence.flatMap((source, place) => {
    const known = words.get(source.document ?? '')
    const said = known ? sentencesOf(source, place + 1) : []
    return said.map((one) => {
      const shared = distinct(terms(one.quote)).filter((term) => known?.has(term)).length
      return { one, weight: shared + (fitOf(asked, one.quote) > 0 ? 1 : 0) }
    })
  })
  return best(weighed, 1, weighed.length)
}

function best<T>(weighed: readonly { readonly one: T; readonly weight: number }[], least: number, count: number): readonly T[] {
  const enough = weighed.filter(({ weight }) => weight >= least)
  return enough
    .sort((a, b) => b.weight - a.weight)
    .slice(0, count)
    .map(({ one }) => one)
}
