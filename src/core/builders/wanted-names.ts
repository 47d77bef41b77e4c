/**
 * Names that people want listed by every chunk that says them, whatever its builders find: those they pinned, and those they added. An added name depends
 * only on its decision, so that a graph derived again finds it in the same chunks.
 */
import type { GraphReader } from '../graph/reader'
import { chunkOf } from '../ids'
import { askedTerms } from '../text/asked-terms'
import { nameKey } from '../text/names'
import { keyWords, occurs, type Word, wordsOf } from '../text/occurrences'
import { AT_ONCE, type Rules } from './decided-chunk'
import { type Added, countedIn, RULES } from './decision-list'
import type { Mentioned } from './mention-list'
import { entityData, shownName } from './mentions'

const SCANNED = 512 // chunks looked through in one commit
const SCANS = 8 // as often, before it is said that no text says a name that the keyword index cannot find

export interface WantedName {
  readonly entity: string
  readonly key: string
  readonly surface: string
  readonly words: readonly string[]
  /** Also where a text begins it in lower case, as the person did. */
  readonly anyCase: boolean
  readonly isAdded: boolean
  /** Absent: in all. */
  readonly documents?: ReadonlySet<string>
}

export function namesWanted(graph: GraphReader, rules: Rules): readonly WantedName[] {
  const { pins, added = [] } = countedIn(graph)
  if (added.length > 0) graph.preload?.({ values: [{ space: RULES, keys: added }] })
  const pinned = pins.flatMap((entity): WantedName[] => {
    const own = rules(entity)?.added
    if (own) return [addedName(entity, { ...own, documents: undefined })]
    const node = graph.node(entity)
    const key = node ? entityData(node).key : ''
    const surface = node ? shownName(entity, Object.entries(entityData(node).aliases)) : ''
    return key === '' ? [] : [{ entity, key, surface, words: keyWords(key), anyCase: false, isAdded: false }]
  })
  const known = new Set(pins)
  return [
    ...pinned,
    ...added.flatMap((entity) => {
      const own = known.has(entity) ? undefined : rules(entity)?.added
      return own ? [addedName(entity, own)] : []
    }),
  ]
}

export function addedName(
  entity: string,
  { name, documents }: Pick<Added, 'name'> & { readonly documents?: Added['documents'] | undefined },
): WantedName {
  const key = nameKey(name)
  const words = keyWords(key)
  const anyCase = !occurs(wordsOf(name), words)
  return { entity, key, surface: name, words, anyCase, isAdded: true, ...(documents ? { documents: new Set(documents) } : {}) }
}

interface Listing {
  readonly said: readonly Mentioned[]
  readonly wanted: readonly WantedName[]
  readonly documents: () => ReadonlySet<string>
}

/** Wanted names that a chunk says and does not list: it says too many others, or no rule finds them. */
export function wantedIn(graph: GraphReader, id: string, { said, wanted, documents }: Listing): readonly Mentioned[] {
  const chunk = graph.chunk(id)
  if (!chunk) return []
  const [listed, keys] = [new Set(said.map((one) => one.entity)), new Set(said.map((one) => one.key))]
  const missing = wanted.filter((one) => !listed.has(one.entity) && !(one.isAdded && keys.has(one.key)))
  if (missing.length === 0) return []
  const units = chunk.units.map((unit) => wordsOf(chunk.text.slice(unit.start, unit.end)))
  const all = new Set(units.flatMap((unit) => unit.map((word) => word.folded)))
  return missing.flatMap((name): Mentioned[] => {
    if (!all.has(name.words[0] ?? '') || (name.documents && !overlap(name.documents, documents()))) return []
    const saying = unitsSaying(units, name)
    return saying.length === 0 ? [] : [{ entity: name.entity, key: name.key, units: saying, surfaces: [[name.surface, saying.length]] }]
  })
}

function unitsSaying(units: readonly (readonly Word[])[], { words, anyCase }: WantedName): readonly number[] {
  return units.flatMap((unit, i) => (occurs(unit, words, anyCase) ? [i] : []))
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...b].some((one) => a.has(one))
}

function says(graph: GraphReader, id: string, name: WantedName): boolean {
  const chunk = graph.chunk(id)
  if (!chunk) return false
  return (
    unitsSaying(
      chunk.units.map((unit) => wordsOf(chunk.text.slice(unit.start, unit.end))),
      name,
    ).length > 0
  )
}

export interface Slice {
  readonly chunks: readonly string[]
  /** The chunk behind which to go on; null: these were the last. */
  readonly after: string | null
}

/** The next chunks, in order of id, that say a name. */
export function nextSaying(graph: GraphReader, name: WantedName, from: string): Slice {
  const ids = graph.page('chunk', from, SCANNED)
  graph.preload?.({ chunks: ids })
  const chunks: string[] = []
  for (const id of ids) {
    if (says(graph, id, name)) chunks.push(id)
    if (chunks.length === AT_ONCE) return { chunks, after: id }
  }
  return { chunks, after: ids.length < SCANNED ? null : (ids.at(-1) ?? null) }
}

/** Chunks of some documents that say a name; one more than `most`, at most. */
export function documentsSaying(graph: GraphReader, documents: Iterable<string>, name: WantedName, most: number): readonly string[] {
  const chunks = new Set<string>()
  for (const id of documents) {
    for (const { chunk } of graph.document(id)?.chunks ?? []) {
      if (chunks.size > most) return [...chunks]
      if (says(graph, chunk, name)) chunks.add(chunk)
    }
  }
  return [...chunks]
}

/** Where the keyword index finds it: first where many texts are to be looked through. */
export function foundSaying(graph: GraphReader, name: WantedName): readonly string[] {
  const { terms } = askedTerms(name.key, graph.stemmings())
  const hits = terms.length > 0 ? graph.match(terms, AT_ONCE) : []
  return [...new Set(hits.map((hit) => chunkOf(hit.id)))].filter((id) => says(graph, id, name))
}

/** Does some text say it? Words that the index does not contain are looked for in a part of a large corpus only. */
export function isSaid(graph: GraphReader, name: WantedName): boolean {
  if (foundSaying(graph, name).length > 0) return true
  const isIndexed = askedTerms(name.key, graph.stemmings()).terms.length > 0
  let from: string | null = ''
  for (let scan = 0; from !== null && scan < (isIndexed ? 1 : SCANS); scan++) {
    const { chunks, after }: Slice = nextSaying(graph, name, from)
    if (chunks.length > 0) return true
    from = after
  }
  return false
}
