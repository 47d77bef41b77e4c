/** Nodes and edges as listings, neighbourhoods and exports show them: without vectors and accumulators. */
import type { Json } from './types'

export interface ListedNode {
  readonly id: string
  readonly kind: string
  readonly layer: number
  readonly text: string
  readonly tokens: number
  readonly stale?: true
  /** For an entity that shares its name with another: a document about this one. */
  readonly about?: { readonly document: string; readonly title: string }
  readonly data?: Json
}

export interface ListedEdge {
  readonly kind: string
  readonly source: string
  readonly target: string
  readonly weight: number
  readonly data?: Json
}

export interface Neighbourhood {
  readonly nodes: readonly ListedNode[]
  readonly edges: readonly ListedEdge[]
  /** There is more than `limit` allowed. */
  readonly truncated: boolean
}
