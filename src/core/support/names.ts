/**
 * Which words of a sentence name somebody or something. Capitals decide in English, French and Spanish; in German, where every noun has one, the
 * neighbouring words do. Pure.
 */

import type { Word } from './word'
import type { Index } from './word-index'

const GERMAN_ADJECTIVE = /(?:e|en|er|es|em)$/
const GERMAN_CONTRACTED = /^(?:im|am|zum|zur|vom|beim|ins)$/

export function isName({ words, rules }: Pick<Index, 'words' | 'rules'>, at: number): boolean {
  const word = words[at]
  if (!word?.capital || word.kind !== 'content') return false
  const rest = word.text.slice(1)
  if (rest !== rest.toLowerCase()) return true
  if (rules.grammar.language === 'de') return isGermanName(words, at, rules)
  return word.first ? isCapital(words[at + 1]) : true
}

/** Names stand without an article or adjective, or after another noun: "Ingenieur Karl Wendt". */
function isGermanName(words: readonly Word[], at: number, { senses }: Index['rules']): boolean {
  const word = words[at]
  const before = words[at - 1]
  if (!word) return false
  if (isCapital(before)) return !(before?.first && GERMAN_ADJECTIVE.test(before.low))
  if (senses.has(word.key)) return false
  if (word.first || !before) return isCapital(words[at + 1])
  if (before.kind === 'number' || GERMAN_CONTRACTED.test(before.low)) return false
  if (before.kind === 'content') return !GERMAN_ADJECTIVE.test(before.low)
  return !(before.role === 'article' || before.role === 'possessive' || before.role === 'object' || before.role === 'negation')
}

function isCapital(word: Word | undefined): boolean {
  return word?.capital === true && word.kind === 'content'
}
