/**
 * The link channel: personalised PageRank from the documents of the best passages and those the question names, over `links` between documents
 * and, more faintly, over the rare names they share. Bounded: at most `pushes` nodes are expanded; a document costs two range reads, and for
 * the heaviest ones one more per name in their first chunks.
 */
import { type Neighbour, pagerank } from '../algorithms/pagerank'
import { mentionedIn } from '../builders/mention-list'
import { memoize } from '../builders/said-names'
import type { GraphReader } from '../graph/reader'
import type { Edge, Hit } from '../graph/types'
import { chunkOf } from '../ids'

export const linkWalk = {
  restart: 0.5, // half of the mass stays within one step: questions are about neighbours, not hubs
  tolerance: 0.004, // of the seed mass; with half of that, more documents are read and recall at 5 is the same
  pushes: 160, // nodes expanded
  degree: 48, // links read of a document, each way; a document with more is a hub, whose links mean little
  seeds: 20, // passages whose documents are seeds
  sharers: 12, // chunks a name may be in to connect them; in more it is a topic, not a connection
  shared: 0.1, // weight of a shared name beside a link: ten of them are worth one document naming another
  readers: 6, // documents, heaviest first, whose names are followed; with twelve, recall at 5 is the same
  chunks: 2, // of a document, whose names are followed
} as const

/** Documents that hold a passage: more than one where the same text is in several. */
export function documentsOf(graph: GraphReader, passage: string): readonly string[] {
  return holders(graph, chunkOf(passage))
}

/** Squared, so that a clear winner is followed but a long tail is not. A named document weighs half as much as the best passage. */
export function seedsOf(graph: GraphReader, passages: readonly Hit[], named: readonly string[]): Map<string, number> {
  const seeds = new Map<string, number>()
  const add = (document: string, mass: number): void => {
    seeds.set(document, (seeds.get(document) ?? 0) + mass)
  }
  const max = passages[0]?.score ?? 1
  graph.preload?.({ placements: passages.slice(0, linkWalk.seeds).map((hit) => chunkOf(hit.id)) })
  for (const hit of passages.slice(0, linkWalk.seeds)) for (const document of documentsOf(graph, hit.id)) add(document, hit.score ** 2)
  for (const document of named) add(document, max ** 2 / 2)
  return seeds
}

/** Documents with their share of the walk. */
export function walkLinks(graph: GraphReader, seeds: ReadonlyMap<string, number>): readonly Hit[] {
  const places = new Map<string, readonly Neighbour[]>()
  const reading = namesRead(graph)
  let readers = 0
  const around = (id: string): readonly Neighbour[] => {
    const sharing = places.get(id)
    if (sharing) return sharing
    return [...neighbours(graph, id), ...(readers++ < linkWalk.readers ? namesOf(reading, id, places) : [])]
  }
  const expect = (ids: readonly string[]): void => {
    if (!graph.preload) return
    const documents = ids.filter((id) => !places.has(id))
    const ends = ['source', 'target'] as const
    graph.preload({ incident: ends.map((end) => ({ kind: 'links', end, ids: documents })) })
    preloadNames(graph, reading, documents.slice(0, Math.max(0, linkWalk.readers - readers)))
  }
  const scores = pagerank(seeds, around, linkWalk, expect)
  return [...scores].filter(([id]) => !places.has(id)).map(([id, score]) => ({ id, score }))
}

/** What one walk reads of names, each once. */
interface NamesRead {
  /** In the first chunks of a document. */
  readonly in: (document: string) => readonly string[]
  /** Where a name is mentioned; none where that is nowhere else, or in too many places. */
  readonly sharers: (name: string) => readonly Edge[]
  readonly holders: (chunk: string) => readonly string[]
}

function namesRead(graph: GraphReader): NamesRead {
  return {
    in: memoize((document) => [
      ...new Set(firstChunks(graph, document).flatMap((chunk) => mentionedIn(graph, chunk).map((one) => one.entity))),
    ]),
    sharers: memoize((name) => sharers(graph, name)),
    holders: memoize((chunk) => holders(graph, chunk)),
  }
}

/** What `namesOf` reads of these documents, together. */
function preloadNames(graph: GraphReader, reading: NamesRead, documents: readonly string[]): void {
  if (!graph.preload || documents.length === 0) return
  graph.preload({ documents })
  graph.preload({ mentioned: documents.flatMap((document) => firstChunks(graph, document)) })
  const names = [...new Set(documents.flatMap(reading.in))]
  graph.preload({ incident: [{ kind: 'mentions', end: 'target', ids: names, enough: linkWalk.sharers + 1 }] })
  graph.preload({ placements: names.flatMap((name) => reading.sharers(name).map((edge) => edge.source)) })
}

function firstChunks(graph: GraphReader, document: string): readonly string[] {
  return (graph.document(document)?.chunks ?? []).slice(0, linkWalk.chunks).map(({ chunk }) => chunk)
}

function sharers(graph: GraphReader, name: string): readonly Edge[] {
  if (graph.degreeTo('mentions', name, linkWalk.sharers + 1) > linkWalk.sharers) return []
  const edges = graph.edgesTo('mentions', name, linkWalk.sharers)
  return edges.length < 2 ? [] : edges
}

function neighbours(graph: GraphReader, document: string): readonly Neighbour[] {
  return linkedDocuments(graph, document).map((id) => ({ id, weight: 1 }))
}

/** Documents it names or is named by. */
export function linkedDocuments(graph: GraphReader, document: string): readonly string[] {
  const there = graph.edges('links', document, linkWalk.degree).map((edge) => edge.target)
  const back = graph.edgesTo('links', document, linkWalk.degree).map((edge) => edge.source)
  return [...new Set([...there, ...back])]
}

/** Names a document shares with few others; where they lead is kept in `places`, since it was read to know that they are few. */
function namesOf(reading: NamesRead, document: string, places: Map<string, readonly Neighbour[]>): readonly Neighbour[] {
  return reading.in(document).flatMap((entity) => {
    const known = places.get(entity)
    const edges = known ? [] : reading.sharers(entity)
    if (!known && edges.length === 0) return []
    if (!known)
      places.set(
        entity,
        edges.flatMap((edge) => reading.holders(edge.source)).map((id) => ({ id, weight: 1 })),
      )
    return [{ id: entity, weight: linkWalk.shared }]
  })
}

function holders(graph: GraphReader, chunk: string): readonly string[] {
  return [...new Set(graph.placements(chunk).map((place) => place.document))]
}
