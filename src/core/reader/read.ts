/**
 * The answer when no text model writes one: the sentence of the evidence that answers best, and the words in it that do, if the question asks for
 * something with a form (a date, a number, a person). A second sentence joins when it adds much of what the first lacks, or when the first leads to
 * it by name; a comparison in time is answered from a sentence about each side. Every piece is a slice of a passage. It extracts; it does not
 * reason.
 */
import type { Aligned } from './alignment'
import type { Candidate, Passage } from './candidates'
import { compare } from './compared'
import { type Desk, deskFor } from './desk'
import { fitOf } from './expected'
import { type FromRecord, fromRecord } from './from-record'
import { type Heard, heardBy } from './heard'
import type { Meaning } from './likeness'
import { listFrom } from './lists'
import { isOfOtherNumber } from './otherwise'
import { type Question, readQuestion } from './question'
import type { QuestionTerms } from './question-terms'
import type { QuestionWord } from './roles'
import { type Reading, sliceOf } from './slices'
import { spanIn } from './span'
import { isOfOtherYears } from './years'

export type { Reading, Slice } from './slices'

export const readerLimits = {
  adds: 0.3, // share of the question's weight that a second sentence must add
  addsName: 0.15, // or, for only a name, this much: one that half the corpus says tells little
  rank: 0.06, // share of its score that a sentence loses for each passage ranked above its own
  context: 0.35, // share of a term's weight that counts when only the rest of the passage says it
  neighbour: 0.6, // when the sentence before says it
  title: 0.6, // when the title does
  titleName: 0.85, // when the title says a name: the whole passage is about it
  goneOn: 0.85, // when either does and the sentence begins with a pronoun, and so is about them
  expected: 0.5, // more for a sentence that holds the kind of thing asked for; as much again if what is counted, the birth, the death or the cause stands beside it
  length: 0.004, // share of its score that a sentence loses for each of its terms: it decides for the shorter of two equals
  said: 0.4, // share of a word that must be said for it not to be missing
  tied: 0.5, // share of such a word that a second sentence must say
  heading: 0.2, // share of its score that a heading keeps, unless it holds a number that is asked for, and a sentence about another of that name
  list: 400, // characters of items shown together when their heading answers
  chained: 0.5, // more for a sentence from a passage whose title the first sentence names
} as const

const AUXILIARY = /^(?:when|where|why|how(?: \p{L}+)?|in (?:what|which) \p{L}+|what|which) (?:did|does|was|were|is|has|had|will|would) /iu
const PRONOUN = /^(?:he|she|it|they|its|his|her|their|er|sie|es|il|elle|ils|elles|él|ella|ellos|ellas)(?!\p{L})/iu

/** Passages, best first. Without `asked` a term counts by its rarity in these passages; with `meaning` synonyms count, too. */
export function read(text: string, passages: readonly Passage[], asked?: QuestionTerms, meaning?: Meaning): Reading {
  const question = readQuestion(text)
  const desk = deskFor(passages, meaning)
  const all = desk.candidates
  const compared = compare(question, all)
  if (compared) return compared
  const known = asked ?? rarity(question.terms, all)
  const record = fromRecord(question, passages, known)
  if (record) return recordReading(question, record)
  const { sentences: chosen, about } = hear(question, passages, known, desk).chosen
  const span = about && spanIn(question, about, new Map([...known].map(([term, { weight }]) => [term, weight])))
  return {
    question,
    sentences: chosen.map((one) => sliceOf(about === one ? listFrom(one, question, all, readerLimits.list) : one)),
    ...(about && span ? { span: { passage: about.passage, start: about.start + span.start, end: about.start + span.end } } : {}),
  }
}

/** The record is shown whole; if it is long, only the fields that answer. */
function recordReading(question: Question, { passage, record, field, named }: FromRecord): Reading {
  const shown =
    record.end - record.start <= readerLimits.list
      ? [record]
      : [field, ...named].map(({ whole }) => whole).sort((a, b) => a.start - b.start)
  return { question, span: { passage, ...field.at }, sentences: shown.map((one) => sliceOf({ passage, ...one })) }
}

function rarity(terms: readonly string[], all: readonly Candidate[]): QuestionTerms {
  const weightOf = (term: string): number => Math.log(1 + (all.length + 1) / (all.filter((one) => one.terms.has(term)).length + 1))
  return new Map(terms.map((term) => [term, { weight: weightOf(term), isKnown: true }]))
}

interface Heeded {
  readonly all: readonly Heard[]
  readonly chosen: Chosen
}

const heeded = new WeakMap<Desk, Heeded & { readonly question: string; readonly asked: QuestionTerms }>()

/** Every sentence as the question hears it, and those that are shown; worked out once for a question. */
export function hear(question: Question, passages: readonly Passage[], asked: QuestionTerms, desk: Desk): Heeded {
  const known = heeded.get(desk)
  if (known && known.question === question.text && known.asked === asked) return known
  const all = heardBy(question, passages, desk.candidates, { asked, meant: desk.meant })
  const made = { question: question.text, asked, all, chosen: choose(question, all, passages) }
  heeded.set(desk, made)
  return made
}

