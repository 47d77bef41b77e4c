/**
 * Where a sentence says each word of a claim. A word that the sentence leaves open ("it", "the company") may come from its passage, but not if the
 * sentence is about somebody else, and no more of them than it points back to. Pure; time grows only with the lengths of the two texts.
 */
import { agree, type DateSaid } from './dates'
import { matchIn, type Wanted } from './match'
import { isName } from './names'
import type { Phrase } from './phrases'
import { amountsAgree } from './quantities'
import type { Passage, Sentence } from './read'
import type { Word } from './word'
import type { Index, Match } from './word-index'

/** Place in the claim → where the sentence says it; `null`: its passage does. */
export type Matches = ReadonlyMap<number, Match | null>

/** Phrases that a pronoun can stand for; "in it" does not stand for "in Leeds". */
const FIGURE = 2 // in words; a number shows better which clause is meant
/** These point back to nothing. */
const REFLEXIVE = /^(?:se|s|sich|man|on|y|there|myself|yourself|himself|herself|itself|themselves)$/
const REPLACEABLE = new Set(['core', 'object', 'agent', 'of', 'a'])

export function matchesOf(claim: Sentence, places: readonly number[], sentence: Sentence, passage: Passage): Matches {
  const said = (at: number, how: Pick<Wanted, 'prefer' | 'taken'> = {}): Match | undefined => {
    const word = claim.words[at]
    return word?.kind === 'content' ? find(claim, at, sentence.index, how) : figure(word, sentence, passage)
  }
  const likely = sentence.clauses.map(() => 0)
  for (const at of places) {
    const first = said(at)
    const clause = clauseAt(sentence, first?.at ?? 0)
    if (first) likely[clause] = (likely[clause] ?? 0) + (claim.words[at]?.kind === 'content' ? 1 : FIGURE)
  }
  const how = { prefer: (at: number) => likely[clauseAt(sentence, at)] ?? 0, taken: takenIn(claim, places, sentence) }
  const out = new Map<number, Match | null>()
  for (const at of places) {
    const found = said(at, how)
    if (found) out.set(at, found)
  }
  if (isAboutAnother(sentence, out)) return out
  for (const at of resolvable(claim, places, sentence, passage, out)) {
    const found = out.has(at) || claim.words[at]?.kind !== 'content' ? undefined : find(claim, at, passage.context)
    if (found && !found.isOpposite) out.set(at, null)
  }
  return out
}

export function saysWord(claim: Sentence, at: number, index: Index): boolean {
  return find(claim, at, index) !== undefined
}

function find(claim: Sentence, at: number, index: Index, how: Pick<Wanted, 'prefer' | 'taken'> = {}): Match | undefined {
  return matchIn(index, { words: claim.words, at, rules: claim.index.rules, isName: isName(claim.index, at), ...how })
}

function takenIn(claim: Sentence, places: readonly number[], { index }: Sentence): Set<number> {
  return new Set(places.flatMap((at) => (claim.words[at]?.kind === 'content' ? (index.byKey.get(claim.words[at].key) ?? []) : [])))
}

/** The number of the clause in which a place is. */
export function clauseAt(sentence: Sentence, at: number): number {
  return sentence.clauseOf[at] ?? 0
}

/** Is the subject of the clause that says most of the claim somebody or something that the claim does not mention? */
function isAboutAnother(sentence: Sentence, matches: Matches): boolean {
  const said = new Set<number>()
  const counts = sentence.clauses.map(() => 0)
  for (const match of matches.values()) {
    if (!match) continue
    said.add(match.at)
    const clause = clauseAt(sentence, match.at)
    counts[clause] = (counts[clause] ?? 0) + 1
  }
  const main = counts.indexOf(Math.max(...counts))
  const subject = sentence.phrases[main]?.find((phrase) => phrase.tie === 'core')
  if (!subject || subject.isPronoun) return false
  // "The company" may be any that the passage names, but "the usual dose" may not.
  const pointsBack = subject.isDefinite && subject.places.length === 1 && !isName(sentence.index, subject.places[0] ?? 0)
  return !pointsBack && !subject.places.some((at) => said.has(at))
}

/** Words of the claim that the passage may say: its subject first, as many phrases as the sentence points back to, and one that is the title. */
function resolvable(claim: Sentence, places: readonly number[], sentence: Sentence, passage: Passage, matches: Matches): number[] {
  const { replaceable, others, partial } = groupsOf(claim, places, sentence, matches)
  const open = replaceable.filter((group) => group.some((at) => !matches.has(at)))
  const pointing = pointers(sentence)
  const rest = open.slice(pointing)
  // "The company" may be Brightwater; "the film" is not the novel.
  const generic = isGeneric(sentence, matches)
    ? rest.find((group) => group.some((at) => isName(claim.index, at) || mayBeName(claim, at)))
    : undefined
  const { title } = passage
  const titled = title && [...rest, ...others].find((group) => group.every((at) => matches.has(at) || saysWord(claim, at, title)))
  return [...partial, ...open.slice(0, pointing).flat(), ...(generic ?? []), ...(titled ?? [])]
}

