/**
 * What is read of one part of a corpus that is kept in several, many reads at once: a question's walk runs elsewhere, over all parts (joint-graph.ts). A
 * thing comes with what is nearly always needed next, so that few rounds suffice. Every list is bounded. What a part answers: answering.ts.
 */
import type { Home, Range, ToldSummary } from '../graph/reader'
import type { Chunk, DocumentRecord, Edge, EdgeKind, GraphNode, Hit, Place, Placement, Stemmed, Value, Vector } from '../graph/types'
import type { Statistics } from './match'

export const readLimits = {
  opened: 16, // of the passages that a part finds by words, those of which the chunk comes along
  homes: 100, // hits of which it is told where they stand: as many as a question weighs by their documents
  links: 64, // of a document, each way
  sayers: 32, // chunks that mention a name, up to which it is told where each stands
  relations: 16, // of an entity, with which it comes
  list: 256, // edges, places or values of one read
} as const

export type Read =
  | readonly ['chunk' | 'document' | 'node' | 'vector' | 'below', string]
  | readonly ['above', string, isOpened: boolean]
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

/** A summary; the first above a chunk comes with that chunk and its documents, if these are not known yet. */
export interface SummaryRead extends ToldSummary, Pick<MatchRead, 'chunks' | 'documents'> {}

/** A summary with the passages that bear it out, their chunks, and the documents these stand in. */
export interface BelowRead extends SummaryRead {
  readonly support: readonly string[]
}

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
