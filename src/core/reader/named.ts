/** Do the passages say the names in a question: each of them, whole, and together? */
import { readTerms as terms } from '../text/read-terms'
import type { Aligned } from './alignment'
import type { Passage } from './candidates'
import type { Heard } from './heard'
import { nearly, nearlyMisspelt } from './likeness'
import type { Question } from './question'
import type { QuestionWord } from './roles'
import { termsSaid } from './said'

export interface Named {
  /** How far the name that is said least is from being said by any sentence with its title. */
  readonly nameless: number
  /** A name of several words does not occur anywhere as it is in the question. */
  readonly brokenName: number
  /** How nearly a single passage says all names. */
  readonly together: number
  /** Share of the names' weight that is said by the sentence, its title or its passage. */
  readonly namesAround: number
}

const USUAL = 0.85 // for a question without names

export function namedIn(
  question: Question,
  passages: readonly Passage[],
  { words, all }: { readonly words: readonly Aligned[]; readonly all: readonly Heard[] },
): Named {
  const names = words.flatMap((each, i) => (each.asked.role === 'name' ? [{ ...each, i }] : []))
  const texts = passages.map(({ title = '', text }) => `${title}\n${text}`)
  const said = texts.map(termsSaid)
  const gaps = names.map(({ i }) => 1 - Math.max(...all.map(({ words: own }) => Math.max(own[i]?.own ?? 0, own[i]?.title ?? 0))))
  const weight = names.reduce((sum, { asked }) => sum + asked.weight, 0)
  return {
    nameless: Math.max(0, ...gaps),
    brokenName: Number(hasBroken(question, texts)),
    together: names.length > 0 ? Math.max(0, ...said.map((one) => Math.min(...names.map(({ asked }) => saidBy(asked, one))))) : USUAL,
    namesAround: weight > 0 ? names.reduce((sum, { asked, around }) => sum + asked.weight * around, 0) / weight : USUAL,
  }
}

function saidBy({ terms: own, isKnown }: QuestionWord, said: ReadonlySet<string>): number {
  return own.reduce((sum, term) => sum + (isKnown ? nearly : nearlyMisspelt)(term, said), 0) / own.length
}

function hasBroken({ names }: Question, texts: readonly string[]): boolean {
  const long = names.map(({ surface }) => terms(surface)).filter((own) => own.length > 1)
  if (long.length === 0) return false
  const sequences = texts.map((text) => ` ${terms(text).join(' ')} `)
  return long.some((own) => !sequences.some((one) => one.includes(` ${own.join(' ')} `)))
}
