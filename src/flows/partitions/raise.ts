/** The tree above those of the partitions, in a question's walk. */
import type { Hit } from '../../core/graph/types'
import type { JointGraph } from '../../core/joint/joint-graph'
import type { Read } from '../../core/joint/reads'
import type { Strategy } from '../../core/strategy'
import type { AboveObject } from '../../ports/above'
import type { RetrieveRequest } from '../../ports/retrieval'
import { best, inTime } from './walking'

interface Raising {
  readonly whole: AboveObject | undefined
  readonly strategy: Strategy
  readonly request: Pick<RetrieveRequest, 'filters' | 'vector' | 'embedded'>
  /** Every partition has answered, and none has a deletion that the corpus's own object does not know of. */
  readonly isComplete: boolean
  readonly near: readonly Hit[] | undefined
}

/** Does the walk ask what is above a text? */
export function isClimbing(lacking: ReadonlyMap<number, readonly Read[]>): boolean {
  return [...lacking.values()].some((reads) => reads.some(([kind]) => kind === 'above'))
}

/**
 * Adds it to the graph if the question may see everything in all partitions, since its texts may be from anywhere. Returns the summaries nearest to the
 * question, of all trees; undefined: none is added.
 */
export async function raise(graph: JointGraph, asked: Raising): Promise<readonly Hit[] | undefined> {
  const { whole, strategy, request, isComplete, near = [] } = asked
  const isOpen = isComplete && request.filters === undefined && !graph.isPartial && !graph.trees.isRaised
  const above = isOpen ? await inTime(whole?.above(request.vector, request.embedded)) : undefined
  if (!above) return undefined
  graph.trees.raise(above)
  const entry = strategy.entries.find((one) => one.kind === 'summary')
  return entry && request.vector && best([...near, ...graph.trees.near(request.vector)], entry.k)
}