interface Chosen {
  readonly sentences: readonly Candidate[]
  /** The sentence about what the question asks: the second, if the first leads to it. */
  readonly about?: Candidate
}

/** The sentences to show. */
export function choose(question: Question, all: readonly Heard[], passages: readonly Passage[]): Chosen {
  const worth = (heard: Heard): number => worthOf(question, heard)
  const fits = (heard: Heard): boolean => worth(heard) > 1
  const first = firstOf(question, all)
  if (!first || isBareHeading(question, first)) return { sentences: [] }
  // What the title or the sentence before says is not missing: they are read with it.
  const missing = new Set(first.words.filter(({ close }) => close < readerLimits.said).map(({ asked }) => asked))
  const led = new Set(
    (asksOfNamed(question) ? [] : passages).flatMap(({ title }, i) =>
      i !== first.one.passage && title && leads(first.one, title, question) ? [i] : [],
    ),
  )
  const isLed = ({ one }: Heard): boolean => led.has(one.passage)
  const others = all.filter((heard) => heard.one.text !== first.one.text && (isAdding(heard, missing) || (isLed(heard) && fits(heard))))
  const second = best(
    others.map((heard) => ({
      heard,
      score: score(heard, missing) * worth(heard) * (isLed(heard) ? 1 + readerLimits.chained : 1),
    })),
  )
  if (!second) return { sentences: [first.one], about: first.one }
  return { sentences: [first.one, second.one], about: isLed(second) ? second.one : first.one }
}

/** The sentence that answers best. */
export function firstOf(question: Question, all: readonly Heard[]): Heard | undefined {
  return best(all.map((heard) => ({ heard, score: score(heard) * worthOf(question, heard) })))
}

/** Scores of sentences as heard by one question, needed again and again while sentences are compared. */
const worths = new WeakMap<Heard, number>()

function worthOf(question: Question, heard: Heard): number {
  const known = worths.get(heard)
  if (known !== undefined) return known
  const worth = expectedWorth(question, heard)
  worths.set(heard, worth)
  return worth
}

function expectedWorth(question: Question, { one }: Heard): number {
  if (isOfOtherNumber(question.text, [one.text, one.heads]) || isOfOtherYears(question.text, one.text, [one.heads]))
    return readerLimits.heading
  const fit = fitOf(question, one.text)
  if (one.isHeading && !(fit > 0 && question.kind !== 'definition' && /\d/u.test(one.text))) return readerLimits.heading
  return 1 + readerLimits.expected * fit
}

/** If nothing answers better than a heading, which is no statement, nothing answers. */
function isBareHeading(question: Question, heard: Heard): boolean {
  return heard.one.isHeading && worthOf(question, heard) === readerLimits.heading
}

/** Does it say much of what is missing, and something else as well? A sentence that only shares a name with the question is about another matter. */
function isAdding({ words }: Heard, missing: ReadonlySet<QuestionWord>): boolean {
  if (!words.some(({ asked, close }) => !missing.has(asked) && close >= readerLimits.tied)) return false
  const whole = words.reduce((sum, { asked }) => sum + asked.weight, 0) || 1
  const isName = ({ asked, own }: Aligned): boolean => asked.role === 'name' && own === 1 && asked.weight >= readerLimits.addsName * whole
  if (words.some((word) => missing.has(word.asked) && isName(word))) return true
  return words.reduce((sum, { asked, own }) => sum + (missing.has(asked) ? own * asked.weight : 0), 0) >= readerLimits.adds * whole
}

/** "When did Ada Quill open her workshop?" asks about somebody who is named, and not about whom a sentence leads to. */
function asksOfNamed({ text, names }: Question): boolean {
  const start = AUXILIARY.exec(text)?.[0].length
  return names.some((name) => name.start === start && !/^['’]/u.test(text.slice(name.end)) && !/['’]s?$/u.test(name.surface))
}

/** Does the sentence name what the passage is about, and the question not? */
function leads(sentence: Candidate, title: string, question: Question): boolean {
  const bare = title.replace(/\s*\([^)]*\)$/u, '')
  return bare.length > 2 && sentence.text.includes(bare) && !question.text.includes(bare)
}

function best(scored: readonly { readonly heard: Heard; readonly score: number }[]): Heard | undefined {
  let top: { readonly heard: Heard; readonly score: number } | undefined
  for (const one of scored) if (!top || one.score > top.score) top = one
  return top?.heard
}

/** `only`: count only these words. */
function score({ one, words }: Heard, only?: ReadonlySet<QuestionWord>): number {
  let sum = 0
  const goesOn = PRONOUN.test(one.text)
  const ofTitle = goesOn ? readerLimits.goneOn : readerLimits.title
  const ofNeighbour = goesOn ? readerLimits.goneOn : readerLimits.neighbour
  for (const { asked, own, title, before, passage } of words) {
    if (only && !only.has(asked)) continue
    const inTitle = asked.role === 'name' ? Math.max(ofTitle, readerLimits.titleName) : ofTitle
    sum += asked.weight * Math.max(own, inTitle * title, ofNeighbour * before, readerLimits.context * passage)
  }
  return sum / ((1 + readerLimits.rank * one.passage) * (1 + readerLimits.length * one.terms.size))
}
