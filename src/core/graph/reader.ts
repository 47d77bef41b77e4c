/**
 * How everything that thinks reads the graph: synchronously, one version at a time.
 * Two implementations (memory, the object's SQLite) pass one contract suite (test/core/graph/contract.ts).
 * Every list has a total order, so that the same graph always gives the same answer.
 */
import type { SentenceTerms } from '../text/sentence-terms'
import type { Chunk, DocumentRecord, Edge, EdgeKind, GraphNode, Hit, NodeKind, Place, Placement, Stemmed, Value, Vector } from './types'

/** A text node by itself: a passage or a unit with the text it stands for. */
export interface TextNode {
  readonly id: string
  readonly kind: 'passage' | 'unit'
  readonly chunk: string
  readonly ordinal: number
  /** Offsets inside the chunk's text. */
  readonly start: number
  readonly end: number
  readonly text: string
  readonly tokens: number
}

export interface KeyedValue {
  readonly key: string
  readonly value: Value
}

export interface Range {
  /** Inclusive. */
  readonly from?: string
  /** Inclusive. */
  readonly to?: string
  readonly limit: number
  readonly descending?: boolean
}

/** May what a chunk says be shown? If the same function is passed again, the keyword index learns how much it admits. */
export type Admits = (chunk: string) => boolean

/** Edges at one end of many nodes. */
export interface Incident {
  readonly kind: EdgeKind
  readonly end: 'source' | 'target'
  readonly ids: readonly string[]
  /** How many are needed for each node; absent: all. */
  readonly enough?: number
}

/** What is about to be read, one by one. */
export interface Preload {
  readonly documents?: readonly string[]
  /** Including their texts: if they are many and large, only some may be kept. */
  readonly chunks?: readonly string[]
  readonly nodes?: readonly string[]
  readonly edges?: readonly Pick<Edge, 'kind' | 'source' | 'target'>[]
  readonly incident?: readonly Incident[]
  /** Chunks whose passages or units will be compared by vector. */
  readonly vectors?: { readonly passages?: readonly string[]; readonly units?: readonly string[] }
  /** Keys of a space. */
  readonly values?: readonly { readonly space: string; readonly keys: readonly string[] }[]
  /** Chunks of which it will be asked what they mention. */
  readonly mentioned?: readonly string[]
  /** Nodes of which one field will be asked for. */
  readonly fields?: { readonly name: string; readonly nodes: readonly string[] }
  /** Chunks for which it will be asked where they stand. */
  readonly placements?: readonly string[]
  /** Chunks of which the sentences' terms will be asked for. */
  readonly sentences?: readonly string[]
  /** Ranges of an ordered index, ascending, with both ends. */
  readonly places?: { readonly space: string; readonly ranges: readonly (readonly [from: string, to: string])[]; readonly limit: number }
}

/** An entity that a chunk mentions, and in which of its units (builders/mention-list.ts). */
export interface MentionedIn {
  readonly entity: string
  readonly units: readonly number[]
}

/** The document that a chunk stands in: the first by id, if there are several. */
export interface Home {
  readonly document: string
  /** How many passages it has; of a document of many chunks only some are counted (`homesOf`), the same ones in every graph. */
  readonly passages: number
}

/** What a node is linked to, and how strongly. */
export interface Neighbours {
  readonly ids: readonly string[]
  readonly weights: readonly number[]
}

/** What BM25 needs to know of a passage, its title included. */
export interface TermCounts {
  /** Terms in all, with repeats. */
  readonly length: number
  /** Of each term that was asked for, in that order. */
  readonly counts: readonly number[]
}

export interface Lexicon {
  /** Mean length of a passage, in terms. */
  meanLength(): number
  /** For each passage how often it says each of these terms; undefined where it is gone. */
  counts(passages: readonly string[], terms: readonly string[]): readonly (TermCounts | undefined)[]
}

/** What a question never reads: what texts mention and how documents are linked; vectors of passages; how long the documents are that passages stand in. */
export type Omitted = 'names' | 'vectors' | 'homes'

/** The passages with any of these words that a question may be shown, as `match` finds them. */
export type Search = (terms: readonly string[], limit: number) => readonly Hit[]

/** What a question needs of trees of summaries, told by whoever has them. */
export interface Trees {
  /** The summaries above a chunk, lowest first. */
  above(chunk: string): readonly string[]
  summary(id: string): ToldSummary | undefined
  /** The passages below it that bear it out, best first. */
  support(summary: string): readonly string[]
}

export interface ToldSummary {
  readonly node: GraphNode
  /** The question's filter admits everything below it. */
  readonly isAdmitted: boolean
  /** How often its text has each of the question's terms, those that it has not included; absent: nobody has counted. */
  readonly said?: readonly (readonly [term: string, times: number])[]
}

export interface GraphReader {
  /** A hint, for when many reads at once cost far less than one by one; answers are the same without it. */
  preload?(wanted: Preload): void

