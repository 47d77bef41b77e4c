/**
 * What there is to see of whether passages answer a question: what of it the best sentence says, with what stands around it; whether it holds the kind
 * of thing asked for, beside the words that ask for it; how far the best passage stands out; what the corpus never says. Knows no corpus.
 */

import { type Aligned, aligned, meantBy, remembered, type WordsOf } from './alignment'
import { type Candidate, candidatesOf, type Passage } from './candidates'
import { type Expected, expectedIn, isFormed } from './expected'
import { type Likeness, likenessBy, type Meaning, nearly, nearlyMisspelt } from './likeness'
import { type Question, readQuestion } from './question'
import { passagesBy, type QuestionTerms } from './question-terms'
import { discriminativeWords, questionWords, wordsOf } from './roles'
import { termsSaid } from './said'

/** Each from −1 to 1. */
export interface Signs extends Expected {
  /** Share of the question's weight that the best sentence says, in context. */
  readonly covered: number
  /** The same of what is asked of the names, by the sentence, its title and the one before it; by its passage too. */
  readonly relation: number
  readonly relationAround: number
  /** Weight of the heaviest word of the relation that is not said around, against the heaviest of all. */
  readonly missing: number
  readonly names: number
  /** The noun asked for ("which company"). */
  readonly focus: number
  /** Share covered by the best passage, and by the fifth. */
  readonly passage: number
  readonly fifth: number
  /** Share that the corpus has never said. */
  readonly unknown: number
  /** Share of five words that the relation has. */
  readonly relationLength: number
  /** 1 for a corpus of three passages or fewer, 0 from two dozen on: the fewer there are, the less agrees by chance. */
  readonly small: number
  /** Cosines of vectors: of the best passage and the fifth, of the best sentence. */
  readonly meantPassage: number
  readonly meantFifth: number
  readonly meantHere: number
}

const LOOKED_AT = 6 // passages
const RANK = 0.02 // a sentence loses for each passage ranked above its own
const FIT = 0.1
const SMALL = { few: 3, many: 24 } as const // passages
/** Of what a question does not have. */
const USUAL = { relation: 0.8, around: 0.85, names: 0.85, focus: 0.7, missing: 0.15 } as const

/** Undefined where there is nothing to read, or the question says nothing that could be found. */
export function signsOf(text: string, passages: readonly Passage[], asked: QuestionTerms, meaning?: Meaning): Signs | undefined {
  const question = readQuestion(text)
  const few = passages.slice(0, LOOKED_AT)
  const likeness = likenessBy(meaning)
  const words = remembered(wordsOf)
  const best = bestOf(question, few, { asked, likeness, words })
  if (!best) return undefined
  const { one, all } = best
  const relation = all.filter(({ asked: { role } }) => role === 'relation' || role === 'measure')
  const names = all.filter((each) => each.asked.role === 'name')
  const focus = all.filter((each) => each.asked.role === 'focus').map((each) => each.around)
  const heaviest = Math.max(...all.map((each) => each.asked.weight), Number.MIN_VALUE)
  const shares = few.map(({ title = '', text: body }) => said(asked, termsSaid(`${title}\n${body}`))).sort((a, b) => b - a)
  const near = few.map(({ title, text: body }) => likeness.ofTexts(text, title ? `${title}\n${body}` : body)).sort((a, b) => b - a)
  const weights = new Map([...asked].map(([term, { weight }]) => [term, weight]))
  return {
    ...expectedIn(question, best, { likeness, words, weights, relation: relation.map((each) => each.asked.word) }),
    covered: share(all, (each) => each.inContext) ?? 0,
    relation: share(relation, (each) => each.close) ?? USUAL.relation,
    relationAround: share(relation, (each) => each.around) ?? USUAL.around,
    missing: relation.length > 0 ? Math.max(...relation.map((each) => each.asked.weight * (1 - each.around))) / heaviest : USUAL.missing,
    names: share(names, (each) => each.inContext) ?? USUAL.names,
    focus: focus.length > 0 ? Math.max(...focus) : USUAL.focus,
    passage: shares[0] ?? 0,
    fifth: shares[4] ?? 0,
    unknown: unknownShare(asked),
    relationLength: Math.min(5, relation.length) / 5,
    small: smallness(passagesBy(asked)),
    meantPassage: near[0] ?? 0,
    meantFifth: near[4] ?? 0,
    meantHere: likeness.ofTexts(text, one.text),
  }
}

export interface Best {
  readonly one: Candidate
  /** The sentence after it in its passage. */
  readonly next: string
  readonly all: readonly Aligned[]
}

interface Tools {
  readonly asked: QuestionTerms
  readonly likeness: Likeness
  readonly words: WordsOf
}

function bestOf(question: Question, passages: readonly Passage[], { asked, likeness, words }: Tools): Best | undefined {
  const wanted = discriminativeWords(questionWords(question, asked))
  const candidates = passages.flatMap(candidatesOf)
  const meant = meantBy(undefined, likeness, words)
  let best: Best | undefined
  let top = Number.NEGATIVE_INFINITY
  for (const [i, one] of candidates.entries()) {
    const sibling = (at: number): string => (candidates[at]?.passage === one.passage ? (candidates[at]?.text ?? '') : '')
    const sources = { meant, before: sibling(i - 1), passage: passages[one.passage]?.text ?? '' }
    const all = wanted.map((each) => aligned(each, one, sources))
    const covered = share(all, (each) => each.inContext)
    if (covered === undefined) return undefined
    const score = covered * (1 - RANK * one.passage) + (isFormed(question, one.text) ? FIT : 0)
    if (score <= top) continue
    top = score
    best = { one, next: sibling(i + 1), all }
  }
  return best
}

/** By weight. Undefined where there is nothing to share. */
function share(list: readonly Aligned[], part: (one: Aligned) => number): number | undefined {
  const whole = list.reduce((sum, { asked }) => sum + asked.weight, 0)
  return whole > 0 ? list.reduce((sum, one) => sum + one.asked.weight * part(one), 0) / whole : undefined
}

function said(asked: QuestionTerms, words: ReadonlySet<string>): number {
  let whole = 0
  let sum = 0
  for (const [term, { weight, isKnown }] of asked) {
    whole += weight
    sum += weight * (isKnown ? nearly : nearlyMisspelt)(term, words)
  }
  return whole > 0 ? sum / whole : 0
}

function smallness(passages: number): number {
  return Math.min(1, Math.max(0, Math.log(SMALL.many / Math.max(1, passages)) / Math.log(SMALL.many / SMALL.few)))
}

function unknownShare(asked: QuestionTerms): number {
  const weights = [...asked.values()]
  const whole = weights.reduce((sum, { weight }) => sum + weight, 0)
  return whole > 0 ? weights.reduce((sum, { weight, isKnown }) => sum + (isKnown ? 0 : weight), 0) / whole : 1
}
