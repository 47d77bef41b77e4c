/**
 * Does the evidence answer the question at all? The visible signs (signs.ts) are weighed by a fixed logistic function. There is one with the
 * encoder that comes with Loam and one by letters alone, each a mix of one for small corpora and one for larger ones. They were fitted by `npm run
 * bench answers -- --fit` on questions whose passage was there, was not, or lacked the fact.
 */

import type { Passage } from './candidates'
import { compare } from './compared'
import { deskFor } from './desk'
import { byLetters, byMeaning, type Fitted, type Weights } from './fitted'
import { fromRecord } from './from-record'
import type { Meaning } from './likeness'
import { readQuestion } from './question'
import type { QuestionTerms } from './question-terms'
import { type Signs, signsOf } from './signs'

/** Below this a question counts as not answered. */
export const ANSWERED = 0.24
/** For the field of a record whose other fields say everything else in the question. */
export const OF_RECORD = 0.9
/** For a comparison in time of which a sentence dates each side. */
export const OF_COMPARISON = 0.9
/** The same in ln-odds. */
export const LIMIT = Math.log(ANSWERED / (1 - ANSWERED))

export interface Reader {
  /** Number of passages in the corpus. */
  readonly count: number
  /** The encoder, if there is one. */
  readonly meaning?: Meaning | undefined
}

/** 0 to 1: how sure it is that these passages, best first, answer. `asked`: the question's terms. */
export function confidence(text: string, passages: readonly Passage[], asked: QuestionTerms, { meaning, count }: Reader): number {
  const certain = certainty(text, passages, asked, meaning)
  if (certain !== undefined) return certain
  const signs = signsOf(text, passages, asked, meaning, count)
  return signs ? 1 / (1 + Math.exp(-oddsOf(signs, meaning ? byMeaning : byLetters))) : 0
}

/** If the answer is read off rather than weighed: from a record, or by comparing two dates. */
export function certainty(text: string, passages: readonly Passage[], asked: QuestionTerms, meaning?: Meaning): number | undefined {
  const question = readQuestion(text)
  if (fromRecord(question, passages, asked)) return OF_RECORD
  return compare(question, deskFor(passages, meaning).candidates) ? OF_COMPARISON : undefined
}

/** Ln-odds: the smaller the corpus, the more the weights for small ones count. */
export function oddsOf(signs: Signs, { many, few }: Fitted): number {
  return (1 - signs.small) * weighed(signs, many) + signs.small * weighed(signs, few)
}

function weighed(signs: Signs, { bias, ...weights }: Weights): number {
  return Object.entries(weights).reduce((sum, [sign, weight]) => sum + weight * signs[sign as keyof Signs], bias)
}