  /** The commit this reading belongs to. */
  readonly version: number
  /** Some of the graph is hidden from its reader: searches that go other ways look at more candidates than are wanted. */
  readonly isPartial?: boolean
  /** Length of every vector; fixed when the corpus is created. */
  readonly dimensions: number

  /** How many nodes of a kind (and layer) there are. O(1). */
  count(kind: NodeKind, layer?: number): number

  /** How the words of its texts are stemmed; undefined: as by `terms()` without a language. Empty if there are no texts. O(1). */
  stemmings(): readonly (Stemmed | undefined)[]

  /** A derived node. */
  node(id: string): GraphNode | undefined
  chunk(id: string): Chunk | undefined
  /** A passage or unit by its id. */
  text(id: string): TextNode | undefined
  document(id: string): DocumentRecord | undefined
  /** Documents holding the chunk, smallest document id first, then by start. */
  placements(chunk: string): readonly Placement[]
  /** For each chunk, the document it stands in. Absent: `homesOf` reads places, records and chunks. */
  homes?(chunks: readonly string[]): readonly (Home | undefined)[]
  /** The vector of any node. A chunk's is the normalised mean of its passages'. Undefined while there is none. */
  vector(id: string): Vector | undefined

  /** One edge by its ends (in either order if they are equals). O(log n). */
  edge(kind: EdgeKind, source: string, target: string): Edge | undefined
  /** Edges leaving `source`, heaviest first, then by target; `relates` and `near` also when `source` is their target. Throws for kinds not walked from that end. */
  edges(kind: EdgeKind, source: string, limit?: number): readonly Edge[]
  /**
   * The other ends of the edges that `edges` gives for each source, at most `NEIGHBOURS`, without the data of the edges: for walks over much of a
   * graph. Absent: `neighboursOf` asks `edges`.
   */
  neighbours?(kind: EdgeKind, sources: readonly string[]): readonly Neighbours[]
  /** What a chunk mentions, without how it is written there: a sixth of the list to keep. Absent: `mentionedIn` reads the list. */
  mentioned?(chunk: string): readonly MentionedIn[]
  /** One number of a derived node's data, without the rest of the node; undefined: there is no such node, or it has none. Absent: the node is read. */
  field?(node: string, name: string): number | undefined
  /** Edges arriving at `target`, heaviest first, then by source. If both ends are equals: the same as `edges`. */
  edgesTo(kind: EdgeKind, target: string, limit?: number): readonly Edge[]
  /** Number of edges that `edgesTo` would give; counting may stop at `enough`. */
  degreeTo(kind: EdgeKind, target: string, enough?: number): number

  /** Entries of an ordered index within a range, in key order (or its reverse). O(log n + limit). */
  order(space: string, range: Range): readonly Place[]
  value(space: string, key: string): Value | undefined
  /** The values of these keys, in their order: many at once cost far less than one by one. */
  valuesOf(space: string, keys: readonly string[]): readonly (Value | undefined)[]
  /** Values of a space in key order, from a key on (inclusive). */
  values(space: string, from: string, limit: number): readonly KeyedValue[]
  /** The whole of a space in key order, kept for the next caller; undefined if that is too much, and `values` must be used. For what every question reads. */
  keptValues?(space: string): readonly KeyedValue[] | undefined

  /**
   * BM25 over passages (k1 1.2, b .75; title and text indexed as one), any of the terms, best first, then by id. Terms come from `terms()`. With
   * `admits`: only passages of admitted chunks, as many of those as there are.
   */
  match(terms: readonly string[], limit: number, admits?: Admits): readonly Hit[]
  /** In how many passages each term occurs (including titles). Where counting is expensive it stops at `enough`; otherwise larger numbers may be returned. */
  frequency(terms: readonly string[], enough?: number): readonly number[]

  /** Present if trees of summaries are elsewhere (core/joint), each whole where its chunks are: what is told of them. Absent: they are in this graph. */
  readonly trees?: Trees

  /** The numbers behind the keyword index, for adding up several graphs. Absent if it does not tell. */
  readonly lexicon?: Lexicon

  /** The sentences of a chunk's own text (`ownText`) with their terms, if they are kept beside it. */
  sentences?(chunk: string): SentenceTerms | undefined

  /** The ids of all documents, chunks (or derived nodes of a kind), in order, after an id (exclusive), for paged work that needs the whole graph. */
  page(kind: 'document' | 'chunk' | GraphNode['kind'], after: string, limit: number): readonly string[]
}

export const NEIGHBOURS = 256 // for one node: further neighbours of a hub tell nothing

/** Ids and keys are ordered by code point everywhere. Arrays that are returned are shared: never write into them. */

/** Edges whose ends are equals: stored once with source < target, walked from either. */
export const SYMMETRIC: ReadonlySet<EdgeKind> = new Set<EdgeKind>(['relates', 'near'])
