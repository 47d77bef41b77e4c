/**
 * What can be seen of whether passages answer a question: how much of it is said by the sentence that would be shown, with its surroundings;
 * whether that holds the kind of thing asked for; whether the names are said, whole and together; how far the best passage stands out; what the
 * corpus never says. Knows no corpus.
 */

import { readTerms as terms } from '../text/read-terms'
import type { Aligned } from './alignment'
import type { Candidate, Passage } from './candidates'
import { compare } from './compared'
import { comparisonOf } from './comparison'
import { lacksDefinition } from './definition'
import { type Desk, deskFor } from './desk'
import { isEcho } from './echo'
import { type Expected, expectedIn } from './expected'
import { isFormless } from './formless'
import type { Heard } from './heard'
import { type Meaning, nearly, nearlyMisspelt } from './likeness'
import { leadsIn } from './lists'
import { type Named, namedIn } from './named'
import { isOtherwise } from './otherwise'
import { type Question, readQuestion } from './question'
import type { QuestionTerms } from './question-terms'
import { firstOf, hear } from './read'
import { wordsIn } from './roles'
import { termsSaid } from './said'

/** Each from −1 to 1. */
export interface Signs extends Expected, Named {
  /** Share of the question's weight that the sentence says, in context. */
  readonly covered: number
  /** The same if the sentence lacks the kind of thing asked for: then it only repeats what is asked. */
  readonly restated: number
  /** How nearly it says the noun asked for ("which company"). */
  readonly focus: number
  /** Share covered by the best passage, and by the fifth. */
  readonly passage: number
  readonly fifth: number
  /** Share of the question that the corpus never says. */
  readonly unknown: number
  /** How many words ask something of the names, as a share of five. */
  readonly relationLength: number
  /** A comparison asks about two sides, and they are not both dated. */
  readonly uncompared: number
  /** Number of the sentence's terms, as a share of forty. */
  readonly length: number
  /** How many passages rank above the sentence's own, in tenths. */
  readonly rank: number
  /** 1 for a corpus of three passages or fewer; 0 from two dozen (`middling`: four hundred) on: the fewer there are, the less agrees by chance. */
  readonly small: number
  readonly middling: number
  /** Cosines of vectors with the question: of the best passage and the fifth, of the sentence, of the first passage's title. */
  readonly meantPassage: number
  readonly meantFifth: number
  readonly meantHere: number
  readonly meantTitle: number
  /** Cosine of what is asked about the names with the sentence; names are left out of both. */
  readonly meantRelation: number
  /** 1 if the sentence's passage is the one nearest to the question: meaning and words agree. */
  readonly meantNearest: number
  /** Mean cosine of the sentences of its passage: is that about the question, or only this sentence? */
  readonly meantAround: number
}

const LOOKED_AT = 6 // passages
const LONG = 40 // terms
const SIZES = { few: 3, small: 24, middling: 400 } as const // passages
const USUAL_FOCUS = 0.7 // for a question that has none

/**
 * Undefined if there is nothing to read, if it only repeats the question's words or lacks the form of what is asked for, or if the question says
 * nothing that could be found. `count`: the corpus's passages.
 */
export function signsOf(
  text: string,
  passages: readonly Passage[],
  asked: QuestionTerms,
  meaning: Meaning | undefined,
  count: number,
): Signs | undefined {
  const question = readQuestion(text)
  const desk = deskFor(passages, meaning)
  const { likeness, words } = desk
  const shown = shownOf(question, passages, asked, desk)
  if (!shown || (shown.isAlone && isEcho(question, shown.one.text)) || isFormless(question, shown.texts)) return undefined
  if (isOtherwise(text, shown.texts, shown.heads) || lacksDefinition(question, shown.texts)) return undefined
  const few = passages.slice(0, LOOKED_AT)
  const [first] = passages
  const whole = ({ title, text: body }: Passage): string => (title ? `${title}\n${body}` : body)
  const shares = few.map((one) => said(asked, termsSaid(whole(one)))).sort((a, b) => b - a)
  const near = few.map((one) => likeness.ofTexts(text, whole(one))).sort((a, b) => b - a)
  const own = passages[shown.one.passage]
  const around = desk.candidates.filter(({ passage }) => passage === shown.one.passage)
  const focus = shown.words.filter((each) => each.asked.role === 'focus').map((each) => each.around)
  const relation = shown.words.filter(({ asked: { role } }) => role === 'relation' || role === 'measure')
  const expected = expectedOf(question, shown, { likeness, words })
  const covered = coverage(shown.words)
  return {
    ...expected,
    ...namedIn(question, passages, shown),
    covered,
    restated: covered * Math.max(...Object.values(expected)),
    focus: focus.length > 0 ? Math.max(...focus) : USUAL_FOCUS,
    passage: shares[0] ?? 0,
    fifth: shares[4] ?? 0,
    unknown: unknownShare(asked),
    relationLength: Math.min(5, relation.length) / 5,
    uncompared: Number(shown.isUncompared),
    length: Math.min(1, shown.one.terms.size / LONG),
    rank: Math.min(1, shown.one.passage / 10),
    small: smallness(count, SIZES.small),
    middling: smallness(count, SIZES.middling),
    meantPassage: near[0] ?? 0,
    meantFifth: near[4] ?? 0,
    meantHere: likeness.ofTexts(text, shown.one.text),
    meantTitle: first?.title ? likeness.ofTexts(text, first.title) : 0,
    meantRelation: likeness.ofTexts(relationIn(question, shown), withoutNames(shown)),
    meantNearest: Number(own !== undefined && likeness.ofTexts(text, whole(own)) >= (near[0] ?? 0)),
    meantAround: around.reduce((sum, one) => sum + likeness.ofTexts(text, one.text), 0) / around.length,
  }
}

