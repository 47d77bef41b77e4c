/**
 * The passages of a question's evidence laid out to be read: their sentences, and how nearly those mean what is asked. The answer, and how sure it
 * is, are both read from the same passages, so they share what has been computed from them.
 */
import { meantBy, remembered, type Sources, type WordsOf } from './alignment'
import { type Candidate, candidatesOf, type Passage } from './candidates'
import { type Likeness, likenessBy, type Meaning } from './likeness'
import { wordsOf } from './roles'

export interface Desk {
  readonly candidates: readonly Candidate[]
  readonly likeness: Likeness
  readonly words: WordsOf
  readonly meant: Sources['meant']
}

const desks = new WeakMap<readonly Passage[], { readonly meaning: Meaning | undefined; readonly desk: Desk }>()

/** The same desk for the same list of passages, which nobody changes, as long as somebody holds the list. */
export function deskFor(passages: readonly Passage[], meaning: Meaning | undefined): Desk {
  const known = desks.get(passages)
  if (known && known.meaning === meaning) return known.desk
  const [likeness, words] = [likenessBy(meaning), remembered(wordsOf)]
  const desk: Desk = { candidates: passages.flatMap(candidatesOf), likeness, words, meant: meantBy(undefined, likeness, words) }
  desks.set(passages, { meaning, desk })
  return desk
}
