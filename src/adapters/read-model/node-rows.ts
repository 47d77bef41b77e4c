/** A node of the read model in the form in which it is listed. */
import type { ListedNode } from '../../core/graph/listed'

export interface NodeRow {
  readonly id: string
  readonly kind: string
  readonly layer: number
  readonly text: string
  readonly tokens: number
  readonly stale: number
  readonly data: string
  readonly bearer?: string | null
  /** Title of the bearer. */
  readonly borne?: string | null
}

export const NODE = 'id, kind, layer, text, tokens, stale, data'
const TITLE = 200 // characters of a title that distinguish one thing from another

/**
 * The listed columns of a node, and their source: for one that has namesakes, also the document that distinguishes it, by its current
 * title.
 */
export const LISTED = `SELECT ${NODE.split(', ')
  .map((column) => `node.${column}`)
  .join(', ')}, bearer, substr(iif(bearing.title = '', bearing.name, bearing.title), 1, ${TITLE}) AS borne
FROM node LEFT JOIN document AS bearing ON bearing.uid = node.uid AND bearing.id = node.bearer`

export function nodeOf(row: NodeRow): ListedNode {
  const { id, kind, layer, text, tokens, stale, data, bearer, borne } = row
  const about = bearer && typeof borne === 'string' ? { about: { document: bearer, title: borne } } : {}
  return { id, kind, layer, text, tokens, ...(stale ? { stale: true as const } : {}), ...about, data: JSON.parse(data) }
}
