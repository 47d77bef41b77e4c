/** Relations for which the read model has no rows, because they would cost one each: what mentions an entity, what a chunk mentions, where a chunk occurs. */
import { mentionsOf } from '../../../src/core/builders/mention-list'
import type { GraphReader } from '../../../src/core/graph/reader'
import { kindOf } from '../../../src/core/ids'
import type { Link } from '../../../src/ports/visibility'

/** A limited number for each id, and in total. O(what is returned). */
export function links(graph: GraphReader, ids: readonly string[], limit: number): readonly Link[] {
  const found: Link[] = []
  for (const id of ids) {
    if (found.length >= limit) break
    const kind = kindOf(id)
    if (kind === 'chunk') {
      found.push(
        ...graph
          .placements(id)
          .slice(0, limit)
          .map(({ document }): Link => ({ kind: 'contains', source: document, target: id, weight: 1 })),
      )
      found.push(
        ...mentionsOf(graph, id).map(({ entity, units }): Link => ({ kind: 'mentions', source: id, target: entity, weight: units.length })),
      )
    } else if (kind === 'entity') {
      found.push(
        ...graph.edgesTo('mentions', id, limit).map(({ source, weight }): Link => ({ kind: 'mentions', source, target: id, weight })),
      )
    }
  }
  return found.slice(0, limit)
}
