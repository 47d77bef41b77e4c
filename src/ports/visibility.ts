/** Things of the graph, as an asker may see them. */
import type { Edge, GraphNode } from '../core/graph/types'
import type { Dates } from '../core/text/iso-date'
import type { Outline } from '../core/text/outline'

/** Things of the graph by what names them. */
export interface Seeable {
  readonly documents?: readonly string[]
  readonly chunks?: readonly string[]
  readonly nodes?: readonly string[]
  /** The outlines of the documents, and their languages, are wanted, too. */
  readonly withOutlines?: boolean
  readonly edges?: readonly Pick<Edge, 'kind' | 'source' | 'target'>[]
  /** Also what is switched off, to those who may read it: for an export, not for a view of the graph. */
  readonly withInactive?: boolean
}

export interface Seen {
  /** The labels of each document, by id. */
  readonly documents: { readonly [id: string]: readonly string[] }
  /** Those of them that are switched off. */
  readonly inactive: readonly string[]
  /** What came with a document, by its id. */
  readonly outlines?: { readonly [id: string]: Outline }
  /** Of those whose language is known, its code. */
  readonly languages?: { readonly [id: string]: string }
  /** Of those that have any. */
  readonly dates: { readonly [id: string]: Dates }
  readonly chunks: readonly string[]
  readonly nodes: readonly Omit<GraphNode, 'vector' | 'sum'>[]
  readonly edges: readonly Edge[]
  /** The asker sees all there is: nothing was compared, and only `documents` is filled in. */
  readonly all: boolean
}

export interface Link {
  readonly kind: 'contains' | 'mentions'
  readonly source: string
  readonly target: string
  /** Of a mention: the units that mention it. */
  readonly weight: number
}
