/** The read model (D1): what the object publishes to it, and what it stores. */
import type { Chunk, DocumentRecord, Edge, EdgeKind, GraphNode } from '../core/graph/types'
import type { CorpusRef } from './corpus'

/** What the outbox sends the read model. Vectors, ordered indexes and builders' values stay in the object. */
export type Published =
  | { readonly op: 'put-document'; readonly document: DocumentRecord }
  | { readonly op: 'drop-document'; readonly id: string }
  | { readonly op: 'put-chunk'; readonly chunk: Chunk }
  | { readonly op: 'drop-chunk'; readonly id: string }
  /** `bearer`: for an entity that shares its name with another, the first document with the name that is about this one. */
  | { readonly op: 'put-node'; readonly node: Omit<GraphNode, 'vector' | 'sum'>; readonly bearer?: string }
  | { readonly op: 'drop-node'; readonly id: string }
  | { readonly op: 'put-edge'; readonly edge: Edge }
  | { readonly op: 'drop-edge'; readonly kind: EdgeKind; readonly source: string; readonly target: string }

export type RowTable = 'document' | 'chunk' | 'node' | 'edge'

/** A row of the read model, as far as an export contains it (core/graph/state.ts hashes the same fields). */
export type StoredRow =
  | { readonly table: 'document'; readonly row: Omit<DocumentRecord, 'name'> }
  | { readonly table: 'chunk'; readonly row: Pick<Chunk, 'id' | 'title' | 'text' | 'tokens' | 'own'> }
  | { readonly table: 'node'; readonly row: Omit<GraphNode, 'vector' | 'sum'> }
  | { readonly table: 'edge'; readonly row: Edge }

export interface StoredPage {
  readonly rows: readonly StoredRow[]
  /** Their approximate size in bytes. */
  readonly bytes: number
  /** The key to continue from; null: there are no more. */
  readonly next: string | null
}

/** After a key (exclusive; '' for the first): at most this many rows, and none beyond this many bytes. At least one row. */
export interface RowPage {
  readonly after: string
  readonly rows: number
  readonly bytes: number
}

/** D1. Each call is atomic and may be repeated; rows carry the version that wrote them and an older version never overwrites a newer one. */
export interface ReadModel {
  /**
   * `version`: of the state the changes were read from. `upto`: everything up to this version is there once this call has ended. `rows`:
   * how many were written, including those of indexes: each is paid for. `bytes`: what the database, shared with other corpora, holds now.
   */
  publish(
    corpus: CorpusRef,
    at: { readonly version: number; readonly upto: number },
    changes: readonly Published[],
  ): Promise<{ readonly rows: number; readonly bytes: number }>
  /** Deletes every row of the corpus. Called repeatedly until it returns 0. */
  drop(corpus: CorpusRef): Promise<number>
  /** Deletes the last row of a dropped corpus, which keeps late writes out: once no call can be that late any more. */
  forget(corpus: CorpusRef): Promise<void>
  /**
   * Keys of a table, after a key (exclusive; '' for the first), in the order of the database. A document, chunk or node has its id as its
   * key, an edge the JSON list of source, kind and target. Together with `rows` it shows whether D1 holds what the object holds.
   */
  keys(corpus: CorpusRef, table: RowTable, after: string, limit: number): Promise<readonly string[]>
  /** Those of these rows that exist. */
  rows(corpus: CorpusRef, table: RowTable, keys: readonly string[]): Promise<readonly StoredRow[]>
  /**
   * How many bytes the corpus's database holds, including those of other corpora, and how many it may hold before it accepts nothing more.
   */
  size(corpus: CorpusRef): Promise<{ readonly bytes: number; readonly max: number }>
}