/** For the sentence and the one that it leads to: what either holds is not lacking. */
function expectedOf(question: Question, { one, next, led }: Shown, beside: Pick<Desk, 'likeness' | 'words'>): Expected {
  const own = expectedIn(question, { one, next }, beside)
  if (!led) return own
  const further: Expected = expectedIn(question, { one: led, next: '' }, beside)
  const min = (sign: string, value: number): number => Math.min(value, further[sign as keyof Expected])
  return Object.fromEntries(Object.entries(own).map(([sign, value]) => [sign, min(sign, value)])) as unknown as Expected
}

/** What is asked, without the names; the whole text of a question that has only names. */
function relationIn({ text }: Question, { words }: Shown): string {
  const others = words.flatMap(({ asked }) => (asked.role === 'name' ? [] : [asked.word]))
  return others.length > 0 ? others.join(' ') : text
}

/** The sentence's words except names, its own and the question's. */
function withoutNames({ one, words }: Shown): string {
  const named = new Set(words.flatMap(({ asked }) => (asked.role === 'name' ? asked.terms : [])))
  return wordsIn(one.text)
    .filter((word) => !/^\p{Lu}/u.test(word) && !terms(word).some((term) => named.has(term)))
    .join(' ')
}

/** The sentence that would be shown first. */
interface Shown {
  readonly one: Candidate
  /** The sentence after it in its passage. */
  readonly next: string
  /** The sentence of another passage to which it leads by name. */
  readonly led: Candidate | undefined
  readonly words: readonly Aligned[]
  /** All sentences that would be shown, and the one after the first. */
  readonly texts: readonly string[]
  /** What the sentences stand under. */
  readonly heads: readonly string[]
  /** Neither a second sentence nor a list would be shown with it. */
  readonly isAlone: boolean
  /** All sentences. */
  readonly all: readonly Heard[]
  readonly isUncompared: boolean
}

function shownOf(question: Question, passages: readonly Passage[], asked: QuestionTerms, desk: Desk): Shown | undefined {
  const { candidates } = desk
  const { all, chosen } = hear(question, passages, asked, desk)
  const first = firstOf(question, all)
  if (!first || first.words.length === 0) return undefined
  const { about, sentences } = chosen
  const after = candidates[candidates.indexOf(first.one) + 1]
  return {
    one: first.one,
    next: after?.passage === first.one.passage ? after.text : '',
    led: about === first.one ? undefined : about,
    words: first.words,
    texts: [...sentences.map(({ text }) => text), ...(after?.passage === first.one.passage ? [after.text] : [])],
    heads: sentences.map(({ heads }) => heads),
    isAlone: sentences.length === 1 && !leadsIn(first.one, candidates),
    all,
    isUncompared: comparisonOf(question.text) !== undefined && compare(question, candidates) === undefined,
  }
}

/** By weight. */
function coverage(words: readonly Aligned[]): number {
  const whole = words.reduce((sum, { asked }) => sum + asked.weight, 0)
  return whole > 0 ? words.reduce((sum, { asked, inContext }) => sum + asked.weight * inContext, 0) / whole : 0
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

function smallness(passages: number, many: number): number {
  return Math.min(1, Math.max(0, Math.log(many / Math.max(1, passages)) / Math.log(many / SIZES.few)))
}

function unknownShare(asked: QuestionTerms): number {
  const weights = [...asked.values()]
  const whole = weights.reduce((sum, { weight }) => sum + weight, 0)
  return whole > 0 ? weights.reduce((sum, { weight, isKnown }) => sum + (isKnown ? 0 : weight), 0) / whole : 1
}
