/** How nearly a sentence says each word of a question: by itself, with its title and the sentence before it, and with its passage. */
import type { Candidate } from './candidates'
import { likenessBy, type Meaning, nearly, nearlyMisspelt } from './likeness'
import { isPointedNumber, saysNumber } from './numbers'
import { type QuestionWord, wordsOf } from './roles'
import { spansYear } from './years'

/** Each from 0 to 1. */
export interface Aligned {
  readonly asked: QuestionWord
  /** By the sentence. */
  readonly own: number
  /** By its title, by the sentence before it and by its passage, each alone. */
  readonly title: number
  readonly before: number
  readonly passage: number
  /** By the sentence together with its title and the sentence before. */
  readonly close: number
  /** By these and its passage, which counts less. */
  readonly inContext: number
  /** By any of them, all counting alike. */
  readonly around: number
}

const CONTEXT = { title: 0.8, before: 0.7, passage: 0.4 } as const
const YEAR = /^(?:1\d{3}|20\d{2})$/u
const SPANNED = 0.5 // a year, by a span of years that includes it
const DATED = 0.9 // of what the word itself would count
const MEANT = { sentence: 0.9, passage: 0.7 } as const // a synonym counts less than the word
/** The dates of a life, "(1902–1987)", say that somebody was born and died. */
const LIFE: readonly (readonly [asked: RegExp, dates: RegExp])[] = [
  [/^(?:born|birth)$/u, /\((?:born |\*)?[^()]*\b(?:1\d{3}|20\d{2})\b[^()]*\)/u],
  [/^(?:die[ds]?|death)$/u, /\([^()]*\b1?\d{3}\b[^()]*[–—-][^()]*\b(?:1\d{3}|20\d{2})\b[^()]*\)/u],
]
/** Which words a unit answers: "31 metres" may be high, long or far; "25 knots" can only be fast. */
const UNITS: readonly (readonly [asked: RegExp, unit: RegExp, worth: number])[] = [
  [
    /^(?:long|far|tall|high|wide|deep|thick|large|big)$/u,
    /\b(?:met(?:re|er)s?|km|kilomet\w+|miles?|feet|foot|inch\w*|cm|mm|hectares?|acres?|square|\w*bytes?|years?|months?|weeks?|days?|hours?|minutes?|seconds?)\b/iu,
    0.5,
  ],
  [/^old$/u, /\b(?:years?|born|aged?|1[0-9]{3}|20[0-9]{2})\b/iu, 0.8],
  [/^fast$/u, /\bknots\b|\bmph\b|km\/h|per (?:hour|second|minute)|times as/iu, 0.8],
  [/^heavy$/u, /kilo|\bkg\b|\btons?\b|tonnes?|pounds?|grams?/iu, 0.8],
  [/^(?:hot|cold)$/u, /°|degree/iu, 0.8],
  [
    /^often$/u,
    /\b(?:times|every|once|twice|daily|weekly|monthly|yearly|\w+days)\b|\b(?:an?|per|each) (?:hour|day|week|month|year)\b/iu,
    0.8,
  ],
]

/** Words of texts, split once for a question; and the nearest meaning among them, searched for once. */
export type WordsOf = (text: string) => readonly string[]

export function remembered<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const made = make(text)
    known.set(text, made)
    return made
  }
}

export interface Sources {
  /** How nearly a text means a word. */
  readonly meant: (word: string, text: string) => number
  /** The texts of the sentence before a candidate and of its passage. */
  readonly before: string
  readonly passage: string
}

export function aligned(asked: QuestionWord, one: Candidate, { meant: likest, before, passage }: Sources): Aligned {
  // "TRN-310" is not said by "TRN-101".
  const byLetters = asked.isKnown ? nearly : nearlyMisspelt
  const isPointed = isPointedNumber(asked.word)
  const letters = (said: ReadonlySet<string>, text: string): number =>
    isPointed
      ? Number(saysNumber(text, asked.word))
      : asked.terms.reduce((sum, term) => sum + byLetters(term, said), 0) / asked.terms.length
  const meant = (text: string): number => (asked.role === 'name' ? 0 : likest(asked.word, text))
  const max = (said: ReadonlySet<string>, text: string, worth: number): number => {
    const here = letters(said, text)
    return here === 1 ? 1 : Math.max(here, worth * meant(text))
  }
  const own = Math.max(max(one.terms, one.text, MEANT.sentence), measured(asked, one.text))
  if (own === 1) return { asked, own, title: 1, before: 1, passage: 1, close: 1, inContext: 1, around: 1 }
  const title = max(one.about, one.heads, MEANT.sentence)
  const previous = max(one.before, before, MEANT.sentence)
  const whole = max(one.around, passage, MEANT.passage)
  const close = Math.max(own, CONTEXT.title * title, CONTEXT.before * previous)
  const inContext = Math.max(close, CONTEXT.passage * whole)
  return { asked, own, title, before: previous, passage: whole, close, inContext, around: Math.max(close, whole) }
}

/** Remembers what has been compared; made for one question. */
export function meantBy(
  meaning: Meaning | undefined,
  likeness = likenessBy(meaning),
  words: WordsOf = remembered(wordsOf),
): Sources['meant'] {
  const by = remembered((word) => remembered((text) => likeness.ofWord(word, words(text))))
  return (word, text) => by(word)(text)
}

function measured({ word, role }: QuestionWord, sentence: string): number {
  if (YEAR.test(word)) return spansYear(sentence, word) ? SPANNED : 0
  const life = LIFE.find(([asked]) => asked.test(word))
  if (life) return life[1].test(sentence) ? DATED : 0
  if (role !== 'measure') return 0
  const [, unit, worth] = UNITS.find(([asked]) => asked.test(word)) ?? []
  return unit?.test(sentence) ? (worth ?? 0) : 0
}
