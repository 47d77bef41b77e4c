/** The words that answer, within a sentence that does: out of those in the form asked for, the ones nearest to what the question says. */
import type { Span } from '../graph/types'
import { readTerms as terms } from '../text/read-terms'
import type { Candidate } from './candidates'
import type { AnswerKind, Question } from './question'
import { spansOf } from './spans'

const NEAR = 5 // number of words between a term and what may answer at which the term's weight falls to half
const CARRIED = 0.8 // of what a word counts for the value of an earlier part, it counts for one of a later part ("a ticket costs 12 euros, for students 8")
const BORDER = 20 // words more for one that only a later part says
/** From the strongest to the weakest; what stands between two values is divided by one of them. */
const BORDERS = [/;/u, /,(?!\d)/u, /(?<!\p{L})(?:and|but|while|und|aber|et|mais|y|pero)(?!\p{L})/iu] as const
const NAMED: ReadonlySet<AnswerKind> = new Set(['person', 'place'])
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
  const spans = fresh(question, sentence.text)
  const words = wordsOf(sentence.text, NAMED.has(question.kind) ? [] : bordersBetween(sentence.text, spans))
  const values = spans.map((span) => valueAt(span, words))
  const inParts = Map.groupBy(values, (one) => one.part)
  const [best, second] = values
    .map((value) => placed(value, question, { words, inParts, weight }))
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
  /** The part of the sentence it is in: the number of borders before it. */
  readonly part: number
}

function wordsOf(sentence: string, borders: readonly number[]): readonly Word[] {
  return [...sentence.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(({ 0: word, index: at }) => ({
    at,
    term: terms(word)[0] ?? '',
    part: borders.filter((border) => border < at).length,
  }))
}

/** Where a sentence of several values is divided between them. */
function bordersBetween(sentence: string, values: readonly Span[]): number[] {
  return values.slice(1).flatMap(({ start }, i) => {
    const from = values[i]?.end ?? 0
    const between = sentence.slice(from, start)
    const at = BORDERS.map((border) => between.search(border)).find((found) => found >= 0)
    return at === undefined ? [] : [from + at]
  })
}

interface Value {
  readonly span: Span
  /** Its first and its last word. */
  readonly from: number
  readonly to: number
  readonly part: number
}

function valueAt(span: Span, words: readonly Word[]): Value {
  const from = words.filter((word) => word.at < span.start).length
  return { span, from, to: words.filter((word) => word.at < span.end).length - 1, part: words[from]?.part ?? 0 }
}

function distanceTo({ from, to }: Value, at: number): number {
  return at < from ? from - at : at - to
}

interface Sentence {
  readonly words: readonly Word[]
  readonly inParts: ReadonlyMap<number, readonly Value[]>
  readonly weight: ReadonlyMap<string, number>
}

function placed(value: Value, question: Question, { words, inParts, weight }: Sentence): Placed {
  const { span, from, to, part } = value
  const named = new Set([...question.names.flatMap((one) => terms(one.surface)), ...question.focus])
  const said = words.flatMap((word, at) => {
    const own = weight.get(word.term)
    if (own === undefined || (at >= from && at <= to)) return []
    // What an earlier part says, is as near to this value as to its own.
    const ofPart = word.part < part ? (inParts.get(word.part) ?? []) : []
    const nearest = ofPart.reduce((least, one) => Math.min(least, distanceTo(one, at)), distanceTo(value, at))
    const closeness = NEAR / (NEAR + nearest + (word.part > part ? BORDER : 0))
    const distance = question.kind === 'amount' ? nearest : distanceTo(value, at) // a year is often a clause's own
    return [{ term: word.term, distance, closeness: own * (word.part < part ? CARRIED : 1) * closeness }]
  })
  const closeness = words.at(-1)?.part === 0 ? said.reduce((sum, one) => sum + one.closeness, 0) : eachOnce(said)
  const predicates = said.filter(({ term }) => !named.has(term))
  const namesAlone = question.terms.filter((term) => !named.has(term)).length <= 1
  const gaps = (predicates.length === 0 && namesAlone ? said : predicates).map(({ distance }) => distance - 1)
  const counted = words.slice(from, to + 4).some((word) => word.part === part && question.focus.includes(word.term))
  return { span, score: closeness * (counted ? COUNTED : 1), gap: counted ? 0 : Math.min(...gaps, Number.POSITIVE_INFINITY) }
}

/** Of each word, how close it is where it is closest. */
function eachOnce(said: readonly { readonly term: string; readonly closeness: number }[]): number {
  const closest = new Map<string, number>()
  for (const { term, closeness } of said) closest.set(term, Math.max(closest.get(term) ?? 0, closeness))
  return [...closest.values()].reduce((sum, one) => sum + one, 0)
}
