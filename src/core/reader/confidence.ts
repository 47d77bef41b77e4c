/**
 * Does the evidence answer the question at all? A few measures a reader can follow (what of the question the best sentence says, with what stands
 * around it; whether it holds the kind of thing asked for; how far the best passage stands out), weighed by one fixed logistic function,
 * fitted by `npm run bench answers -- --fit` on questions whose passage was there, was not, or lacked the sentence that answers. Vectors add
 * little to it (docs/reader.md), so it is the same whatever the embedding model. Knows no corpus and no model.
 */
import { terms } from '../text/terms'
import { type Candidate, candidatesOf, type Passage } from './candidates'
import { nearly } from './likeness'
import { type AnswerKind, type Question, readQuestion } from './question'
import { fresh, spanIn } from './span'

/** Each from 0 to 1. */
export interface Signs {
  /** Share of the question's weight that the best sentence says, what stands around it counting less. */
  readonly covered: number
  /** The same of what is no name, by the sentence and the one before it alone. */
  readonly predicate: number
  /** The same of names, in context. */
  readonly names: number
  /** The sentence holds the kind of thing asked for; ½ where that has no form. */
  readonly fits: number
  /** It is clear which words answer; ½ where that has no form. */
  readonly clear: number
  /** Weight of the heaviest term that is missing, against the heaviest of all. */
  readonly missing: number
  /** Share covered by the best passage, and by the fifth. */
  readonly passage: number
  readonly fifth: number
  /** Share that the corpus has never said. */
  readonly unknown: number
  /** The sentence says nothing of what is no name. */
  readonly beside: number
  /** A date or a number is wanted, and the sentence has none. */
  readonly lacking: number
}

export interface AskedTerm {
  /** Inverse document frequency. */
  readonly weight: number
  /** The corpus says it somewhere. */
  readonly isKnown: boolean
}

export type AskedTerms = ReadonlyMap<string, AskedTerm>

/** Fitted; ln-odds. */
export const fitted: { readonly [sign in keyof Signs | 'bias']: number } = {
  bias: -7.71,
  covered: 8.3,
  predicate: -1.25,
  names: 0.88,
  fits: 0.1,
  clear: 0.36,
  missing: 2.25,
  passage: 3.52,
  fifth: -1.07,
  unknown: -0.2,
  beside: -0.63,
  lacking: -0.61,
}
/** Of the terms of a question, as many as are looked up: a pasted page says no more with more. */
export const TERMS = 64
/** Below this a question counts as not answered: 4 of 100 answerable questions of the development data are. */
export const ANSWERED = 0.28

const LOOKED_AT = 6 // passages
const CONTEXT = { title: 0.8, before: 0.7, passage: 0.4 } as const
const PREDICATE_BEFORE = 0.6
const USUAL = 0.85 // of names, or of what is none, where the question has none
const BESIDE = 0.1
const RANK = 0.02 // a sentence loses for each passage ranked above its own
const FIT = 0.1
const FORMED: ReadonlySet<AnswerKind> = new Set(['person', 'place', 'year', 'date', 'count', 'amount', 'name'])
const MEASURED: ReadonlySet<AnswerKind> = new Set(['year', 'date', 'count', 'amount'])
const NOTHING: Signs = {
  covered: 0,
  predicate: 0,
  names: 0,
  fits: 0,
  clear: 0,
  missing: 1,
  passage: 0,
  fifth: 0,
  unknown: 1,
  beside: 1,
  lacking: 1,
}

/** 0 to 1: how sure it is that these passages, best first, answer. `asked`: the question's terms. */
export function confidence(text: string, passages: readonly Passage[], asked: AskedTerms): number {
  const signs = signsOf(text, passages, asked)
  const odds = Object.entries(signs).reduce((sum, [sign, value]) => sum + fitted[sign as keyof Signs] * value, fitted.bias)
  return 1 / (1 + Math.exp(-odds))
}

/** A question of stop words alone says nothing that could be found. */
export function signsOf(text: string, passages: readonly Passage[], asked: AskedTerms): Signs {
  const question = readQuestion(text)
  const few = passages.slice(0, LOOKED_AT)
  const best = bestOf(question, few.flatMap(candidatesOf), asked)
  if (!best) return NOTHING
  const named = new Set(question.names.flatMap((one) => terms(one.surface)))
  const all = [...asked.keys()]
  const predicates = all.filter((term) => !named.has(term))
  const { one, covered, fits } = best
  const predicate = shareOf(asked, predicates, (term) => Math.max(nearly(term, one.terms), PREDICATE_BEFORE * nearly(term, one.before)))
  const passageShares = few
    .map(({ title = '', text: body }) => new Set(terms(`${title}\n${body}`)))
    .map((said) => shareOf(asked, all, (term) => nearly(term, said)) ?? 0)
    .sort((a, b) => b - a)
  const weights = new Map([...asked].map(([term, { weight }]) => [term, weight]))
  const isFormed = FORMED.has(question.kind)
  return {
    covered,
    predicate: predicate ?? USUAL,
    names:
      shareOf(
        asked,
        all.filter((term) => named.has(term)),
        (term) => inContext(term, one),
      ) ?? USUAL,
    fits: isFormed ? Number(fits) : 0.5,
    clear: isFormed ? Number(spanIn(question, one, weights) !== undefined) : 0.5,
    missing: heaviest(asked, all, (term) => 1 - inContext(term, one)),
    passage: passageShares[0] ?? 0,
    fifth: passageShares[4] ?? 0,
    unknown: shareOf(asked, all, (term) => Number(!asked.get(term)?.isKnown)) ?? 1,
    beside: Number(predicate !== undefined && predicate < BESIDE),
    lacking: Number(MEASURED.has(question.kind) && !fits),
  }
}

interface Best {
  readonly one: Candidate
  readonly covered: number
  readonly fits: boolean
}

function bestOf(question: Question, all: readonly Candidate[], asked: AskedTerms): Best | undefined {
  let best: Best | undefined
  let top = Number.NEGATIVE_INFINITY
  for (const one of all) {
    const covered = shareOf(asked, [...asked.keys()], (term) => inContext(term, one))
    if (covered === undefined) return undefined
    const fits = FORMED.has(question.kind) && fresh(question, one.text).length > 0
    const score = covered * (1 - RANK * one.passage) + (fits ? FIT : 0)
    if (score <= top) continue
    top = score
    best = { one, covered, fits }
  }
  return best
}

function inContext(term: string, { terms: own, about, before, around }: Candidate): number {
  const here = nearly(term, own)
  if (here === 1) return 1
  return Math.max(here, CONTEXT.title * nearly(term, about), CONTEXT.before * nearly(term, before), CONTEXT.passage * nearly(term, around))
}

/** Undefined where there is nothing to share. */
function shareOf(asked: AskedTerms, list: readonly string[], part: (term: string) => number): number | undefined {
  let whole = 0
  let sum = 0
  for (const term of list) {
    const { weight = 0 } = asked.get(term) ?? {}
    whole += weight
    sum += weight * part(term)
  }
  return whole > 0 ? sum / whole : undefined
}

function heaviest(asked: AskedTerms, list: readonly string[], part: (term: string) => number): number {
  const weights = list.map((term) => asked.get(term)?.weight ?? 0)
  const parts = list.map((term, i) => part(term) * (weights[i] ?? 0))
  return Math.max(0, ...parts) / Math.max(...weights, Number.MIN_VALUE)
}
