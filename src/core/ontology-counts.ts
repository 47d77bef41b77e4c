/**
 * What kinds of things and relations a few texts speak of, counted without a model. A name's kind is what a model has called it, what a sentence says it is
 * ("Ada Lovelace was an English mathematician": patterns after Hearst, COLING 1992, for English) or the common noun its name ends in ("Tidewater
 * Company"); a relation is what stands between two names of a sentence more than once. A proposal for people, who decide: nothing follows from it. Pure.
 */
import { type Ontology, ontologyLimits } from './ontology'
import { entities } from './text/entities'
import { nameKey } from './text/names'
import { sentences } from './text/sentences'
import { STOP_WORDS } from './text/stop-words'

export interface SampledChunk {
  readonly document: string
  readonly text: string
  /** Whom and what it mentions, as its readers may see it; the type where a model has told one. */
  readonly entities: readonly { readonly name: string; readonly type?: string | undefined }[]
}

export interface CountedType {
  readonly name: string
  /** Of different things. */
  readonly count: number
  readonly examples: readonly string[]
}

export interface CountedRelation {
  readonly name: string
  /** Of different pairs. */
  readonly count: number
  readonly subjects: readonly string[]
  readonly objects: readonly string[]
  readonly examples: readonly { readonly subject: string; readonly object: string; readonly document: string }[]
}

export interface CountedOntology {
  readonly types: readonly CountedType[]
  readonly relations: readonly CountedRelation[]
}

const max = { types: 12, relations: 12, examples: 3, gap: 4 } as const // gap: words between two names
const MIN = 2 // things of a kind, and pairs of a relation
const MIN_TAILS = 3 // names that end in one word
const MAJORITY = 0.6 // of the ends that have a kind

