/**
 * What is read of one part of a corpus that is kept in several, many reads at once: a question's walk runs elsewhere, over all parts (joint-graph.ts). A
 * thing comes with what is nearly always needed next, so that few rounds suffice. Pure; every list is bounded.
 */
import { NAMES } from '../builders/document-names'
import { MENTIONS } from '../builders/mention-list'
import { homesOf } from '../graph/homes'
import type { Admits, Below, GraphReader, Home, Range, Trees } from '../graph/reader'
import type {
  Chunk,
  DocumentRecord,
  Edge,
  EdgeKind,
  GraphNode,
  Hit,
  NodeKind,
  Place,
  Placement,
  Stemmed,
  Value,
  Vector,
} from '../graph/types'
import { chunkOf } from '../ids'
import { matchJointly, type Statistics } from './match'

export const readLimits = {
  opened: 16, // of the passages that a part finds by words, those of which the chunk comes along
  homes: 100, // hits of which it is told where they stand: as many as a question weighs by their documents
  links: 64, // of a document, each way
  sayers: 32, // chunks that mention a name, up to which it is told where each stands
  relations: 16, // of an entity, with which it comes
  list: 256, // edges, places or values of one read
} as const

export type Read =
  | readonly ['chunk' | 'document' | 'node' | 'vector' | 'above' | 'below', string]
  | readonly ['edge', EdgeKind, string, string]
  | readonly ['edges' | 'edgesTo', EdgeKind, string, number]
  | readonly ['degree', EdgeKind, string]
  | readonly ['order', string, Range]
  | readonly ['value', string, string]
  | readonly ['values', string, string, number]
  | readonly ['frequency', string]
  | readonly ['match', readonly string[], MatchWish]

export interface MatchWish {
  readonly limit: number
  /** How many of them are scored by the numbers of all parts; those behind keep the order of the part. */
  readonly exact: number
  readonly statistics: Statistics
}

/** A chunk with where it stands and what it mentions. */
export interface ChunkRead {
  readonly chunk: Chunk
  readonly placements: readonly Placement[]
  readonly mentions: Value | undefined
}

/** A document with its links, and the chunks that mention its name. */
export interface DocumentRead {
  readonly document: DocumentRecord
  readonly out: readonly Edge[]
  readonly back: readonly Edge[]
}

/** A derived node with its strongest relations. */
export interface NodeRead {
  readonly node: GraphNode
  readonly relates: readonly Edge[]
}

/** A summary with the chunks that bear it out, and the documents these stand in. */
export interface BelowRead extends Below, Pick<MatchRead, 'chunks' | 'documents'> {}

export interface EdgesRead {
  readonly edges: readonly Edge[]
  /** Where the chunks that mention an entity stand. */
  readonly placed?: readonly (readonly [chunk: string, readonly Placement[]])[]
}

export interface PlacesRead {
  readonly places: readonly Place[]
  /** Documents of these names, with their first chunks. */
  readonly documents?: readonly DocumentRead[]
  readonly chunks?: readonly ChunkRead[]
}

export interface MatchRead {
  readonly hits: readonly Hit[]
  /** The part has no others. */
  readonly isAll: boolean
  /** Of the best hits. */
  readonly chunks: readonly ChunkRead[]
  readonly documents: readonly DocumentRead[]
  readonly vectors: readonly (readonly [passage: string, Vector])[]
  /** The documents of the best hits. Absent: from an object that a deployment has not reached yet. */
  readonly homes?: readonly (readonly [chunk: string, Home])[]
}

export interface Counts {
  readonly version: number
  /** Length of its vectors. */
  readonly dimensions: number
  /** By kind, and by kind and layer. */
  readonly nodes: { readonly [kind: string]: number }
  readonly stemmings: readonly (Stemmed | null)[]
  /** Terms of all passages together. */
  readonly length: number
  readonly isPartial: boolean
}

const KINDS: readonly NodeKind[] = ['document', 'chunk', 'passage', 'unit', 'entity', 'keyword', 'label', 'summary', 'community']
const LAYERS = 12 // more than a tree of a million chunks has

export function countsOf(graph: GraphReader): Counts {
  const nodes: { [kind: string]: number } = {}
  for (const kind of KINDS) {
    nodes[kind] = graph.count(kind)
    if (kind !== 'summary' && kind !== 'community') continue
    for (let layer = 1; layer <= LAYERS; layer++) nodes[`${kind} ${layer}`] = graph.count(kind, layer)
  }
  return {
    version: graph.version,
    dimensions: graph.dimensions,
    nodes,
    stemmings: graph.stemmings().map((one) => one ?? null),
    length: (graph.lexicon?.meanLength() ?? 0) * graph.count('passage'),
    isPartial: graph.isPartial === true,
  }
}

/** In the order of the reads; undefined if there is nothing. `admits`: for what comes from the keyword index. `trees`: those of the part, for the question. */
export function answerReads(graph: GraphReader, reads: readonly Read[], admits?: Admits, trees?: Trees): readonly unknown[] {
  preload(graph, reads)
  return reads.map((read) => answerRead(graph, read, admits, trees))
}

