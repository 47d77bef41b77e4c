/** How nearly something says a word: by its letters, and by its meaning if there is an encoder. A number is either said or not. */

import { baseOf } from './said'

const BEGINNING = 5 // letters that two words of one family must share at least
const FAMILY = 0.5
/** Endings that derive another word from the same one: "treatment" from "treat". In the form that stems end in. */
const DERIVED = /^(?:ment|[eo]r|i?on|[aeiu]tion|at|ing|ist|ism|ship|al|ous|ness|[ai]bl|iv|[ae]nt|[ae]nc|ur|age|ful|dom|hood|[iy])$/u
/** The stem of "gebaut" is that of "baute" behind "ge"; so are those of other German verbs. */
const PARTICIPLE = /^ge\p{L}{3,}(?:t|en)$/u
const VERB = /^\p{L}{3,}(?:t|en)$/u
const DERIVATION = 0.8
const MISSPELT = 0.8
/** Cosines of two words' vectors: for unrelated words, and for synonyms ("cost" and "price": .49; "husband" and "engineer": .10). */
const STRANGE = 0.2
const SAME = 0.55
const WORDS = 2000 // whose vectors are kept, 1 kB each

/** Gives a text a vector of length 1: the encoder that comes with Loam. */
export interface Meaning {
  encode(text: string): Float32Array
}

/** 1 if the term is there, less if a word derived from it is, half if one of the same family is. */
export function nearly(term: string, said: ReadonlySet<string>): number {
  if (said.has(term)) return 1
  const base = baseOf(term)
  if (base !== undefined && said.has(base)) return 1
  if (VERB.test(term) && (said.has(`ge${term}`) || (PARTICIPLE.test(term) && said.has(term.slice(2))))) return 1
  if (term.length < BEGINNING || /\p{N}/u.test(term)) return 0
  const beginning = term.slice(0, BEGINNING)
  let near = 0
  for (const other of said) {
    if (!other.startsWith(beginning)) continue
    if (isDerived(term, other) || isDerived(other, term)) return DERIVATION
    near = FAMILY
  }
  return near
}

function isDerived(from: string, made: string): boolean {
  return made.startsWith(from) && DERIVED.test(made.slice(from.length))
}

/** The same for a word that the corpus never says, which may be misspelt: "Ghandi", "Bedigo". */
export function nearlyMisspelt(term: string, said: ReadonlySet<string>): number {
  const near = nearly(term, said)
  if (near > MISSPELT || term.length < BEGINNING || /\p{N}/u.test(term)) return near
  for (const other of said) if (isMisspelling(term, other)) return MISSPELT
  return near
}

/** Letters in another order, or one letter omitted, added or changed; never the first. */
function isMisspelling(a: string, b: string): boolean {
  if (a[0] !== b[0] || Math.abs(a.length - b.length) > 1) return false
  if (a.length === b.length && [...a].sort().join('') === [...b].sort().join('')) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  let start = 0
  while (start < short.length && short[start] === long[start]) start++
  return short.slice(a.length === b.length ? start + 1 : start) === long.slice(start + 1)
}

export interface Likeness {
  /** How nearly the most similar of the words means the same; 0 without an encoder. */
  ofWord(word: string, among: readonly string[]): number
  /** Cosine of two texts; 0 without an encoder. */
  ofTexts(a: string, b: string): number
}

const words = new WeakMap<Meaning, Map<string, Float32Array>>()

/** Vectors of single words, with which question after question is compared. */
function wordsBy(meaning: Meaning): Map<string, Float32Array> {
  const known = words.get(meaning) ?? new Map<string, Float32Array>()
  words.set(meaning, known)
  return known
}

/** Remembers vectors of texts; made for one question. */
export function likenessBy(meaning: Meaning | undefined): Likeness {
  if (!meaning) return { ofWord: () => 0, ofTexts: () => 0 }
  const known = new Map<string, Float32Array>()
  const ofWords = wordsBy(meaning)
  const pairs = new Map<string, Map<string, number>>()
  const vectorOf = (text: string): Float32Array => {
    const words = text.includes(' ') ? known : ofWords
    const before = words.get(text)
    if (before) return before
    const vector = meaning.encode(text)
    if (words.size >= WORDS) words.clear()
    words.set(text, vector)
    return vector
  }
  return {
    ofWord(word, among) {
      if (/\p{N}/u.test(word)) return 0
      const near = pairs.get(word) ?? new Map<string, number>()
      pairs.set(word, near)
      let best = STRANGE
      for (const other of among) {
        let cosine = near.get(other)
        if (cosine === undefined) {
          cosine = product(vectorOf(word), vectorOf(other))
          near.set(other, cosine)
        }
        best = Math.max(best, cosine)
      }
      return Math.min(1, (best - STRANGE) / (SAME - STRANGE))
    },
    ofTexts: (a, b) => product(vectorOf(a), vectorOf(b)),
  }
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}
