/** Does a sentence hold the kind of thing that a question asks for, beside the words that ask for it? */
import type { Span } from '../graph/types'
import { readTerms as terms } from '../text/read-terms'
import type { WordsOf } from './alignment'
import type { Candidate } from './candidates'
import { yearOf } from './comparison'
import { definesAsked } from './definition'
import { type Likeness, nearly } from './likeness'
import type { AnswerKind, Question } from './question'
import { wordsIn } from './roles'
import { fresh } from './span'
import { asksSuccession, saysSuccession } from './standing'

/** Each 0 or 1. */
export interface Expected {
  /** The wanted thing is missing: a person; an amount, in its unit; a date; a number; a place; a name. */
  readonly noPerson: number
  readonly noAmount: number
  readonly noDate: number
  readonly noCount: number
  readonly noPlace: number
  readonly noName: number
  /** No number stands before what is to be counted. */
  readonly uncounted: number
  /** Nothing says why. */
  readonly uncaused: number
}

/** "Who" and the verb, which is none that only helps another. */
const DOES = /^who (?!(?:is|was|are|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must)(?!\p{L}))(\p{L}+)/iu
/** Before the one who did it. */
const BY = /(\p{L}+) by (?:the )?$/iu
const OTHER = 0.4 // below this likeness no word of the sentence means the verb
const MOST = /(?<!\p{L})most(?!\p{L})/iu
const SAYS_MOST = /(?<!\p{L})(?:most|best|bestsell\p{L}*|favou?rite)(?!\p{L})/iu
const FORMED: ReadonlySet<AnswerKind> = new Set(['person', 'place', 'year', 'date', 'count', 'amount', 'name'])
const COUNTED = { characters: 40, words: 5, like: 0.4 } as const // after a number
const USUAL = 0.5 // for a number that counts nothing named
/** If these are counted, people are. */
const PEOPLE = /^(?:peopl|person|inhabit)$/u
const WHO = /(?:ans|[eo]rs|ists|[aei]nts|ees|men|women|children|citizens|boys|girls|folk)$/iu
/** When and where, without a date or a name: "when the ice melts", "in the yard". */
const MOMENT = /(?<!\p{L})(?:when|whenever|during|once|as soon as)(?!\p{L})/iu
const SITE =
  /(?<!\p{L})(?:in|at|on|near|behind|beside|under|between|opposite|outside|inside|from|next to|in front of) (?:(?:the|an?|our|its|their|his|her) )?(?!which|this|that|order|case|fact|addition|\d)\p{Ll}+/u
const CAUSE =
  /(?<!\p{L})(?:because|since|as|so|due|owing|account|therefore|thus|hence|reason|caused?s?|fear|in order|otherwise|result(?:s|ed)?|consequences?|thanks|led|why|for it|to (?:avoid|prevent|keep|save|protect|ensure|reduce|make|allow)|weil|da|denn|deshalb|damit|um|parce|car|puisque|afin|porque|pues|para)(?!\p{L})/iu

/** Does the sentence contain anything in the form that the question's kind has? */
function isFormed(question: Question, sentence: string): boolean {
  return FORMED.has(question.kind) && fresh(question, sentence).length > 0
}

/**
 * How well a sentence holds what is asked for: 0 not at all, 1 by its form, 2 also by its surroundings: what is counted, the year of a birth or a
 * death, a cause, the person's
 * doing; of a definition, that it is put in words.
 */
export function fitOf(question: Question, sentence: string): 0 | 1 | 2 {
  if (question.kind === 'reason') return CAUSE.test(sentence) ? 2 : 0
  if (question.kind === 'definition') return definesAsked(question, sentence)
  if (question.kind === 'thing' && MOST.test(question.text)) return SAYS_MOST.test(sentence) ? 1 : 0
  if (!isFormed(question, sentence)) return 0
  const event = (question.kind === 'year' || question.kind === 'date') && lifeEvent(question.text)
  if (event) return yearOf(event, sentence) === undefined ? 1 : 2
  if (question.kind === 'person' && (isDoer(question, sentence) || (asksSuccession(question.text) && saysSuccession(sentence)))) return 2
  const { counted } = question
  const isCounted = fresh(question, sentence).some(({ start, end }) => {
    const after = wordsIn(sentence.slice(start, end + COUNTED.characters)).slice(0, COUNTED.words)
    return after.some((word) => terms(word).some((term) => counted.includes(term)) || isWho(counted, word))
  })
  return isCounted ? 2 : 1
}

