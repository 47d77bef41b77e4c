/** Which word of a clause is its verb: by its ending, the lexicon, and the words beside it. Wrong now and then, on both sides of a comparison alike. Pure. */
import type { Language, Role } from './grammar/grammar'
import type { Rules } from './grammar/languages'
import type { Word } from './word'

/** Endings that only verbs have. */
const PAST: { readonly [language in Language]?: RegExp } = { es: /(?:ó|aron|ieron|aban|ían)$/, fr: /(?:aient|èrent)$/ }
const BEFORE_VERB: ReadonlySet<Role | undefined> = new Set(['auxiliary', 'passive', 'pronoun', 'negation', 'relative'])
const BEFORE_NOUN: ReadonlySet<Role | undefined> = new Set([
  'article',
  'possessive',
  'object',
  'agent',
  'preposition',
  'genitive',
  'comparison',
])
const AFTER_VERB: ReadonlySet<Role | undefined> = new Set(['article', 'possessive', 'object', 'pronoun'])

/** `began`: it stands after a noun phrase. */
export function isVerb(words: readonly Word[], i: number, began: boolean, rules: Rules): boolean {
  const word = words[i]
  const before = words[i - 1]
  if (!word) return false
  const { language } = rules.grammar
  if (language === 'de') return !word.capital && !isAdjective(word, words, i)
  if (word.capital) return word.first && opensSentence(word, words[i + 1], rules)
  if (before?.kind === 'number' || (BEFORE_NOUN.has(before?.role) && before?.kind === 'function')) return false
  if (BEFORE_VERB.has(before?.role)) return true
  if (PAST[language]?.test(word.low) || rules.senses.has(`${word.key}-${words[i + 1]?.low}`)) return true
  if (before?.role === 'conjunction' && rules.verbs.has(word.key)) return true
  if (language === 'en' && /ed$/.test(word.low) && (began || before?.kind !== 'content')) return true
  return began && endsPhrase(word, before, words[i + 1], rules)
}

function endsPhrase(word: Word, before: Word | undefined, next: Word | undefined, rules: Rules): boolean {
  const isEnglish = rules.grammar.language === 'en'
  // "Aquaval surveille": a name is not followed by a noun.
  if (!isEnglish && before?.capital && !before.first && before.kind === 'content' && !before.possesses) return true
  if (rules.verbs.has(word.key) && (!isEnglish || isInflected(word, before, rules))) return true
  return next !== undefined && (AFTER_VERB.has(next.role) || next.kind === 'number' || (next.capital && !next.first))
}

/** "The bridge spans" and "voles build"; "the bridge" is a noun. */
function isInflected(word: Word, before: Word | undefined, rules: Rules): boolean {
  return /(?:s|ed)$/.test(word.low) || rules.irregular.has(word.low) || /s$/.test(before?.low ?? '')
}

function opensSentence(word: Word, next: Word | undefined, rules: Rules): boolean {
  return PAST[rules.grammar.language]?.test(word.low) === true || (rules.verbs.has(word.key) && opensParticiple(next))
}

/** "Designed by …", "Publié en …" */
function opensParticiple(next: Word | undefined): boolean {
  return next !== undefined && (next.role === 'preposition' || next.role === 'agent' || next.role === 'article' || next.kind === 'date')
}

/** German: a word in small letters is an adjective if a noun follows, otherwise a verb or an adverb. */
function isAdjective(word: Word, words: readonly Word[], i: number): boolean {
  if (!/(?:e|en|er|es|em)$/.test(word.low)) return false
  for (let j = i + 1; j < Math.min(words.length, i + 4); j++) {
    const next = words[j]
    if (next?.kind === 'content' && next.capital) return true
    if (next?.kind !== 'content') return false
  }
  return false
}
