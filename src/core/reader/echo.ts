/**
 * Does a sentence say nothing but words of the question? Then it only answers whether that is so. Keywords that are looked up are not a question. A
 * label ("name: heron") says nothing new if something asked is not said beside it; if all of it is ("Berlin: capital of Germany"), or a person is
 * asked for, the label may be the answer. So may another form of a word, if the question is what something is ("Construction is the process of
 * constructing").
 */
import { readTerms as terms } from '../text/read-terms'
import type { Question } from './question'
import { wordsIn } from './roles'

/** The label of a field, a term or a speaker. */
const LABEL = /^[^\s:][^:\n]{0,40}:\s/u
const ENDS_ASKING = /[?？؟]\s*$/u

export function isEcho({ kind, terms: asked, focus, text: question }: Question, text: string): boolean {
  if (kind === 'yes-no' || !ENDS_ASKING.test(question)) return false
  const value = terms(text.replace(LABEL, ''))
  if (value.length === 0 || !value.every((term) => asked.includes(term))) return false
  if (kind === 'definition' && !saysAsWritten(question, text)) return false
  const lacksSome = kind !== 'person' && asked.some((term) => !focus.includes(term) && !value.includes(term))
  return lacksSome || terms(text).every((term) => asked.includes(term))
}

/** All its words with a meaning stand in the question in the same form. */
function saysAsWritten(question: string, text: string): boolean {
  const asked = new Set(wordsIn(question.toLowerCase()))
  return wordsIn(text.toLowerCase()).every((word) => asked.has(word))
}
