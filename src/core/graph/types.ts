/**
 * The one graph that all strategies share: what its nodes and edges are, and what a change to it looks like. Plain readonly data; nothing here
 * computes. Design: ARCHITECTURE.md, "One graph".
 */

/** Int8 components at the fixed scale of `vectors.ts`, so that integer sums of vectors are exact and reversible. */
export type Vector = Int8Array

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** A language whose words are stemmed in its own way (text/languages.ts), by its code (ISO 639-1). */
export type Stemmed = 'ar' | 'da' | 'de' | 'es' | 'fi' | 'fr' | 'hu' | 'it' | 'nl' | 'no' | 'pt' | 'ro' | 'ru' | 'sv' | 'tr'

/** Nodes that come with the documents. They are packed into their chunk's record and change only with it. */
export type TextKind = 'document' | 'chunk' | 'passage' | 'unit'
/** Nodes that builders derive and write through a patch. */
export type DerivedKind = 'entity' | 'keyword' | 'label' | 'summary' | 'community'
export type NodeKind = TextKind | DerivedKind

/**
 * A derived node. Its id names its content (`ids.ts`).
 * `text` is what search shows; it is empty until it is written, and after a deletion has blanked it.
 */
export interface GraphNode {
  readonly id: string
  readonly kind: DerivedKind
  /** 0 for entities, keywords and labels; 1 and up for summaries and communities. */
  readonly layer: number
  readonly text: string
  readonly tokens: number
  /** The vector that search compares with: the embedding of the text. */
  readonly vector?: Vector
  /** Integer sum of the members' vectors (grouping vector, keyword mean): exact under insert and delete. */
  readonly sum?: Int32Array
  /** True while `text` does not describe the present members yet. A trace must say so. */
  readonly stale?: boolean
  /** What only this kind carries; each builder documents its own shape. */
  readonly data: { readonly [key: string]: Json }
}

/**
 * Edge kinds, and the ends from which each can be walked. A kind walked from one end only costs one row instead of two.
 *  mentions   chunk → entity      `data` = ordinals of the chunk's units; read from the entity (the chunk side is packed)
 *  relates    entity – entity     description, strength; stored once with source < target, read from both ends
 *  links      document → document a text that names another document's title or lead phrase
 *  indicates  keyword → label     integer counts (GORAG)
 *  near       any – any           similarity, temporary
 *  member     node → summary or community; read from the member (what is above lists its members itself)
 *  down       C-HNSW: node of layer i → its nearest in layer i−1
 */
export const EDGE_ENDS = {
  mentions: 'target',
  relates: 'both',
  links: 'both',
  indicates: 'both',
  near: 'both',
  member: 'source',
  down: 'both',
} as const
export type EdgeKind = keyof typeof EDGE_ENDS

export interface Edge {
  readonly kind: EdgeKind
  readonly source: string
  readonly target: string
  readonly weight: number
  readonly data?: Json
}

/** A span inside the text of its chunk, in UTF-16 code units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** About 150 tokens; passages tile the chunk's own text (the overlap belongs to the chunk before). */
export interface PassageSpan extends Span {
  readonly id: string
  readonly tokens: number
}

/** A sentence. `passage` is the ordinal of the passage it lies in. */
export interface UnitSpan extends Span {
  readonly id: string
  readonly passage: number
}

/**
 * About 1,200 tokens of one document, addressed by content: two documents with the same title and text share it.
 * `text.slice(own)` is what no earlier chunk of the document owns; `text.slice(0, own)` repeats the end of the chunk before.
 */
export interface Chunk {
  readonly id: string
  readonly title: string
  /** What its sentences are about when they only say "it": the title, else the document's lead phrase. */
  readonly name: string
  readonly text: string
  readonly tokens: number
  readonly own: number
  readonly passages: readonly PassageSpan[]
  readonly units: readonly UnitSpan[]
  /** How its words are stemmed, if not like English ones; part of its id. */
  readonly language?: Stemmed
  /** What its document brought from another graph about this text; part of its id, so that only documents that bring the same share the chunk. */
  readonly brought?: Brought
}

/** Entities and relations that came with a document instead of being found in it. */
export interface Brought {
  readonly entities: readonly BroughtEntity[]
  readonly relations: readonly BroughtRelation[]
}

export interface BroughtEntity {
  readonly name: string
  /** Empty: none is known. */
  readonly type: string
  readonly description: string
}

export interface BroughtRelation {
  readonly source: string
  readonly target: string
  readonly description: string
  readonly strength: number
}

/** One vector per passage and, if a builder needs them, one per unit (else empty). */
export interface ChunkVectors {
  readonly passages: readonly Vector[]
  readonly units: readonly Vector[]
}

export interface Placed {
  readonly chunk: string
  /** Where the chunk's text begins in the document's text, in UTF-16 code units. */
  readonly start: number
}

/** A document as the graph knows it; its text is in the ledger, its chunks hold the slices. */
export interface DocumentRecord {
  readonly id: string
  readonly title: string
  readonly name: string
  readonly url: string | null
  readonly metadata: { readonly [key: string]: Json }
  readonly chunks: readonly Placed[]
}

/** Where a chunk stands: the documents that hold it, smallest id first. */
export interface Placement {
  readonly document: string
  readonly start: number
}

/** An entry of an ordered index. Keys are ASCII and unique within their space; order is by code unit. */
export interface Place {
  readonly key: string
  readonly id: string
}

export interface Hit {
  readonly id: string
  readonly score: number
}

/** A builder's own state beside the graph: small rows under (space, key), as bytes or JSON. */
export type Value = Json | Uint8Array

/** One change. Applying a patch twice is the same as applying it once. */
export type Change =
  | { readonly op: 'put-node'; readonly node: GraphNode }
  | { readonly op: 'drop-node'; readonly id: string }
  | { readonly op: 'put-edge'; readonly edge: Edge }
  | { readonly op: 'drop-edge'; readonly kind: EdgeKind; readonly source: string; readonly target: string }
  | { readonly op: 'put-place'; readonly space: string; readonly key: string; readonly id: string }
  | { readonly op: 'drop-place'; readonly space: string; readonly key: string }
  | { readonly op: 'put-value'; readonly space: string; readonly key: string; readonly value: Value }
  | { readonly op: 'drop-value'; readonly space: string; readonly key: string }
  | { readonly op: 'put-chunk'; readonly chunk: Chunk; readonly vectors: ChunkVectors }
  | { readonly op: 'drop-chunk'; readonly id: string }
  | { readonly op: 'put-document'; readonly document: DocumentRecord }
  | { readonly op: 'drop-document'; readonly id: string }

export type Patch = readonly Change[]
