/** How a document is weighted for the asker, by its publication date and its metadata; and how the hits are distributed over the values of metadata. */
import { LANGUAGE_FACET } from '../../../src/contract/metadata'
import { conditionOf, fits, type Scalar, scalarsOf } from '../../../src/core/condition'
import type { GraphReader } from '../../../src/core/graph/reader'
import type { Json } from '../../../src/core/graph/types'
import { chunkOf, kindOf } from '../../../src/core/ids'
import type { Worth } from '../../../src/core/selection'
import { type DatedSpan, freshnessOf } from '../../../src/core/text/iso-date'
import type { Boost, FacetCounts, RetrieveRequest } from '../../../src/ports/retrieval'

const MAX_VALUES = 20 // per key, the most frequent

/** Undefined: all have the same weight. Each document is looked up once. */
export function worthOf(
  { freshness, boosts = [] }: Pick<RetrieveRequest, 'freshness' | 'boosts'>,
  graph: GraphReader,
  dates: (document: string) => DatedSpan,
): Worth | undefined {
  if (!freshness && boosts.length === 0) return undefined
  const known = new Map<string | undefined, number>()
  return (document) => {
    const before = known.get(document)
    if (before !== undefined) return before
    const fresh = freshness
      ? 1 - freshness.weight + freshness.weight * freshnessOf(document === undefined ? {} : dates(document), freshness.now)
      : 1
    const metadata = boosts.length > 0 && document !== undefined ? graph.document(document)?.metadata : undefined
    const worth = boosts.reduce((product, boost) => (metadata && fitsAll(metadata, boost) ? product * boost.factor : product), fresh)
    known.set(document, worth)
    return worth
  }
}

type Metadata = { readonly [key: string]: Json }

/** Like filters: keys are joined by AND, the values of a key by OR. */
function fitsAll(metadata: Metadata, boost: Boost): boolean {
  return Object.entries(boost.metadata).every(([key, wanted]) => fits(valuesOf(metadata, key), conditionOf(wanted)))
}

/** A key may have the name of something that every object has: `toString`. */
function valuesOf(metadata: Metadata, key: string): readonly Scalar[] {
  return scalarsOf(Object.hasOwn(metadata, key) ? metadata[key] : undefined)
}

/** Over the documents of these hits, each counted once, as the graph shows them. */
export function countFacets(
  graph: GraphReader,
  hits: readonly string[],
  keys: readonly string[],
  admits: (document: string) => boolean,
  languagesOf: (documents: readonly string[]) => readonly (readonly [document: string, language: string])[],
): FacetCounts {
  const chunks = hits.flatMap((id) => (kindOf(id) === 'chunk' ? id : kindOf(id) === 'passage' || kindOf(id) === 'unit' ? chunkOf(id) : []))
  const documents = new Set([...new Set(chunks)].flatMap((chunk) => graph.placements(chunk).map((place) => place.document)).filter(admits))
  const languages = new Map(keys.includes(LANGUAGE_FACET) ? languagesOf([...documents]) : [])
  const metadata = [...documents].map((id): Metadata => {
    const language = languages.get(id)
    return { ...graph.document(id)?.metadata, [LANGUAGE_FACET]: language === undefined ? [] : language }
  })
  const counted = keys.map((key): [string, FacetCounts[string]] => {
    const counts = new Map<string, number>()
    for (const one of metadata)
      for (const value of new Set(valuesOf(one, key).map((own) => JSON.stringify(own)))) counts.set(value, (counts.get(value) ?? 0) + 1)
    const sorted = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, MAX_VALUES)
    return [key, sorted.map(([value, n]) => ({ value: JSON.parse(value) as Scalar, documents: n }))]
  })
  return Object.fromEntries(counted)
}
