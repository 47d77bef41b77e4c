/** What a summary or community holds: it lists its members itself, and each member has an edge to it. */
import type { GraphReader } from './reader'
import type { Edge, GraphNode } from './types'

export function membersIn({ data }: GraphNode): readonly string[] {
  const { members } = data
  return Array.isArray(members) ? members.filter((one): one is string => typeof one === 'string') : []
}

/** The edges from its members, in its order; only from those that exist. */
export function memberEdges(graph: GraphReader, id: string, limit?: number): readonly Edge[] {
  const node = graph.node(id)
  if (node?.kind !== 'summary' && node?.kind !== 'community') return []
  const members = membersIn(node).slice(0, limit)
  graph.preload?.({ edges: members.map((source) => ({ kind: 'member', source, target: id })) })
  return members.flatMap((source) => graph.edge('member', source, id) ?? [])
}
