/** For each clause, who does it and all others in it: by the order of its phrases, reversed by a passive or a relative pronoun that is the object. Pure. */
import type { Clause } from './clauses'
import { isName } from './names'
import type { Phrase } from './phrases'
import type { Sentence } from './read'

export interface Cast {
  readonly doer: Phrase
  /** Everybody else in the clause, except phrases that belong to the doer. */
  readonly others: readonly (Phrase & { readonly isObject: boolean })[]
  /** Its only verb is a form of be. */
  readonly isCopula: boolean
  /** Number of the clause. */
  readonly clause: number
}

const BE = /^(?:is|are|was|were|ist|sind|war|waren|est|sont|était|étaient|fut|es|son|era|eran|fue|fueron)$/
const IMPLIED: Phrase = { at: 0, places: [], tie: 'core', isPronoun: true, isDefinite: false, isMarked: false, article: '' }

/** `isClaim`: if Spanish word order leaves it open, a claim is given the benefit of the doubt. */
export function castsOf(sentence: Sentence, isClaim: boolean): Cast[] {
  const out: Cast[] = []
  for (const i of sentence.clauses.keys()) {
    const cast = castOf(sentence, i, out.at(-1), isClaim)
    if (cast) out.push(cast)
  }
  return out
}

/** The words a phrase stands or falls with: its names, else its noun (first in French and Spanish, last in German and English). */
export function headsOf(sentence: Sentence, { places }: Phrase): readonly number[] {
  const names = places.filter((at) => isName(sentence.index, at))
  if (names.length > 0) return names
  const { language } = sentence.index.rules.grammar
  const head = language === 'fr' || language === 'es' ? places[0] : places.at(-1)
  return head === undefined ? [] : [head]
}

function castOf(sentence: Sentence, clause: number, before: Cast | undefined, isClaim: boolean): Cast | undefined {
  const isCopula = hasOnlyBe(sentence, clause)
  const { [clause]: own } = sentence.clauses
  const phrases = sentence.phrases[clause] ?? []
  if (!own) return undefined
  const agent = own.isPassive ? phrases.find((phrase) => phrase.tie === 'agent') : undefined
  const hasSubject = phrases.some((phrase) => phrase.tie === 'core') || sentence.index.rules.grammar.language !== 'es'
  if (agent) return { doer: agent, others: others(hasSubject ? phrases : [IMPLIED, ...phrases], [agent]), clause, isCopula }
  const antecedent = own.isRelative ? sentence.phrases[clause - 1]?.at(-1) : undefined
  if (antecedent) return relative(sentence, { clause, own, phrases, antecedent, isClaim })
  const predicate = sentence.predicates[clause]
  const begins = phrases[0]?.at
  const isElided =
    own.words[0]?.role === 'conjunction' && predicate !== undefined && begins !== undefined && begins > predicate && !own.isPassive
  const doer = isElided ? before?.doer : subjectOf(sentence, phrases, predicate)
  return doer && { doer, others: others(phrases, [doer, ...followers(phrases, phrases.indexOf(doer), predicate)]), clause, isCopula }
}

/** "which the orchard supplies": what stands before the pronoun is supplied. Undefined if nothing decides. */
function relative(
  sentence: Sentence,
  {
    clause,
    own,
    phrases,
    antecedent,
    isClaim,
  }: { clause: number; own: Clause; phrases: readonly Phrase[]; antecedent: Phrase; isClaim: boolean },
): Cast | undefined {
  const isCopula = hasOnlyBe(sentence, clause)
  const { language } = sentence.index.rules.grammar
  const predicate = sentence.predicates[clause] ?? Number.POSITIVE_INFINITY
  const core = phrases.find((phrase) => phrase.tie === 'core')
  const opener = own.words[0]?.low
  const isBefore = core !== undefined && core.at < predicate
  if (language === 'es' && core && isClaim && !phrases.some((phrase) => phrase.tie === 'a')) return undefined
  const isObject =
    (language === 'fr' && (opener === 'que' || opener === 'qu')) || (language === 'en' && isBefore) || (language === 'de' && core?.isMarked)
  if (isObject && core) return { doer: core, others: others([...phrases, { ...antecedent, tie: 'core' }], [core]), clause, isCopula }
  return { doer: antecedent, others: others(phrases, []), clause, isCopula }
}

function hasOnlyBe({ clauses, phrases, words }: Sentence, clause: number): boolean {
  const own = clauses[clause]
  const nouns = new Set(phrases[clause]?.flatMap((phrase) => phrase.places))
  return (
    own?.words.some((word) => BE.test(word.low)) === true &&
    own.words.every((word, i) => word.kind !== 'content' || nouns.has(own.at + i) || words[own.at + i]?.capital === true)
  )
}

/** Spanish leaves "he" and "it" to the verb. */
function subjectOf(sentence: Sentence, phrases: readonly Phrase[], predicate: number | undefined): Phrase | undefined {
  const { language } = sentence.index.rules.grammar
  const isAfter = predicate !== undefined && !phrases.some((phrase) => phrase.at < predicate)
  return language === 'es' && phrases.length > 0 && isAfter ? IMPLIED : phrases.find((phrase) => phrase.tie === 'core')
}

function others(phrases: readonly Phrase[], but: readonly Phrase[]): Cast['others'] {
  return phrases
    .filter((phrase) => !but.includes(phrase))
    .map((phrase) => {
      const isObject = phrase.tie === 'object'
      return { ...phrase, isObject, tie: isObject || phrase.tie === 'a' ? 'core' : phrase.tie }
    })
}

/** Phrases that belong to the one before: "the son of the sculptor". */
function followers(phrases: readonly Phrase[], at: number, predicate: number | undefined): Phrase[] {
  const out: Phrase[] = []
  for (let i = at + 1; at >= 0; i++) {
    const phrase = phrases[i]
    if (phrase?.tie !== 'of' || phrase.at >= (predicate ?? Number.POSITIVE_INFINITY)) break
    out.push(phrase)
  }
  return out
}
