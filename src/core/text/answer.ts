/**
 * The answer when no text model can write one: the one to three sentences of the evidence that together say most of what the question asks for, rare words
 * counting more. Every piece of the answer is a slice of a passage, and the spans say of which. It extracts; it does not reason.
 */
import type { Span } from '../graph/types'
import { sentences } from './sentences'
import { distinct, terms } from './terms'

const choice = {
  sentences: 3,
  adds: 0.15, // of the question's weight a further sentence must add
  rank: 0.05, // of its score a sentence loses for each passage ranked above its own
  context: 0.3, // of a term's weight counts when only the rest of the passage says it
  expected: 0.15, // more for a sentence that holds the kind of thing asked for
  length: 0.004, // of its score a sentence loses for each of its terms: the shorter of two equals
} as const
const NUMERIC = /\b(?:when|what year|which year|how (?:many|much|long|old|far|often|tall|high|big|large))\b/i
const NAMED = /\b(?:who|whom|whose|where)\b/i
const NUMBER = /\p{N}/u
const NAME = /\s\p{Lu}/u

export interface AnswerSpan {
  readonly passage: string
  /** In the passage's text. */
  readonly start: number
  readonly end: number
  /** In the answer. */
  readonly answerStart: number
  readonly answerEnd: number
}

interface Sentence extends Span {
  readonly rank: number
  readonly text: string
  readonly terms: ReadonlySet<string>
  readonly around: ReadonlySet<string>
}

/** Passages best first. Empty only where they hold no text. */
export function extractAnswer(
  question: string,
  passages: readonly { readonly id: string; readonly text: string }[],
): { readonly text: string; readonly spans: readonly AnswerSpan[] } {
  const all = passages.flatMap(({ text }, rank) => inside(text, rank))
  const weight = weights(distinct(terms(question)), all)
  const chosen = choose(question, all, weight).sort((a, b) => a.rank - b.rank || a.start - b.start)
  const spans: AnswerSpan[] = []
  let at = 0
  for (const { rank, start, end } of chosen) {
    spans.push({ passage: passages[rank]?.id ?? '', start, end, answerStart: at, answerEnd: at + end - start })
    at += end - start + 1
  }
  return { text: chosen.map((one) => one.text).join(' '), spans }
}

function inside(text: string, rank: number): Sentence[] {
  const around = new Set(terms(text))
  return sentences(text).map(({ start, end }) => {
    const slice = text.slice(start, end)
    return { start, end, rank, text: slice, terms: new Set(terms(slice)), around }
  })
}

/** The question's terms with their inverse sentence frequency; those nobody says weigh nothing. */
function weights(asked: readonly string[], all: readonly Sentence[]): ReadonlyMap<string, number> {
  const out = new Map<string, number>()
  for (const term of asked) {
    const count = all.filter((sentence) => sentence.terms.has(term)).length
    if (count > 0) out.set(term, Math.log(1 + all.length / count))
  }
  return out
}

function choose(question: string, all: readonly Sentence[], weight: ReadonlyMap<string, number>): Sentence[] {
  const total = [...weight.values()].reduce((sum, one) => sum + one, 0)
  const missing = new Map(weight)
  const chosen: Sentence[] = []
  let left = all
  while (chosen.length < choice.sentences) {
    const best = left
      .map((sentence) => ({ sentence, score: score(question, sentence, missing), adds: said(sentence.terms, missing) }))
      .filter((one) => chosen.length === 0 || one.adds >= choice.adds * total)
      .sort((a, b) => b.score - a.score || a.sentence.rank - b.sentence.rank || a.sentence.start - b.sentence.start)[0]
    if (!best || (chosen.length > 0 && best.adds === 0)) break
    chosen.push(best.sentence)
    for (const term of best.sentence.terms) missing.delete(term)
    left = left.filter((one) => one.text !== best.sentence.text)
  }
  return chosen
}

function score(question: string, sentence: Sentence, missing: ReadonlyMap<string, number>): number {
  const own = said(sentence.terms, missing)
  const near = choice.context * (said(sentence.around, missing) - own)
  const fits = expects(question, sentence.text) ? 1 + choice.expected : 1
  return ((own + near) * fits) / ((1 + choice.rank * sentence.rank) * (1 + choice.length * sentence.terms.size))
}

function said(words: ReadonlySet<string>, missing: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const [term, weight] of missing) if (words.has(term)) sum += weight
  return sum
}

function expects(question: string, text: string): boolean {
  return (NUMERIC.test(question) && NUMBER.test(text)) || (NAMED.test(question) && NAME.test(text))
}
