/** What a part of a corpus tells of its tree to a walk over all parts, which cannot go down it layer by layer. */
import type { GraphReader, Search, ToldSummary, Trees } from '../../graph/reader'
import type { Query } from '../../strategy'
import { above, isAdmitted, type Passages, passagesFor } from './candidates'
import { timesSaid } from './measure'
import { supportOf } from './support'

/** Passages are ranked among those of the part alone, as in an object of its own: which of them bear a summary out does not depend on others. */
export function treesIn(graph: GraphReader, query: Query, search?: Search): Trees {
  let found: Passages | undefined
  const passages = (): Passages => {
    found ??= passagesFor(graph, query, search)
    return found
  }
  const told = new Map<string, ToldSummary | undefined>()
  const tell = (id: string): ToldSummary | undefined => {
    const node = graph.node(id)
    if (node?.kind !== 'summary') return undefined
    return { node, isAdmitted: isAdmitted(graph, node, query.admits), said: timesSaid(node.text, query.terms) }
  }
  return {
    above: (chunk) => above(graph, chunk),
    summary(id) {
      if (!told.has(id)) told.set(id, tell(id)) // it may be above several chunks
      return told.get(id)
    },
    support(id) {
      const node = graph.node(id)
      return node?.kind === 'summary' ? supportOf(graph, query, passages(), node) : []
    },
  }
}
