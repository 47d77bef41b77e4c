/** Which of the four languages a text is in, by the words that it is built with; and each language's words in a form for fast look-up. */
import { fold } from '../../text/fold'
import { german } from './de'
import { english } from './en'
import { spanish } from './es'
import { french } from './fr'
import type { Grammar, Language, Role } from './grammar'

export interface Rules {
  readonly grammar: Grammar
  readonly roles: ReadonlyMap<string, Role>
  readonly numbers: ReadonlyMap<string, number>
  readonly scales: ReadonlyMap<string, number>
  readonly parts: ReadonlyMap<string, number>
  readonly times: ReadonlyMap<string, number>
  /** Stem without accents. */
  stem(word: string): string
  /** Places of a stem in the lexicon: row and group. */
  readonly senses: ReadonlyMap<string, readonly Sense[]>
  readonly verbs: ReadonlySet<string>
  /** Forms of words that do not follow the spelling rules. */
  readonly irregular: ReadonlySet<string>
  /** Rows of weekdays and seasons. */
  readonly calendar: ReadonlySet<number>
  /** Rows of nations and continents. */
  readonly nations: ReadonlySet<number>
}

export interface Sense {
  readonly row: number
  readonly group: number
}

const LATIN = /\p{Script=Latin}/u
const TOLD = 12 // words by which a language should be recognisable
const MIN_SHARE = 0.12 // share of the words that must belong to a language for a text to be in it
const PLURALS: { readonly [language in Language]: readonly string[] } = {
  en: ['s', 'es'],
  de: ['e', 'en', 'er'],
  fr: ['s'],
  es: ['s', 'es'],
}
const CALENDAR =
  /^(?:monday|montag|lundi|lunes|summer|sommer|été|verano|day|tag|jour|día|morning|morgen|matin|mañana|year|jahr|an|año|month|monat|mois|mes|week|woche|semaine|semana) /
const NATIONS = /^(?:europe|europa|england|angleterre|inglaterra) /
const WORD = /[\p{L}\p{M}]+/gu
const looked = { words: 300, remembered: 20_000 } as const

const grammars: { readonly [language in Language]: Grammar } = { en: english, de: german, fr: french, es: spanish }
const roles: { readonly [language in Language]: ReadonlyMap<string, Role> } = {
  en: rolesOf(english),
  de: rolesOf(german),
  fr: rolesOf(french),
  es: rolesOf(spanish),
}
const made = new Map<Language, Rules>()

/** Made when first asked for: a lexicon takes a few milliseconds. */
export function rulesFor(language: Language): Rules {
  const known = made.get(language) ?? rulesOf(grammars[language], roles[language])
  made.set(language, known)
  return known
}

/** Names of months in all of them, from January; the spellings of one are separated by `/`. */
export const months: readonly string[] = Object.values(grammars).map((grammar) => grammar.months)

/** Related languages that share many small words with one of the four; these words are their own. */
const NEIGHBOURS = {
  pt: 'não uma um em com os ao do da dos das pelo pela foi são mais à na no nos nas seu sua ele também',
  it: 'il gli della del di che non è una per con sono nel nella alla dei delle degli al da più anche suo',
  nl: 'het een van de niet en is dat op te voor zijn met aan er ook door maar wordt werd',
  sv: 'och det att som en på är av för med den till inte har om ett',
  da: 'og det som er på til av for med den ikke har et blev',
} as const
const OTHERS = Object.entries(NEIGHBOURS).map(([language, words]) => ({
  language: language as keyof typeof NEIGHBOURS,
  words: new Set(words.split(' ')),
}))

/** Null: none of the four. `fallback` if the text is too short to decide. */
export function languageOf(text: string, fallback: Language | null): Language | null {
  const words = beginningOf(text)
  let best: { language: Language; hits: number } | undefined
  for (const [language, own] of Object.entries(roles) as [Language, ReadonlyMap<string, Role>][]) {
    const hits = words.reduce((sum, word) => sum + (own.has(word) ? 1 : 0), 0)
    if (hits > (best?.hits ?? 0) || (hits === best?.hits && language === fallback)) best = { language, hits }
  }
  const { hits = 0 } = best ?? {}
  if (OTHERS.some((other) => countIn(words, other.words) > hits)) return null
  if (best && hits >= words.length * MIN_SHARE) return best.language
  return words.length < TOLD && LATIN.test(text) ? fallback : null
}

