/** The two ends of an edge: which comes first if they are equals, and from which end an edge may be walked. */

import { compareText } from './ordered-map'
import { SYMMETRIC } from './reader'
import { EDGE_ENDS, type Edge, type EdgeKind } from './types'

/** The edge as it is stored: kinds whose ends are equals have the smaller id as source. */
export function stored(edge: Edge): Edge {
  const [source, target] = ends(edge.kind, edge.source, edge.target)
  return source === edge.source ? edge : { ...edge, source, target }
}

export function ends(kind: EdgeKind, a: string, b: string): readonly [source: string, target: string] {
  return SYMMETRIC.has(kind) && compareText(b, a) < 0 ? [b, a] : [a, b]
}

/** The end that is not `end`. */
export function otherEnd(edge: Edge, end: string): string {
  return edge.source === end ? edge.target : edge.source
}

/** Throws for kinds that are not stored by that end: such a walk would read the whole table. */
export function walkable(kind: EdgeKind, from: 'source' | 'target'): void {
  const kept = EDGE_ENDS[kind]
  if (kept !== 'both' && kept !== from) throw new Error(`graph: edges of kind ${kind} are not walked from their ${from}`)
}

/** Heaviest first, then by the end that is not `end`. */
export function heaviest(end: string): (a: Edge, b: Edge) => number {
  return (a, b) => b.weight - a.weight || compareText(otherEnd(a, end), otherEnd(b, end))
}
