/** What checking a statement needs to know about a language. Data only; words in lower case with their accents. */

export interface Grammar {
  readonly language: Language
  /** The stem of a word in lower case. */
  stem(word: string): string
  /** Words that only build sentences, by what they do there; a word in several lists has the first role. */
  readonly roles: { readonly [role in Role]: string }
  /** `months`, from January: the spellings of one are separated by `/`. */
  readonly months: string
  /** Words for whole numbers, `three:3`; for scales, `million:1e6`; for parts, `half:0.5`; for counted times, `twice:2`. */
  readonly numbers: string
  readonly scales: string
  readonly parts: string
  readonly times: string
  /** `1.234,5` rather than `1,234.5`. */
  readonly decimalComma: boolean
  /** Negating words that do not negate here: "not only", "no more than". */
  readonly affirmed: RegExp
  /** Verbs that deny what follows them: "refused to". */
  readonly denying: RegExp
  /** Rows of `lexicon/`. */
  readonly verbs: string
  readonly words: string
  readonly irregular: string
  /** Prefixes that turn a word into its opposite. */
  readonly opposing: readonly string[]
  /** Particles that are separated from their verb ("lehnte … ab"). */
  readonly particles: readonly string[]
}

export type Language = 'en' | 'de' | 'fr' | 'es'

export type Role =
  /** Turns its clause into the opposite. */
  | 'negation'
  /** Turns what follows it into the opposite, but no further than the next word with a meaning: without. */
  | 'lack'
  /** All of them / not all of them: a claim may say less than its source, but not more. */
  | 'universal'
  | 'partial'
  /** This and nothing else. */
  | 'exclusive'
  /** All but what follows. */
  | 'exception'
  | 'pronoun'
  /** Points back: its, this, the said. */
  | 'possessive'
  /** Begins a clause about what stands before it: which, who. */
  | 'relative'
  | 'conjunction'
  /** Names the doer after a passive: by. */
  | 'agent'
  /** Joins a noun to the noun before it: of. */
  | 'genitive'
  | 'preposition'
  /** Stands between the two things compared: than. */
  | 'comparison'
  | 'article'
  /** Marks the thing to which something is done, if the language shows it: den, einen. */
  | 'object'
  /** Forms of be, become and have, with which a passive is made. */
  | 'passive'
  | 'auxiliary'
  /** Says how close a number is: about. */
  | 'approximate'
  | 'above'
  | 'below'
  | 'filler'
