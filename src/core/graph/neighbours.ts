/** What nodes are linked to, in any graph: read together if possible, else edge by edge. */
import { otherEnd } from './edge-ends'
import { type GraphReader, NEIGHBOURS, type Neighbours } from './reader'
import type { Edge, EdgeKind } from './types'

export function neighboursOf(graph: GraphReader, kind: EdgeKind, sources: readonly string[]): readonly Neighbours[] {
  return graph.neighbours?.(kind, sources) ?? sources.map((source) => endsOf(graph.edges(kind, source, NEIGHBOURS), source))
}

/** The other ends of a node's edges, in their order. */
export function endsOf(edges: readonly Edge[], source: string): Neighbours {
  return { ids: edges.map((edge) => otherEnd(edge, source)), weights: edges.map((edge) => edge.weight) }
}
