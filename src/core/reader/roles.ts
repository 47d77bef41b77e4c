/**
 * What each word of a question does: it names what is asked about, says what is asked of it, measures it ("how deep"), says what kind of thing is
 * wanted ("which company"), or only makes it a question of that kind ("how many", "in what year"), and an answer need not say it.
 */
import { readTerms as terms } from '../text/read-terms'
import { distinct } from '../text/terms'
import type { Question } from './question'
import type { QuestionTerms } from './question-terms'

export type Role = 'name' | 'relation' | 'measure' | 'focus' | 'form'

export interface QuestionWord {
  readonly word: string
  readonly terms: readonly string[]
  readonly role: Role
  /** Sum over its terms. */
  readonly weight: number
  /** Does the corpus say it? */
  readonly isKnown: boolean
}

/** A number with points is one word: “2.0” is neither “2” nor “0”. */
const WORD = /\p{Nd}+(?:[.:]\p{Nd}+)+(?![\p{L}\p{Nd}])|[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu
const MEASURE = /\bhow (long|far|tall|high|wide|deep|thick|large|big|old|fast|heavy|hot|cold|often)\b/iu
/** These say little about what is asked, in any question. */
const FORMAL = new Set(
  'according regarding concerning mentioned described stated context discussion conversation specific specifically detail details overall many much name names named called kind kinds type types sort sorts take takes took taken get gets got become became happen happened happens place exactly currently ever please tell mean means meaning way ways typically generally usually commonly normally sometimes approximately roughly anything something'.split(
    ' ',
  ),
)

/** Words with a meaning, each once. */
export function questionWords(question: Question, asked: QuestionTerms): readonly QuestionWord[] {
  const named = new Set(question.names.flatMap((one) => terms(one.surface)))
  const focus = new Set(question.focus)
  const form = new Set(question.form.flatMap((one) => terms(one)))
  const measure = MEASURE.exec(question.text)?.[1]?.toLowerCase()
  const seen = new Set<string>()
  return [...question.text.matchAll(WORD)].flatMap(([surface]) => {
    const word = surface.toLowerCase()
    const own = distinct(terms(word)).filter((term) => !seen.has(term) && asked.has(term))
    for (const term of own) seen.add(term)
    if (own.length === 0) return []
    const isIn = (set: ReadonlySet<string>): boolean => own.some((term) => set.has(term))
    const isNamed = isIn(named) || /\p{N}/u.test(word)
    const role = roleOf(word, { measure, isNamed, isFocus: isIn(focus), isForm: isIn(form) })
    const known = own.map((term) => asked.get(term))
    return [
      {
        word,
        terms: own,
        role,
        weight: known.reduce((sum, one) => sum + (one?.weight ?? 0), 0),
        isKnown: known.every((one) => one?.isKnown),
      },
    ]
  })
}

/** Words that an answer, or its surroundings, should say. */
export function discriminativeWords(words: readonly QuestionWord[]): readonly QuestionWord[] {
  const some = words.filter(({ role }) => role !== 'form')
  return some.length > 0 ? some : words
}

interface Marks {
  readonly measure: string | undefined
  readonly isNamed: boolean
  readonly isFocus: boolean
  readonly isForm: boolean
}

function roleOf(word: string, { measure, isNamed, isFocus, isForm }: Marks): Role {
  if (isNamed) return 'name'
  if (word === measure) return 'measure'
  if (isFocus) return 'focus'
  return isForm || FORMAL.has(word) ? 'form' : 'relation'
}

/** Lower-case words with a meaning, each once. */
export function wordsOf(text: string): readonly string[] {
  return distinct([...text.matchAll(WORD)].map(([word]) => word.toLowerCase())).filter((word) => terms(word).length > 0)
}

/** The same as written, with repeats. */
export function wordsIn(text: string): readonly string[] {
  return [...text.matchAll(WORD)].map(([word]) => word).filter((word) => terms(word).length > 0)
}