/** "Who founded the mill?": the person before the same verb, or behind "founded by". */
function isDoer(question: Question, sentence: string): boolean {
  const verb = DOES.exec(question.text)?.[1]
  const [term] = verb ? terms(verb) : []
  if (term === undefined) return false
  return fresh(question, sentence).some(({ start, end }) => {
    const [next = ''] = /^\s\p{L}+/u.exec(sentence.slice(end)) ?? []
    const [, doing = ''] = BY.exec(sentence.slice(0, start)) ?? []
    return terms(next)[0] === term || terms(doing)[0] === term
  })
}

function isWho(counted: readonly string[], word: string): boolean {
  return WHO.test(word) && counted.some((term) => PEOPLE.test(term))
}

function lifeEvent(question: string): 'birth' | 'death' | undefined {
  if (/(?<!\p{L})(?:born|birth)(?!\p{L})/iu.test(question)) return 'birth'
  return /(?<!\p{L})(?:die|died|death)(?!\p{L})/iu.test(question) ? 'death' : undefined
}

interface Near {
  readonly one: Candidate
  readonly next: string
}

interface Beside {
  readonly likeness: Likeness
  readonly words: WordsOf
}

export function expectedIn(question: Question, { one, next }: Near, { likeness, words }: Beside): Expected {
  const { kind } = question
  const like = (word: string, among: readonly string[]): number => {
    const [term] = terms(word)
    return among.some((other) => terms(other)[0] === term) ? 1 : likeness.ofWord(word, among)
  }
  /** "Who voted?" is not answered by "won by Harbour Works", if the sentence does not say the verb. Verbs of one meaning are told by the encoder alone. */
  function doesOther({ start }: Span): boolean {
    const verb = kind === 'person' ? DOES.exec(question.text)?.[1]?.toLowerCase() : undefined
    const doing = verb && BY.exec(one.text.slice(0, start))?.[1]?.toLowerCase()
    if (!verb || !doing || likeness.ofWord(verb, [verb]) === 0) return false
    return nearly(terms(verb)[0] ?? verb, one.terms) === 0 && like(verb, words(one.text)) < OTHER
  }
  const spans = FORMED.has(kind) ? fresh(question, one.text).filter((span) => !doesOther(span)) : []
  const focus = words(question.text).filter((word) => terms(word).some((term) => question.counted.includes(term)))
  const counted = spans.map(({ start, end }) => {
    // "There are 24." counts what the question asks about.
    if (/^[\s"”’)]*(?:[.,;:!?]|$)/u.test(one.text.slice(end))) return USUAL
    const after = words(one.text.slice(start, end + COUNTED.characters)).slice(0, COUNTED.words)
    if (after.some((word) => isWho(question.counted, word))) return 1
    return focus.length > 0 ? Math.max(...focus.map((word) => like(word, after))) : USUAL
  })
  const lacks = (...kinds: readonly AnswerKind[]): number => Number(kinds.includes(kind) && spans.length === 0)
  return {
    noPerson: lacks('person'),
    noAmount: lacks('amount'),
    noDate: kind === 'date' && MOMENT.test(one.text) ? 0 : lacks('date', 'year'),
    noCount: lacks('count'),
    noPlace: question.focus.length === 0 && SITE.test(one.text) ? 0 : lacks('place'),
    noName: lacks('name'),
    uncounted: Number(kind === 'count' && Math.max(0, ...counted) < COUNTED.like),
    uncaused: Number(kind === 'reason' && !CAUSE.test(one.text) && !CAUSE.test(next)),
  }
}
