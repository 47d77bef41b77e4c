/** A relation as stated by the texts that an asker may read: its strength and its words come from them. */

import { knowledgeOf } from '../builders/knowledge-row'
import { bearings, peopleIn, stated, withPeople } from '../builders/relations'
import { heaviest } from '../graph/edge-ends'
import type { GraphReader } from '../graph/reader'
import type { Edge, EdgeKind } from '../graph/types'

/** `visible` reads what the asker may see. */
export function visibleRelation(visible: GraphReader, edge: Edge, sees: (chunk: string) => boolean): Edge | undefined {
  const all = bearings(edge)
  const seen = all.filter(({ chunk }) => sees(chunk))
  const people = peopleIn(edge)
  if (people.length > 0 && !(visible.node(edge.source) && visible.node(edge.target))) return undefined
  if (seen.length + people.length === 0) return undefined
  if (seen.length === all.length) return edge
  const said = seen.length > 0 ? stated(visible, edge.source, edge.target, seen, (chunk) => knowledgeOf(visible, chunk)) : undefined
  return people.length > 0 ? withPeople(edge, said, people) : said
}

/** A relation that is seen in part weighs less than in the list it was read from. */
export function sortedEdges(kind: EdgeKind, end: string, edges: Edge[]): Edge[] {
  return kind === 'relates' ? edges.sort(heaviest(end)) : edges
}