/** For a text in none of the four (`languageOf`): the related language that it is built with. */
export function neighbourOf(text: string): keyof typeof NEIGHBOURS | null {
  const words = beginningOf(text)
  const counted = OTHERS.map(({ language, words: own }) => ({ language, hits: countIn(words, own) })).sort((a, b) => b.hits - a.hits)
  const [best, second] = counted
  return best && best.hits >= words.length * MIN_SHARE && best.hits > (second?.hits ?? 0) ? best.language : null
}

function countIn(words: readonly string[], own: ReadonlySet<string>): number {
  return words.reduce((sum, word) => sum + (own.has(word) ? 1 : 0), 0)
}

function beginningOf(text: string): readonly string[] {
  return [...text.slice(0, looked.words * 12).matchAll(WORD)].slice(0, looked.words).map(([word]) => word.toLowerCase())
}

function rulesOf(grammar: Grammar, own: ReadonlyMap<string, Role>): Rules {
  const irregular = new Map(pairs(grammar.irregular))
  const stem = stemsBy(grammar, irregular)
  const rows = grammar.verbs.trim().split('\n')
  const lines = [...rows, ...grammar.words.trim().split('\n')]
  const entries = lines.flatMap((line, row) => entriesOf(line, row, row < rows.length))
  const senses = new Map<string, Sense[]>()
  for (const { word, row, group, isVerb } of entries) {
    for (const key of keysOf(word, isVerb, grammar.language, stem)) senses.set(key, [...(senses.get(key) ?? []), { row, group }])
  }
  return {
    grammar,
    roles: own,
    numbers: values(grammar.numbers),
    scales: values(grammar.scales),
    parts: values(grammar.parts),
    times: values(grammar.times),
    stem,
    senses,
    verbs: new Set(entries.flatMap(({ word, isVerb }) => (isVerb ? [stem(word)] : []))),
    irregular: new Set(irregular.keys()),
    calendar: rowsOf(lines, CALENDAR),
    nations: rowsOf(lines, NATIONS),
  }
}

function stemsBy(grammar: Grammar, irregular: ReadonlyMap<string, string>): (word: string) => string {
  const stems = new Map<string, string>()
  // "übernahmen" has "übernahm"
  const endings = grammar.language === 'de' ? ['en', 'e', 't', 'n', 's'] : []
  const baseOf = (word: string): string => {
    const shorter = endings.filter((ending) => word.endsWith(ending)).map((ending) => word.slice(0, -ending.length))
    return [word, ...shorter].map((one) => irregular.get(one)).find((base) => base !== undefined) ?? word
  }
  return (word) => {
    const known = stems.get(word)
    if (known !== undefined) return known
    if (stems.size >= looked.remembered) stems.clear()
    const made = fold(grammar.stem(baseOf(word)))
    stems.set(word, made)
    return made
  }
}

interface Entry extends Sense {
  readonly word: string
  readonly isVerb: boolean
}

/** A row of the lexicon: groups of words with one meaning each, which exclude each other. */
function entriesOf(line: string, row: number, isVerb: boolean): Entry[] {
  return line.split('|').flatMap((words, group) => words.split(' ').flatMap((word) => (word === '' ? [] : [{ word, row, group, isVerb }])))
}

/** All stems of a word: "Erlös" and "Erlöse", "mercader" and "mercaderes", "dense" and "denser" lose different endings; "turn-down" is two words. */
function keysOf(word: string, isVerb: boolean, language: Language, stem: (word: string) => string): ReadonlySet<string> {
  const [base = '', particle] = word.split('-')
  if (particle !== undefined) return new Set([`${stem(base)}-${particle}`])
  const degrees = language === 'en' && !isVerb ? ['er', 'est'].map((ending) => word.replace(/e$/, '').replace(/y$/, 'i') + ending) : []
  return new Set([word, ...PLURALS[language].map((ending) => word + ending), ...degrees].map(stem))
}

function rowsOf(lines: readonly string[], pattern: RegExp): Set<number> {
  return new Set(lines.flatMap((line, row) => (pattern.test(line) ? [row] : [])))
}

function rolesOf({ roles }: Grammar): Map<string, Role> {
  const out = new Map<string, Role>()
  for (const [role, words] of Object.entries(roles) as [Role, string][]) {
    for (const word of words.split(' ')) if (word !== '' && !out.has(word)) out.set(word, role)
  }
  return out
}

function values(text: string): Map<string, number> {
  return new Map(pairs(text).map(([word, value]) => [word, Number(value)]))
}

function pairs(text: string): [string, string][] {
  return text.split(' ').map((pair) => pair.split(':') as [string, string])
}
