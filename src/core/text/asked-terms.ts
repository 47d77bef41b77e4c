/**
 * A question's terms in a corpus whose texts are in several languages. Every text has the common terms of its words; if it is stemmed in another
 * way, its stems are searched for as well: by the question's own language if that is known, otherwise by each of the corpus's languages.
 */
import { lowered } from './fold'
import { type Stemmed, stemmedLike } from './languages'
import { isUnspaced, stemmedByScript, termsBy } from './read-terms'
import { stemmingOf } from './stemming'
import { STOP_WORDS } from './stop-words'
import { distinct, terms, words } from './terms'

/** How the words of a corpus's texts are stemmed; undefined: as `terms` does without a language. */
export type Stemmings = readonly (Stemmed | undefined)[]

export interface AskedTerms {
  /** Each term once, in the question's order. */
  readonly terms: readonly string[]
  /** For each term by which answers are read (read-terms.ts), the terms it stands for in the corpus; absent: itself. */
  readonly forms?: ReadonlyMap<string, readonly string[]>
}

/** `own`: the language of the question, if known. */
export function askedTerms(text: string, stemmings: Stemmings, own?: string): AskedTerms {
  const script = stemmedByScript(text)
  const like = stemmedLike(own)
  const among = own === undefined ? stemmings : stemmings.filter((one) => one === like)
  const others = among.filter((one) => one !== undefined)
  if (script === undefined && others.length === 0 && !isUnspaced(text)) return { terms: distinct(terms(text)) }
  const small = smallWords(own)
  const found = new Set<string>()
  const forms = new Map<string, string[]>()
  for (const { text: word } of words(text)) {
    if (small?.has(lowered(word))) continue
    const here = distinct([...terms(word), ...others.flatMap((one) => terms(word, one))])
    for (const term of here) found.add(term)
    const isRun = isUnspaced(word)
    for (const read of termsBy(word, script)) {
      // In a run of characters, a term stands for itself, and a single character for the pairs it is in.
      const stands = isRun ? here.filter((one) => (here.includes(read) ? one === read : one.includes(read))) : here
      forms.set(read, distinct([...(forms.get(read) ?? []), ...stands]))
    }
  }
  return { terms: [...found], forms }
}

function smallWords(language: string | undefined): ReadonlySet<string> | undefined {
  const like = stemmedLike(language)
  return like ? stemmingOf(like).stopWords : language === 'en' ? STOP_WORDS : undefined
}
