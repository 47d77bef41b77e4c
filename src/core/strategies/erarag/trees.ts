/** What a part of a corpus tells of its tree to a walk over all parts, which cannot go down it layer by layer. */
import type { GraphReader, Trees } from '../../graph/reader'
import type { Query } from '../../strategy'
import { above, type Candidates, candidatesFor, isAdmitted } from './candidates'
import { supportOf } from './support'

/** Passages are ranked among those of the part alone, as in an object of its own: which of them bear a summary out does not depend on others. */
export function treesIn(graph: GraphReader, query: Query): Trees {
  let made: Candidates | undefined
  const candidates = (): Candidates => {
    made ??= candidatesFor(graph, query)
    return made
  }
  return {
    above: (chunk) => above(graph, chunk),
    below(summary) {
      const node = graph.node(summary)
      if (node?.kind !== 'summary') return undefined
      return { node, isAdmitted: isAdmitted(graph, node, query.admits), support: supportOf(graph, query, candidates(), node) }
    },
  }
}
