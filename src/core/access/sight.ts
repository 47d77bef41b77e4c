/**
 * What an asker may see, declared for the basic things from which everything else follows. The graph contains texts of documents and what was derived from
 * them: a thing may be seen if the texts it shows may be read. Declarations, and what lies beneath a derived text.
 */
import type { GraphReader } from '../graph/reader'
import type { GraphNode } from '../graph/types'
import { kindOf } from '../ids'

export interface Sight {
  /** Every document may be read: only derived texts that may have been written from other, deleted documents are hidden. Absent: not known. */
  readonly isWhole?: boolean
  document(id: string): boolean
  /** It is in a document that may be read. */
  readonly chunk: (id: string) => boolean
  /** A summary or community: all that its text was written from may be read. */
  derived(node: GraphNode): boolean
}

/** Chunks, summaries and communities a text was written from. What a stale one was written from is no longer known: undefined. */
export function writtenFrom(node: GraphNode): readonly string[] | undefined {
  if (node.stale) return undefined
  const { members, from } = node.data
  if (node.kind === 'summary') return texts(members)
  if (node.kind !== 'community') return []
  return [...texts(from), ...texts(members).filter((id) => kindOf(id) === 'community')]
}

/** By definition, down to the chunks: a caching implementation must agree with this. O(what is beneath). */
export function seesBeneath(graph: GraphReader, node: GraphNode, sees: (chunk: string) => boolean): boolean {
  const from = writtenFrom(node)
  if (from === undefined) return false
  return from.every((id) => {
    if (kindOf(id) === 'chunk') return sees(id)
    const child = graph.node(id)
    return child !== undefined && seesBeneath(graph, child, sees)
  })
}

export function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}
