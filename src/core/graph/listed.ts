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
  /** For a segment in a corpus with partitions: whose tree it is in; -1: it is above those of several. */
  readonly partition?: number
  readonly data?: Json
}

/** Where an entity stands if the most mentioned come first: by how many chunks mention it, then by name, then by id. */
export interface MentionPlace {
  readonly mentions: number
  readonly name: string
  readonly id: string
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

const MAX_FOLDED = 300 // characters of an entity's text that a search by name reads

/** How a name and a search text are normalised. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** What a search by name, and an order by name, read of an entity's text. */
export function foldedName(text: string): string {
  return fold(text.slice(0, MAX_FOLDED))
}

export function mentionPlace({ id, text, data }: ListedNode): MentionPlace {
  const { chunks } = (data ?? {}) as { readonly chunks?: Json }
  return { mentions: typeof chunks === 'number' ? chunks : 0, name: foldedName(text), id }
}
