/** A passage or a claim as the check reads it: each sentence with its words, clauses and phrases. Read once, compared often. Pure. */
import { sentences } from '../text/sentences'
import { type Clause, clausesOf } from './clauses'
import type { Language } from './grammar/grammar'
import { languageOf, type Rules, rulesFor } from './grammar/languages'
import { indexOf } from './match'
import { type Phrase, phrasesOf } from './phrases'
import type { Word } from './word'
import type { Index } from './word-index'
import { cleaned, wordsOf } from './words'

export interface Source {
  readonly text: string
  readonly title?: string
}

export interface Sentence {
  readonly words: readonly Word[]
  readonly clauses: readonly Clause[]
  /** Those of each clause. */
  readonly phrases: readonly (readonly Phrase[])[]
  /** Place of each clause's first verb, if one was recognised. */
  readonly predicates: readonly (number | undefined)[]
  readonly index: Index
  /** Places of words in noun phrases, and of those in the first one that is a subject. */
  readonly nouns: ReadonlySet<number>
  readonly subject: ReadonlySet<number>
  /** For each word the number of its clause. */
  readonly clauseOf: readonly number[]
}

export interface Passage {
  readonly sentences: readonly Sentence[]
  /** The title, and all sentences as one: what a pronoun may stand for. */
  readonly context: Index
  readonly title: Index | undefined
  readonly language: Language | null
  /** Its sentences as written. */
  readonly texts: readonly string[]
}

const limits = {
  text: 32_000, // characters of a passage; the longest chunk has fewer
  sentences: 400, // of a passage
} as const

export function readPassage({ text: whole, title }: Source, fallback: Language | null = null): Passage {
  const text = whole.slice(0, limits.text)
  const language = languageOf(text, fallback)
  const rules = rulesFor(language ?? 'en')
  const texts = sentences(text)
    .slice(0, limits.sentences)
    .map(({ start, end }) => cleaned(text.slice(start, end)))
  const read = texts.map((one) => readSentence(one, rules))
  const named = title === undefined ? [] : wordsOf(cleaned(title), rules)
  const all = [...named, ...read.flatMap((one) => one.words)]
  return {
    texts,
    sentences: read,
    context: indexOf(all, rules),
    title: title === undefined ? undefined : indexOf(named, rules),
    language,
  }
}

/** `text`: already cleaned. */
export function readSentence(text: string, rules: Rules): Sentence {
  const words = wordsOf(text, rules)
  const clauses = clausesOf(words, rules)
  const parsed = clauses.map((clause) => phrasesOf(clause, rules))
  const phrases = parsed.map((one) => one.phrases)
  const all = phrases.flat()
  return {
    words,
    clauses,
    phrases,
    predicates: parsed.map((one) => one.predicate),
    index: indexOf(words, rules),
    nouns: new Set(all.flatMap(({ places }) => places)),
    subject: new Set(all.find((phrase) => phrase.tie === 'core')?.places),
    clauseOf: clauses.flatMap((clause, i) => clause.words.map(() => i)),
  }
}
