/** The read model's other side: the graph as it is listed, and the databases it is read from. */
import type { ListedNode, Neighbourhood } from '../core/graph/listed'
import type { CorpusRef } from './corpus'
import type { CorpusObject } from './object'
import type { RowPage, RowTable, StoredPage } from './read-model'

/** The databases corpora are read from. */
export interface DataPool {
  /** The least filled, and of those about equally filled the one with the fewest corpora. Null: each holds `limit` bytes or more. */
  choose(jurisdiction?: string): Promise<string | null>
  /** A dedicated database with its index (both bound) in which no corpus is, a deleted one that is still being cleared away included. Null: there is none. */
  chooseDedicated(jurisdiction?: string): Promise<{ readonly database: string; readonly number: number } | null>
  /** Bytes a database may hold before it takes nothing more. */
  readonly limit: number
}

/** The read model's other side. */
export interface Listings {
  /** Everything up to this version is in D1. */
  version(corpus: CorpusRef): Promise<number>
  /** By id, from an id on (exclusive). `q`: entities whose name contains it, whatever its case. */
  nodes(
    corpus: CorpusRef,
    where: { readonly kind: string; readonly layer?: number; readonly q?: string },
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly ListedNode[]>
  /** How many nodes of a kind each layer has. */
  layers(corpus: CorpusRef, kind: string): Promise<readonly { readonly layer: number; readonly count: number }[]>
  /** Around a node, both ways along every edge; without a node, the top of the graph. Null: no such node. `links` gives the edges that have no rows. */
  around(
    corpus: CorpusRef,
    from: { readonly node: string | null; readonly depth: number; readonly limit: number },
    links: CorpusObject['links'],
  ): Promise<Neighbourhood | null>
  /** Rows as they stand there, for an export. */
  page(corpus: CorpusRef, table: RowTable, from: RowPage): Promise<StoredPage>
}
