/** The words that answer, within a sentence that does: out of those in the form asked for, the ones nearest to what the question says. */
import type { Span } from '../graph/types'
import { readTerms as terms } from '../text/read-terms'
import type { Candidate } from './candidates'
import type { AnswerKind, Question } from './question'
import { spansOf } from './spans'

const NEAR = 5 // number of words between a term and what may answer at which the term's weight falls to half
const BY = 2 // times as much for a person after "by": the one who did it
const COUNTED = 1.5 // times as much for a number beside what is counted
/**
 * When a span is clear enough to be shown: its greatest distance in words from the question's own, and its lead over the next best. Chosen on xquad
 * for nine right out of ten.
 */
const CLEAR: { readonly [kind in AnswerKind]?: { readonly gap: number; readonly lead: number } } = {
  year: { gap: 12, lead: 1.05 },
  date: { gap: 12, lead: 1.05 },
  count: { gap: 1, lead: 1.1 },
  amount: { gap: 4, lead: 1.1 },
  person: { gap: 1, lead: 1.5 },
  place: { gap: 1, lead: 1.2 },
}

interface Placed {
  readonly span: Span
  readonly score: number
  /** Words between it and the nearest word of the question that is not a name; if the sentence has none, and only a name is asked about, to the name. */
  readonly gap: number
}

/** What could answer and is not already in the question. */
export function fresh(question: Question, sentence: string): Span[] {
  const asked = new Set(question.terms)
  return spansOf(question, sentence).filter(({ start, end }) => {
    const own = terms(sentence.slice(start, end))
    // In "30 square miles" the number answers, in "Ada Byron" the surname.
    const numbers = own.filter((term) => /\p{N}/u.test(term))
    const telling = question.kind === 'person' ? own.slice(-1) : numbers.length > 0 ? numbers : own
    return !telling.some((term) => asked.has(term) && !question.focus.includes(term))
  })
}

/** Undefined if it is not clear: a wrong answer in front of a right sentence is worse than none. Offsets in the sentence. */
export function spanIn(question: Question, sentence: Candidate, weight: ReadonlyMap<string, number>): Span | undefined {
  const need = CLEAR[question.kind]
  if (!need) return undefined
  const words = [...sentence.text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map((match) => ({ at: match.index, term: terms(match[0])[0] ?? '' }))
  const [best, second] = fresh(question, sentence.text)
    .map((span) => placed(span, question, words, weight))
    .map((one) => ({ ...one, score: one.score * (isAgent(question, sentence.text, one.span) ? BY : 1) }))
    .sort((a, b) => b.score - a.score || a.span.start - b.span.start)
  return best && best.gap <= need.gap && (!second || best.score >= need.lead * second.score) ? best.span : undefined
}

function isAgent({ kind }: Question, sentence: string, { start }: Span): boolean {
  return kind === 'person' && /\b(?:by|durch|von|par|por) (?:the )?$/iu.test(sentence.slice(0, start))
}

interface Word {
  readonly at: number
  readonly term: string
}

function placed(span: Span, question: Question, words: readonly Word[], weight: ReadonlyMap<string, number>): Placed {
  const from = words.filter((word) => word.at < span.start).length
  const to = words.filter((word) => word.at < span.end).length - 1
  const named = new Set([...question.names.flatMap((one) => terms(one.surface)), ...question.focus])
  const said = words.flatMap(({ term }, at) => {
    const own = weight.get(term)
    const inside = at >= from && at <= to
    return own === undefined || inside ? [] : [{ own, term, distance: at < from ? from - at : at - to }]
  })
  const closeness = said.reduce((sum, { own, distance }) => sum + (own * NEAR) / (NEAR + distance), 0)
  const predicates = said.filter(({ term }) => !named.has(term))
  const namesAlone = question.terms.filter((term) => !named.has(term)).length <= 1
  const nearest = (predicates.length === 0 && namesAlone ? said : predicates).map(({ distance }) => distance - 1)
  const counted = words.slice(from, to + 4).some(({ term }) => question.focus.includes(term))
  return { span, score: closeness * (counted ? COUNTED : 1), gap: counted ? 0 : Math.min(...nearest, Number.POSITIVE_INFINITY) }
}
