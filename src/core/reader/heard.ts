/** How each sentence says what a question asks. */
import { type Aligned, aligned, meantBy, type Sources } from './alignment'
import { actionOf, rules } from './allowed'
import type { Candidate, Passage } from './candidates'
import type { Meaning } from './likeness'
import type { Question } from './question'
import type { QuestionTerms } from './question-terms'
import { discriminativeWords, questionWords } from './roles'
import { asksSuccession, saysSuccession } from './standing'

const OF_CLAUSE = 0.7 // the share of its weight that a word keeps in a clause that only says which one is meant ("… the dogs that guard the sheep")
const IMPLIED = 0.9 // of a word that a sentence says by saying another: what one may do, what a predecessor did
/** Everything up to such a clause. */
const CLAUSE = /^.{8,}?\s(?:that|who|which)\s/iu

/** A sentence, and how nearly it says each word that something should say. */
export interface Heard {
  readonly one: Candidate
  readonly words: readonly Aligned[]
}

export function heardBy(
  question: Question,
  passages: readonly Passage[],
  all: readonly Candidate[],
  { asked, meaning, meant = meantBy(meaning) }: Hearing,
): Heard[] {
  const clause = CLAUSE.exec(question.text)?.[0].length ?? Number.POSITIVE_INFINITY
  const isInClause = (word: string): boolean => question.text.toLowerCase().indexOf(word) >= clause
  const wanted = discriminativeWords(questionWords(question, asked)).map((one) =>
    isInClause(one.word) ? { ...one, weight: OF_CLAUSE * one.weight } : one,
  )
  const action = actionOf(question.text)
  const ofSuccession = asksSuccession(question.text)
  const withImplied = (words: readonly Aligned[], text: string): readonly Aligned[] => {
    const isAllFollowing = ofSuccession && saysSuccession(text)
    const isRuled = ({ asked: { word } }: Aligned): boolean =>
      word === action && rules(text) && words.some(({ asked, own }) => asked.word !== word && own === 1)
    if (!isAllFollowing && action === undefined) return words
    return words.map((one) => (one.asked.role === 'relation' && (isAllFollowing || isRuled(one)) ? implied(one) : one))
  }
  return all.map((one, i) => {
    const before = all[i - 1]?.passage === one.passage ? (all[i - 1]?.text ?? '') : ''
    const words = wanted.map((word) => aligned(word, one, { meant, before, passage: passages[one.passage]?.text ?? '' }))
    return { one, words: withImplied(words, one.text) }
  })
}

function implied(word: Aligned): Aligned {
  const at = (value: number): number => Math.max(value, IMPLIED)
  return { ...word, own: at(word.own), close: at(word.close), inContext: at(word.inContext), around: at(word.around) }
}

interface Hearing {
  readonly asked: QuestionTerms
  readonly meaning?: Meaning | undefined
  /** By meaning, remembered. */
  readonly meant?: Sources['meant']
}