function preload(graph: GraphReader, reads: readonly Read[]): void {
  const of = (kind: Read[0]): readonly Read[] => reads.filter((read) => read[0] === kind)
  const names = of('order').flatMap((read) => (read[1] === NAMES ? [read[2] as Range] : []))
  const space = { space: NAMES, limit: Math.max(1, ...names.map((one) => one.limit)) }
  graph.preload?.({
    nodes: of('node').map((read) => read[1] as string),
    placements: of('chunk').map((read) => read[1] as string),
    values: [{ space: MENTIONS, keys: of('chunk').map((read) => read[1] as string) }],
    ...(names.length > 0 ? { places: { ...space, ranges: names.map(({ from = '', to = '' }) => [from, to] as const) } } : {}),
  })
}

function answerRead(graph: GraphReader, read: Read, admits: Admits | undefined, trees: Trees | undefined): unknown {
  switch (read[0]) {
    case 'above':
      return trees?.above(read[1]).flatMap((id) => belowRead(graph, trees, id) ?? [])
    case 'below':
      return trees && belowRead(graph, trees, read[1])
    case 'chunk':
      return chunkRead(graph, read[1])
    case 'document':
      return documentRead(graph, read[1])
    case 'node':
      return nodeRead(graph, read[1])
    case 'vector':
      return graph.vector(read[1])
    case 'edge':
      return graph.edge(read[1], read[2], read[3])
    case 'edges':
    case 'edgesTo':
      return edgesRead(graph, read)
    case 'degree':
      return graph.degreeTo(read[1], read[2])
    case 'order':
      return placesRead(graph, read[1], read[2])
    case 'value':
      return graph.value(read[1], read[2])
    case 'values':
      return graph.values(read[1], read[2], Math.min(read[3], readLimits.list))
    case 'frequency':
      return graph.frequency([read[1]])[0] ?? 0
    case 'match':
      return matchRead(graph, read[1], read[2], admits)
  }
}

function chunkRead(graph: GraphReader, id: string): ChunkRead | undefined {
  const chunk = graph.chunk(id)
  return chunk && { chunk, placements: graph.placements(id), mentions: graph.value(MENTIONS, id) }
}

function documentRead(graph: GraphReader, id: string): DocumentRead | undefined {
  const document = graph.document(id)
  if (!document) return undefined
  return { document, out: graph.edges('links', id, readLimits.links), back: graph.edgesTo('links', id, readLimits.links) }
}

function nodeRead(graph: GraphReader, id: string): NodeRead | undefined {
  const node = graph.node(id)
  return node && { node, relates: node.kind === 'entity' ? graph.edges('relates', id, readLimits.relations) : [] }
}

function belowRead(graph: GraphReader, trees: Trees, summary: string): BelowRead | undefined {
  const below = trees.below(summary)
  return below && { ...below, ...openedOf(graph, below.support) }
}

function edgesRead(graph: GraphReader, [way, kind, id, limit]: readonly ['edges' | 'edgesTo', EdgeKind, string, number]): EdgesRead {
  const most = Math.min(limit, readLimits.list)
  const edges = way === 'edges' ? graph.edges(kind, id, most) : graph.edgesTo(kind, id, most)
  if (kind !== 'mentions' || limit > readLimits.sayers) return { edges }
  graph.preload?.({ placements: edges.map((edge) => edge.source) })
  return { edges, placed: edges.map((edge) => [edge.source, graph.placements(edge.source)] as const) }
}

function placesRead(graph: GraphReader, space: string, range: Range): PlacesRead {
  const places = graph.order(space, { ...range, limit: Math.min(range.limit, readLimits.list) })
  if (space !== NAMES) return { places }
  const documents = places.flatMap((place) => documentRead(graph, place.id) ?? [])
  return { places, documents, chunks: documents.flatMap(({ document }) => chunkRead(graph, document.chunks[0]?.chunk ?? '') ?? []) }
}

function matchRead(graph: GraphReader, terms: readonly string[], wish: MatchWish, admits: Admits | undefined): MatchRead {
  const hits = matchJointly(graph, terms, wish, admits)
  const chunks = [...new Set(hits.slice(0, readLimits.homes).map((hit) => chunkOf(hit.id)))]
  return {
    hits,
    isAll: hits.length < wish.limit,
    ...openedOf(
      graph,
      hits.map((hit) => hit.id),
    ),
    vectors: hits.flatMap(({ id }) => {
      const vector = graph.vector(id)
      return vector ? [[id, vector] as const] : []
    }),
    homes: homesOf(graph, chunks).flatMap((home, i) => (home ? [[chunks[i] ?? '', home] as const] : [])),
  }
}

/** The chunks of the first of these passages or sentences, and the documents these stand in. */
export function openedOf(graph: GraphReader, parts: readonly string[]): Pick<MatchRead, 'chunks' | 'documents'> {
  const opened = [...new Set(parts.slice(0, readLimits.opened).map(chunkOf))]
  const chunks = opened.flatMap((id) => chunkRead(graph, id) ?? [])
  const ids = new Set(chunks.flatMap(({ placements }) => placements.map((one) => one.document)))
  return { chunks, documents: [...ids].flatMap((id) => documentRead(graph, id) ?? []) }
}
