/** One part of a claim compared with one sentence: how much of it the sentence says, and what speaks against it. Pure. */
import { misbound } from './binding'
import { comparisonSwapped } from './comparison'
import { type Matches, matchesOf } from './matches'
import { isName } from './names'
import { denials } from './polarity'
import type { Passage, Sentence } from './read'
import type { Reason } from './reason'
import { replaced } from './replaced'
import { reversal } from './roles'
import { overstated } from './scope'
import type { Word } from './word'

export interface Assessment {
  /** Share of the part's content that the sentence says, by weight. */
  readonly score: number
  readonly reasons: readonly Reason[]
}

export const weigh = {
  threshold: 0.58, // share of a claim that must be said
  predicate: 0.35, // share of what it says about its subject
  name: 1.3, // names, numbers and dates
  noun: 1,
  other: 0.6, // verbs and adverbs are most often said in other words
  passage: 0.75, // share of a word's weight that counts if only the passage says it
} as const

export function compare(claim: Sentence, places: readonly number[], sentence: Sentence, passage: Passage): Assessment {
  const matches = matchesOf(claim, places, sentence, passage)
  const { score, reasons } = coverage(claim, places, sentence, matches)
  const swapped = comparisonSwapped(claim, sentence, matches)
  return {
    score,
    reasons: [
      ...reasons,
      ...(swapped === null ? [] : denials(claim, places, sentence, matches)),
      ...replaced(claim, places, sentence, matches),
      ...(swapped ? [swapped] : swapped === null ? [] : reversal(claim, places, sentence, passage, matches)),
      ...misbound(claim, places, sentence, matches),
      ...overstated(claim, places, sentence, matches),
    ],
  }
}

function coverage(claim: Sentence, places: readonly number[], sentence: Sentence, matches: Matches): Assessment {
  const weighed = places.flatMap((at) => weighedAt(claim, at, matches))
  const sum = (list: readonly Weighed[], pick: (one: Weighed) => number): number => list.reduce((total, one) => total + pick(one), 0)
  const total = sum(weighed, ({ weight }) => weight)
  const score = total === 0 ? 0 : sum(weighed, ({ weight, said }) => weight * said) / total
  // Names alone say nothing about those they name.
  const predicate = weighed.filter((one) => one.isPredicate)
  const told = sum(predicate, ({ weight, said, isInPassage }) => (isInPassage ? 0 : weight * said))
  const isTold = told >= weigh.predicate * sum(predicate, ({ weight }) => weight)
  const missing = weighed.filter(({ said }) => said === 0)
  const words = missing.filter(({ fault }) => fault === undefined).map(({ word }) => word.text)
  return {
    score,
    reasons: [
      ...missing.flatMap(({ word, fault }) =>
        fault ? [{ fault, claim: word.text, ...(fault === 'name' ? {} : instead(sentence, word)) }] : [],
      ),
      ...(score < weigh.threshold || !isTold ? [{ fault: 'terms' as const, claim: words.join(' ') }] : []),
    ],
  }
}

interface Weighed {
  readonly word: Word
  readonly weight: number
  /** How surely it is said, from 0 to 1. */
  readonly said: number
  readonly isInPassage: boolean
  /** Does it say something about the subject? Neither the subject nor a name does. */
  readonly isPredicate: boolean
  /** Which fault it is if it is missing. */
  readonly fault: 'name' | 'number' | 'date' | undefined
}

function weighedAt(claim: Sentence, at: number, matches: Matches): Weighed[] {
  const word = claim.words[at]
  if (!word || word.kind === 'function' || word.kind === 'sign') return []
  const isNamed = isName(claim.index, at)
  const isFigure = word.kind !== 'content'
  const found = matches.get(at)
  return [
    {
      word,
      weight: isFigure || isNamed ? weigh.name : claim.nouns.has(at) ? weigh.noun : weigh.other,
      said: found === null ? weigh.passage : (found?.weight ?? 0),
      isInPassage: found === null,
      isPredicate: isFigure || !(isNamed || claim.subject.has(at)),
      fault: word.kind === 'number' || word.kind === 'date' ? word.kind : isNamed ? 'name' : undefined,
    },
  ]
}

/** The figure of the same kind in the sentence. */
function instead(sentence: Sentence, { kind, quantity }: Word): { readonly source?: string } {
  const found = sentence.words.find((word) => word.kind === kind && word.quantity?.unit?.of === quantity?.unit?.of)
  return found ? { source: found.text } : {}
}
