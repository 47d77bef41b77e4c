/** What checking a statement needs to know of a language. Data only; words in lower case with their accents. */

export interface Grammar {
  readonly language: Language
  /** Of a word in lower case. */
  stem(word: string): string
  /** Words that only build sentences, by what they do there; one that is in several lists has the first role. */
  readonly roles: { readonly [role in Role]: string }
  /** `months`, from January: all spellings of one separated by `/`. */
  readonly months: string
  /** Words for whole numbers, `three:3`; for scales, `million:1e6`; for parts, `half:0.5`; for counted times, `twice:2`. */
  readonly numbers: string
  readonly scales: string
  readonly parts: string
  readonly times: string
  /** `1.234,5` instead of `1,234.5`. */
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
  /** Particles that part from their verb ("lehnte … ab"). */
  readonly particles: readonly string[]
}

export type Language = 'en' | 'de' | 'fr' | 'es'

export type Role =
  /** Turns its clause into the opposite. */
  | 'negation'
  /** The opposite of what follows it, no further than the next word that says something: without. */
  | 'lack'
  /** All of them / not all of them: a claim may say less than its source, not more. */
  | 'universal'
  | 'partial'
  /** This and nothing else. */
  | 'exclusive'
  /** But for what follows. */
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
  /** Is between the two things compared: than. */
  | 'comparison'
  | 'article'
  /** Marks a thing done to, where the language shows it: den, einen. */
  | 'object'
  /** Forms of be, become and have, which a passive is made with. */
  | 'passive'
  | 'auxiliary'
  /** Says how close a number is: about. */
  | 'approximate'
  | 'above'
  | 'below'
  | 'filler'
