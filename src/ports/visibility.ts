/** Things in the graph, as an asker may see them. */
import type { Edge, GraphNode } from '../core/graph/types'
import type { SentGraph } from '../core/text/brought'
import type { Dates } from '../core/text/iso-date'
import type { Outline } from '../core/text/outline'

/** Things in the graph, by their ids. */
export interface Seeable {
  readonly documents?: readonly string[]
  readonly chunks?: readonly string[]
  readonly nodes?: readonly string[]
  /** The documents' outlines, graphs and languages are wanted too. */
  readonly withOutlines?: boolean
  readonly edges?: readonly Pick<Edge, 'kind' | 'source' | 'target'>[]
  /** Including what is switched off, for those who may read it: for an export, not for a view of the graph. */
  readonly withInactive?: boolean
  /** Documents that are not in the graph are left out, for whoever sees everything, too. */
  readonly existing?: boolean
}

export interface Seen {
  /** The labels of each document, by id. */
  readonly documents: { readonly [id: string]: readonly string[] }
  /** Those of them that are switched off. */
  readonly inactive: readonly string[]
  /** What came with a document, by its id. */
  readonly outlines?: { readonly [id: string]: Outline }
  /** The graphs that came with documents. */
  readonly graphs?: { readonly [id: string]: SentGraph }
  /** The language code of each document whose language is known. */
  readonly languages?: { readonly [id: string]: string }
  /** For the documents that have any. */
  readonly dates: { readonly [id: string]: Dates }
  readonly chunks: readonly string[]
  readonly nodes: readonly Omit<GraphNode, 'vector' | 'sum'>[]
  readonly edges: readonly Edge[]
  /** The asker sees everything: nothing was compared, and only `documents` is filled in. */
  readonly all: boolean
}

export interface Link {
  readonly kind: 'contains' | 'mentions'
  readonly source: string
  readonly target: string
  /** For a mention: the units that mention it. */
  readonly weight: number
}
