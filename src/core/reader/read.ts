/**
 * The answer when no text model writes one: the sentence of the evidence that answers best, and in it the words that do, where the question
 * asks for something that has a form (a date, a number, a person). A second sentence joins when it adds much of what the first lacks, or when the
 * first leads to it by name; a comparison in time is answered from a sentence about each side. Every piece is a slice of a passage. It
 * extracts; it does not reason.
 */
import type { Span } from '../graph/types'
import { nameKey } from '../text/names'
import { type Candidate, candidatesOf, type Passage } from './candidates'
import { comparisonOf, yearOf } from './comparison'
import { type AnswerKind, type Question, readQuestion } from './question'
import { fresh, spanIn } from './span'

export const reading = {
  adds: 0.3, // of the question's weight a second sentence must add
  rank: 0.06, // of its score a sentence loses for each passage ranked above its own
  context: 0.35, // of a term's weight counts when only the rest of the passage says it
  neighbour: 0.6, // when the sentence before says it
  title: 0.6, // when the title does
  expected: 0.3, // more for a sentence that holds the kind of thing asked for
  length: 0.004, // of its score a sentence loses for each of its terms: the shorter of two equals
  chained: 0.5, // more for a sentence of a passage whose title the first sentence names
} as const
const FORMED: ReadonlySet<AnswerKind> = new Set(['person', 'place', 'year', 'date', 'count', 'amount', 'name'])

/** A slice of a passage's text, by the passage's place in the list. */
export interface Slice extends Span {
  readonly passage: number
}

export interface Reading {
  readonly question: Question
  /** What answers, where that is clear: inside one of the sentences. */
  readonly span?: Slice
  /** In the order in which they are to be read. Empty only where the passages hold no text. */
  readonly sentences: readonly Slice[]
}

/** Of the question's terms, by how rare they are in the corpus. */
export type Weights = ReadonlyMap<string, number>

/** Passages best first. Without `weights` a term counts by its rarity in these passages. */
export function read(text: string, passages: readonly Passage[], weights?: Weights): Reading {
  const question = readQuestion(text)
  const all = passages.flatMap(candidatesOf)
  const compared = compare(question, all)
  if (compared) return compared
  const weight = weights ?? rarity(question.terms, all)
  const { sentences: chosen, about } = choose(question, all, weight, passages)
  const span = about && spanIn(question, about, weight)
  return {
    question,
    sentences: chosen.map(sliceOf),
    ...(about && span ? { span: { passage: about.passage, start: about.start + span.start, end: about.start + span.end } } : {}),
  }
}

function sliceOf({ passage, start, end }: Slice): Slice {
  return { passage, start, end }
}

/** The sentence that dates each side, the winner first. */
function compare(question: Question, all: readonly Candidate[]): Reading | undefined {
  const comparison = comparisonOf(question.text)
  if (!comparison) return undefined
  const sides = comparison.sides.map((side) => {
    const key = nameKey(side)
    const about = all.filter((one) => nameKey(one.title) === key || one.text.toLowerCase().startsWith(side.toLowerCase()))
    const dated = about.map((one) => ({ one, year: yearOf(comparison.event, one.text) })).find(({ year }) => year !== undefined)
    return dated && { ...dated, side }
  })
  const [a, b] = sides
  if (!a || !b || a.year === undefined || b.year === undefined || a.year === b.year) return undefined
  const first = a.year < b.year === (comparison.wins === 'earliest')
  const [winner, other] = first ? [a, b] : [b, a]
  const at = winner.one.text.toLowerCase().indexOf(winner.side.toLowerCase())
  const start = winner.one.start + at
  return {
    question,
    sentences: [sliceOf(winner.one), sliceOf(other.one)],
    ...(at >= 0 ? { span: { passage: winner.one.passage, start, end: start + winner.side.length } } : {}),
  }
}

function rarity(asked: readonly string[], all: readonly Candidate[]): Weights {
  return new Map(asked.map((term) => [term, Math.log(1 + (all.length + 1) / (all.filter((one) => one.terms.has(term)).length + 1))]))
}

interface Chosen {
  readonly sentences: readonly Candidate[]
  /** The one that is about what the question asks: the second where the first leads to it. */
  readonly about?: Candidate
}

function choose(question: Question, all: readonly Candidate[], weight: Weights, passages: readonly Passage[]): Chosen {
  const fits = (one: Candidate): boolean => FORMED.has(question.kind) && fresh(question, one.text).length > 0
  const first = best(all.map((one) => ({ one, score: score(one, weight) * (fits(one) ? 1 + reading.expected : 1) })))
  if (!first) return { sentences: [] }
  // What the title or the sentence before says is no gap: they are read with it.
  const missing = new Map([...weight].filter(([term]) => !first.terms.has(term) && !first.about.has(term) && !first.before.has(term)))
  const led = new Set(passages.flatMap(({ title }, i) => (i !== first.passage && title && leads(first, title, question) ? [i] : [])))
  const others = all.filter((one) => one.text !== first.text && (added(one, missing, weight) || (led.has(one.passage) && fits(one))))
  const second = best(
    others.map((one) => ({
      one,
      score: score(one, missing) * (fits(one) ? 1 + reading.expected : 1) * (led.has(one.passage) ? 1 + reading.chained : 1),
    })),
  )
  if (!second) return { sentences: [first], about: first }
  return { sentences: [first, second], about: led.has(second.passage) ? second : first }
}

function added(one: Candidate, missing: Weights, weight: Weights): boolean {
  return said(one.terms, missing) >= reading.adds * total(weight)
}

/** Does the sentence name what the passage is about, which the question does not? */
function leads(sentence: Candidate, title: string, question: Question): boolean {
  const bare = title.replace(/\s*\([^)]*\)$/u, '')
  return bare.length > 2 && sentence.text.includes(bare) && !question.text.includes(bare)
}

function best(scored: readonly { readonly one: Candidate; readonly score: number }[]): Candidate | undefined {
  let top: { readonly one: Candidate; readonly score: number } | undefined
  for (const candidate of scored) if (!top || candidate.score > top.score) top = candidate
  return top?.one
}

function score(one: Candidate, wanted: Weights): number {
  let sum = 0
  for (const [term, weight] of wanted) {
    if (one.terms.has(term)) sum += weight
    else if (one.about.has(term)) sum += weight * reading.title
    else if (one.before.has(term)) sum += weight * reading.neighbour
    else if (one.around.has(term)) sum += weight * reading.context
  }
  return sum / ((1 + reading.rank * one.passage) * (1 + reading.length * one.terms.size))
}

function said(words: ReadonlySet<string>, weight: Weights): number {
  let sum = 0
  for (const [term, own] of weight) if (words.has(term)) sum += own
  return sum
}

function total(weight: Weights): number {
  let sum = 0
  for (const own of weight.values()) sum += own
  return sum || 1
}
