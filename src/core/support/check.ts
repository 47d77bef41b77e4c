/**
 * Does the cited text support a claim? Decided by words and what they mean, names, numbers with units, dates, negation, opposites, who did it to
 * whom, and all or some; without a model, in English, German, French and Spanish (docs/support.md says how well). Other languages are checked more
 * coarsely. Pure; linear in the texts.
 */
import { coarse } from './coarse'
import { type Assessment, compare } from './compare'
import { languageOf, rulesFor } from './grammar/languages'
import { type Passage, readPassage, readSentence, type Sentence, type Source } from './read'
import type { Fault, Reason } from './reason'
import { cleaned } from './words'

export const outcomes = ['supported', 'unsupported', 'contradicted'] as const
export type Outcome = (typeof outcomes)[number]

export interface Verdict {
  readonly outcome: Outcome
  /** Share of the claim's content that the cited text says, by weight. */
  readonly score: number
  readonly reasons: readonly Reason[]
}

const limits = {
  claim: 4000, // characters; anything longer is not a statement
  candidates: 10, // sentences with which a claim is compared closely
  margin: 0.08, // how much more of a claim a contradicting sentence must say than a supporting one
  denied: 0.75, // share of a claim said, but said to be otherwise, from which its parts are not looked for elsewhere
  close: 0.5, // share of a claim that must be said for a fault in it to be a contradiction
} as const
const DENIES: ReadonlySet<Fault> = new Set(['misplaced', 'negation', 'opposite', 'reversed', 'quantifier'])
const CONTRADICTS: ReadonlySet<Fault> = new Set([...DENIES, 'number', 'date', 'replaced', 'name'])

export function checkClaim(claim: string, cited: readonly Source[]): Verdict {
  const fallback = languageOf(claim, null)
  return checkAgainst(
    claim,
    cited.map((source) => readPassage(source, fallback)),
  )
}

/** `passages`: read once for many claims. */
export function checkAgainst(given: string, cited: readonly Passage[]): Verdict {
  if (given.length > limits.claim) return refused('length')
  const claim = cleaned(given)
  if (cited.some(({ texts }) => isQuoted(claim, texts))) return supported(1)
  const language = languageOf(claim, cited.find((one) => one.language)?.language ?? null)
  const passages = cited.filter((one) => one.language === language)
  if (passages.length === 0) return refused(cited.length === 0 ? 'uncited' : 'language')
  return language === null ? coarsely(claim, passages) : closely(readSentence(claim, rulesFor(language)), passages)
}

/** Does it stand there from the beginning of a sentence to the end of one? */
function isQuoted(claim: string, texts: readonly string[]): boolean {
  const all = ` ${texts.join(' ')} `
  const at = all.indexOf(` ${claim} `)
  if (at < 0) return false
  let place = 0
  let [begins, ends] = [false, false]
  for (const text of texts) {
    begins ||= place === at
    place += text.length + 1
    ends ||= place === at + claim.length + 1
  }
  return begins && ends
}

function coarsely(claim: string, passages: readonly Passage[]): Verdict {
  const { score, reasons } = coarse(
    claim,
    passages.flatMap(({ texts }) => texts),
  )
  return reasons.length === 0 ? supported(score) : { outcome: outcomeOf(score, reasons), score, reasons }
}

function closely(read: Sentence, passages: readonly Passage[]): Verdict {
  const all = read.words.map((_, at) => at)
  const whole = best(read, all, singles(passages))
  if (!whole) return refused('terms')
  if (stands(whole)) return supported(whole.score)
  if (!isDenied(whole)) {
    const parts = partsOf(read)
    const found = parts.map((places) => best(read, places, singles(passages)))
    if (parts.length > 1 && found.every((part) => part && stands(part)))
      return supported(Math.min(...found.map((part) => part?.score ?? 0)))
  }
  const { score, reasons } = whole
  return { outcome: outcomeOf(score, reasons), score, reasons }
}

function outcomeOf(score: number, reasons: readonly Reason[]): Outcome {
  return score >= limits.close && reasons.some(({ fault }) => CONTRADICTS.has(fault)) ? 'contradicted' : 'unsupported'
}

function supported(score: number): Verdict {
  return { outcome: 'supported', score, reasons: [] }
}

function refused(fault: Fault): Verdict {
  return { outcome: 'unsupported', score: 0, reasons: [{ fault, claim: '' }] }
}

function stands({ reasons }: Assessment): boolean {
  return reasons.length === 0
}

function isDenied({ score, reasons }: Assessment): boolean {
  return score >= limits.denied && reasons.some(({ fault }) => DENIES.has(fault))
}

interface Candidate {
  readonly sentence: Sentence
  readonly passage: Passage
}

function singles(passages: readonly Passage[]): Candidate[] {
  return passages.flatMap((passage) => passage.sentences.map((sentence) => ({ passage, sentence })))
}

function best(claim: Sentence, places: readonly number[], among: readonly Candidate[]): Assessment | undefined {
  let found: Assessment | undefined
  for (const { sentence, passage } of closest(claim, places, among)) {
    const one = compare(claim, places, sentence, passage)
    if (found === undefined || standing(one) > standing(found)) found = one
  }
  return found
}

/** A sentence that says more of the claim and contradicts it outweighs one that says less of it. */
function standing(one: Assessment): number {
  return stands(one) ? one.score + limits.margin : one.score
}

/** The sentences with most words of the claim. */
function closest(claim: Sentence, places: readonly number[], among: readonly Candidate[]): Candidate[] {
  const said = places.flatMap((at) => claim.words[at] ?? []).filter((word) => word.kind !== 'function' && word.kind !== 'sign')
  const keys = new Set(said.map((word) => word.key))
  const shared = ({ words }: Sentence): number => words.reduce((sum, word) => sum + (keys.has(word.key) ? 1 : 0), 0)
  const counted = among.map((candidate) => ({ candidate, shared: shared(candidate.sentence) }))
  return counted
    .sort((a, b) => b.shared - a.shared)
    .slice(0, limits.candidates)
    .map(({ candidate }) => candidate)
}

/** The clauses of a claim, each with what it is about: a clause without a subject shares the first one's. */
function partsOf(claim: Sentence): number[][] {
  const subject = claim.phrases[0]?.find((phrase) => phrase.tie === 'core')?.places ?? []
  return claim.clauses.map(({ words, at, isRelative }, i) => {
    const own = words.map((_, j) => at + j)
    const phrases = claim.phrases[i] ?? []
    const first = phrases[0]
    const begins = !isRelative && first !== undefined && first.tie === 'core' && first.at <= at + 3
    const hasSubject = i === 0 || begins || phrases.some((phrase) => phrase.isMarked || phrase.isPronoun)
    return hasSubject ? own : [...subject.filter((place) => !own.includes(place)), ...own]
  })
}