const NAMES_KIND = /^(?:\s*\([^)]{0,80}\))?\s*(?:,|is|was|are|were)\s+(?:one of the|an?|the)\s+([\p{L}\p{M}'’ -]{3,80})/u
/** Common nouns that are counted: "every company". */
const COMMON = /(?<![\p{L}\p{M}])(?:an?|another|each|every) (\p{Ll}[\p{L}\p{M}]{2,})(?![\p{L}\p{M}])/gu
const PARTICIPLE = /\p{L}{2}ed$|^(?:written|known|born|held|built|made)$/u
const GAP = /^\s+((?:\p{Ll}[\p{L}\p{M}'’-]*\s+){1,4})$/u
const PHRASE_ENDS = new Set('of in on at for from to by with and or but who which that whose where when as since near under'.split(' '))
const OPENS_NO_RELATION = new Set('and or but who whom whose which that when where while as than nor then so'.split(' '))
const NO_KINDS = new Set(
  'one name part kind type member number set series group lot way thing result first last same most best north south east west'.split(' '),
)
const AUXILIARIES = new Set('is was are were be been being has have had will would can could may might did does do'.split(' '))
const ARTICLES = new Set('the a an his her its their our this that these those'.split(' '))

interface Named {
  readonly key: string
  readonly surface: string
  readonly start: number
  readonly end: number
}

export function countOntology(sample: readonly SampledChunk[]): CountedOntology {
  const kinds = new Kinds()
  const said = new Map<string, Map<string, Pair>>()
  const commons = new Set(sample.flatMap(({ text }) => [...text.matchAll(COMMON)].map(([, word = '']) => word)))
  for (const { document, text, entities: known } of sample) {
    const shown = new Map(known.map(({ name }) => [nameKey(name), name]))
    for (const { name, type } of known) {
      if (type) kinds.note(type.toLowerCase(), nameKey(name), name)
      kinds.noteTail(name, commons)
    }
    for (const { start, end } of sentences(text)) {
      const sentence = text.slice(start, end)
      const names = namesIn(sentence).filter(({ key }) => shown.has(key))
      names.forEach((one, i) => {
        const kind = kindSaid(sentence.slice(one.end))
        if (kind) kinds.note(kind, one.key, one.surface)
        const next = names[i + 1]
        const relation = next && relationIn(sentence.slice(one.end, next.start))
        if (relation && one.key !== next.key) note(said, relation, { document, subject: one, object: next })
      })
    }
  }
  const types = kinds.listed()
  return { types, relations: relationsOf(said, (key) => kinds.of(key, types)) }
}

/** What it comes to as a setting: whatever fits in one. */
export function ontologyOf({ types, relations }: CountedOntology): Ontology | null {
  if (types.length + relations.length === 0) return null
  return {
    mode: 'open',
    types: types.map(({ name }) => ({ name })),
    relations: relations.map(({ name, subjects, objects }) => ({
      name,
      ...(subjects.length > 0 ? { subjects } : {}),
      ...(objects.length > 0 ? { objects } : {}),
    })),
  }
}

/** The longest at each place. */
function namesIn(sentence: string): Named[] {
  let last = 0
  return entities(sentence).filter(({ type, start, end }) => {
    if (type !== 'name' || start < last) return false
    last = end
    return true
  })
}

/** "was an English mathematician and writer": mathematician. */
function kindSaid(after: string): string | undefined {
  const words = NAMES_KIND.exec(after)?.[1]?.trim().split(/\s+/u) ?? []
  const end = words.findIndex((word) => PHRASE_ENDS.has(word))
  const phrase = end < 0 ? words : words.slice(0, end)
  return usable(phrase.findLast((word) => !PARTICIPLE.test(word))) // "a journal published by"
}

function usable(word: string | undefined): string | undefined {
  const isKind = word !== undefined && /^\p{Ll}[\p{L}\p{M}-]{2,}$/u.test(word) && word.length <= ontologyLimits.name
  return isKind && !NO_KINDS.has(word) && !STOP_WORDS.has(word) ? word : undefined
}

/** "was born in the": born in. */
function relationIn(gap: string): string | undefined {
  const words = GAP.exec(gap)?.[1]?.trim().split(/\s+/u) ?? []
  while (words.length > 1 && AUXILIARIES.has(words[0] ?? '')) words.shift()
  while (words.length > 1 && ARTICLES.has(words.at(-1) ?? '')) words.pop()
  const phrase = words.join(' ')
  if (words.length === 0 || words.length > max.gap || phrase.length > ontologyLimits.name || OPENS_NO_RELATION.has(words[0] ?? ''))
    return undefined
  return words.some((word) => word.length > 2 && !STOP_WORDS.has(word)) ? phrase : undefined
}

/** Kinds by what bears them. */
class Kinds {
  readonly #things = new Map<string, Map<string, string>>()
  readonly #tails = new Map<string, Map<string, string>>()

  note(kind: string, key: string, surface: string): void {
    if (key === '' || kind.length > ontologyLimits.name || !/\p{L}/u.test(kind)) return
    put(this.#things, kind, key, surface)
  }

  /** The last word of a name, where texts use it as a common noun: "University of Oslo" is a university, "Ann Smith" no smith. */
  noteTail(name: string, commons: ReadonlySet<string>): void {
    const words = (name.split(/ (?:of|for|de|du) /u)[0] ?? '').split(' ')
    const tail = usable(words.at(-1)?.toLowerCase())
    if (tail && commons.has(tail) && (words.length > 1 || name.includes(' '))) put(this.#tails, tail, nameKey(name), name)
  }

  listed(): CountedType[] {
    for (const [tail, things] of this.#tails) {
      if (things.size < MIN_TAILS && !this.#things.has(tail)) continue
      for (const [key, name] of things) this.note(tail, key, name)
    }
    return [...this.#things]
      .filter(([, things]) => things.size >= MIN)
      .sort(([a, one], [b, other]) => other.size - one.size || (a < b ? -1 : 1))
      .slice(0, max.types)
      .map(([name, things]) => ({ name, count: things.size, examples: [...things.values()].slice(0, max.examples) }))
  }

  /** The most common of the kinds that are listed. */
  of(key: string, listed: readonly CountedType[]): string | undefined {
    return listed.find(({ name }) => this.#things.get(name)?.has(key))?.name
  }
}

function put(into: Map<string, Map<string, string>>, kind: string, key: string, surface: string): void {
  const things = into.get(kind) ?? new Map<string, string>()
  into.set(kind, things)
  if (!things.has(key)) things.set(key, surface)
}

interface Pair {
  readonly document: string
  readonly subject: Named
  readonly object: Named
}

function note(said: Map<string, Map<string, Pair>>, relation: string, pair: Pair): void {
  const pairs = said.get(relation) ?? new Map<string, Pair>()
  said.set(relation, pairs)
  const key = `${pair.subject.key}\n${pair.object.key}`
  if (!pairs.has(key)) pairs.set(key, pair)
}

function relationsOf(said: ReadonlyMap<string, ReadonlyMap<string, Pair>>, kindOf: (key: string) => string | undefined): CountedRelation[] {
  return [...said]
    .filter(([, pairs]) => pairs.size >= MIN)
    .sort(([a, one], [b, other]) => other.size - one.size || (a < b ? -1 : 1))
    .slice(0, max.relations)
    .map(([name, found]) => {
      const pairs = [...found.values()]
      return {
        name,
        count: pairs.length,
        subjects: commonest(pairs.map(({ subject }) => kindOf(subject.key))),
        objects: commonest(pairs.map(({ object }) => kindOf(object.key))),
        examples: pairs.slice(0, max.examples).map(({ subject, object, document }) => ({
          subject: subject.surface,
          object: object.surface,
          document,
        })),
      }
    })
}

/** The kind that most have, where most have one; else none is demanded. */
function commonest(kinds: readonly (string | undefined)[]): string[] {
  const counts = new Map<string, number>()
  for (const kind of kinds) if (kind) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const [first] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return first && first[1] >= kinds.length * MAJORITY ? [first[0]] : []
}
