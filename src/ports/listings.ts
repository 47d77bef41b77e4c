/** The reading side of the read model: how the graph is listed, and which databases it is read from. */
import type { ListedNode, MentionPlace, Neighbourhood } from '../core/graph/listed'
import type { CorpusRef } from './corpus'
import type { CorpusObject } from './object'
import type { RowPage, RowTable, StoredPage } from './read-model'

/** The databases that corpora are read from. */
export interface DataPool {
  /** The least filled one, and among about equally filled ones the one with the fewest corpora. Null: each holds `limit` bytes or more. */
  choose(jurisdiction?: string): Promise<string | null>
  /** A dedicated database with its index (both bound) that no corpus occupies, not even a deleted one still being cleared. Null: there is none. */
  chooseDedicated(jurisdiction?: string): Promise<{ readonly database: string; readonly number: number } | null>
  /** How many bytes a database may hold before it accepts nothing more. */
  readonly limit: number
}

/** The reading side of the read model. */
export interface Listings {
  /** Everything up to this version is in D1. */
  version(corpus: CorpusRef): Promise<number>
  /** By id, after a given id (exclusive). `q`: entities whose name contains it, ignoring case. */
  nodes(
    corpus: CorpusRef,
    where: { readonly kind: string; readonly layer?: number; readonly q?: string },
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly ListedNode[]>
  /** Entities that several chunks mention, most first, then by name; after a given place (exclusive). `q`: as for `nodes`. */
  mentioned(
    corpus: CorpusRef,
    q: string | undefined,
    page: { readonly after: MentionPlace | null; readonly limit: number },
  ): Promise<readonly ListedNode[]>
  /** How many nodes of a kind each layer has. */
  layers(corpus: CorpusRef, kind: string): Promise<readonly { readonly layer: number; readonly count: number }[]>
  /**
   * Around a node, in both directions along every edge; without a node, the top of the graph. Null: no such node. `links` returns the edges
   * that have no rows.
   */
  around(
    corpus: CorpusRef,
    from: { readonly node: string | null; readonly depth: number; readonly limit: number },
    links: CorpusObject['links'],
  ): Promise<Neighbourhood | null>
  /** Rows as stored, for an export. */
  page(corpus: CorpusRef, table: RowTable, from: RowPage): Promise<StoredPage>
}