interface Groups {
  /** Phrases that a pronoun can stand for, each with those that belong to it. */
  readonly replaceable: readonly (readonly number[])[]
  readonly others: readonly (readonly number[])[]
  /** Words of phrases that the sentence says in part. */
  readonly partial: readonly number[]
}

function groupsOf(claim: Sentence, places: readonly number[], sentence: Sentence, matches: Matches): Groups {
  const wanted = new Set(places)
  const replaceable: number[][] = []
  const others: number[][] = []
  const partial: number[] = []
  for (const [phrase, isBeforeVerb] of placed(claim)) {
    if (phrase.isPronoun || phrase.places.length === 0 || !phrase.places.every((at) => wanted.has(at))) continue
    const owner = phrase.tie === 'of' || isBeforeVerb ? replaceable.at(-1) : undefined
    const belongs = phrase.tie === 'of' && isDefiniteThere(replaceable.at(-1) ?? [], sentence, matches)
    if (belongs || isNamedInPart(phrase, sentence, matches)) partial.push(...phrase.places)
    if (owner) owner.push(...phrase.places)
    else (REPLACEABLE.has(phrase.tie) ? replaceable : others).push([...phrase.places])
  }
  return { replaceable, others, partial }
}

/** "the tunnel" is the Tolmin Tunnel. */
function isNamedInPart(phrase: Phrase, sentence: Sentence, matches: Matches): boolean {
  const said = phrase.places.map((at) => matches.get(at)?.at).find((at) => at !== undefined)
  return (
    said !== undefined &&
    sentence.phrases.some((some) => some.some((one) => one.isDefinite && one.places.length === 1 && one.places[0] === said))
  )
}

/** The first word of a German sentence may be a name if no article stands before it. */
function mayBeName({ index: { rules }, words }: Sentence, at: number): boolean {
  const word = words[at]
  return rules.grammar.language === 'de' && word?.first === true && !rules.senses.has(word.key)
}

/** "The main span" is that of the bridge that the passage is about. */
function isDefiniteThere(places: readonly number[], sentence: Sentence, matches: Matches): boolean {
  const said = places.map((at) => matches.get(at)?.at).find((at) => at !== undefined)
  return said !== undefined && sentence.phrases.some((some) => some.some((one) => one.isDefinite && one.places.includes(said)))
}

/** How many things a sentence points back to; Spanish does so by omitting them. */
function pointers(sentence: Sentence): number {
  const pointing = sentence.words.filter(
    (word) => (word.role === 'pronoun' && !REFLEXIVE.test(word.low)) || word.role === 'possessive',
  ).length
  const subject = sentence.phrases.flat().find((phrase) => phrase.tie === 'core')
  const verb = sentence.predicates[0]
  const isImplied = sentence.index.rules.grammar.language === 'es' && verb !== undefined && (subject?.at ?? verb + 1) > verb
  return pointing + (isImplied ? 1 : 0)
}

function isGeneric(sentence: Sentence, matches: Matches): boolean {
  const said = new Set([...matches.values()].map((match) => match?.at))
  const subject = sentence.phrases.flat().find((phrase) => phrase.tie === 'core')
  return subject?.isDefinite === true && subject.places.length <= 2 && !subject.places.every((at) => said.has(at))
}

/** The phrases, and whether each stands between the subject and the verb of its clause: "the bridge over the river opened". */
function placed(claim: Sentence): (readonly [Phrase, boolean])[] {
  return claim.phrases.flatMap((phrases, i) => {
    const verb = claim.predicates[i]
    const subject = phrases.findIndex((phrase) => phrase.tie === 'core')
    return phrases.map((phrase, j) => [phrase, subject >= 0 && j > subject && verb !== undefined && phrase.at < verb] as const)
  })
}

function figure(word: Word | undefined, sentence: Sentence, passage: Passage): Match | undefined {
  if (word?.kind !== 'number' && word?.kind !== 'date') return undefined
  const at = sentence.words.findIndex((other) => saysFigure(word, other, passage))
  return at < 0 ? undefined : { at, weight: 1, isOpposite: false }
}

function saysFigure(word: Word, other: Word, passage: Passage): boolean {
  if (word.date && other.date) return entails(word.date, other.date, passage)
  if (word.quantity && other.quantity) return amountsAgree(word.quantity, other.quantity)
  const { date = other.date } = word
  const [year, otherYear] = [yearOf(word), yearOf(other)]
  // "1921" as a number is a date's year only if the date says no more than the year.
  const isYearAlone = word.date === undefined || (word.date.month === undefined && word.date.day === undefined)
  return date !== undefined && year !== undefined && year === otherYear && isYearAlone
}

/** What a date leaves out may be said by its passage. */
function entails(claimed: DateSaid, said: DateSaid, passage: Passage): boolean {
  if (!agree(claimed, said)) return false
  if ((claimed.day !== undefined && said.day === undefined) || (claimed.month !== undefined && said.month === undefined)) return false
  return claimed.year === undefined || said.year !== undefined || passage.context.words.some((word) => yearOf(word) === claimed.year)
}

function yearOf({ date, quantity }: Word): number | undefined {
  if (date?.year !== undefined) return date.year
  const value = quantity && !quantity.unit ? quantity.values[0] : undefined
  return value !== undefined && Number.isInteger(value) && value >= 1000 && value < 2200 ? value : undefined
}
