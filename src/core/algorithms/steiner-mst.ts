/**
 * The Steiner tree of GORAG's Algorithm 2 (arXiv 2501.02844): paths inside one minimum spanning tree of the whole graph. The tree over the
 * terminals' distances in that tree joins exactly the paths between terminals, so it is the spanning tree without the leaves that are not
 * terminals. It is not a 2-approximation: on a ring of n unit edges it may cost n − 1 where 1 is enough.
 */
import { pruned, spanningForest } from './spanning-tree'
import { type SteinerTree, treeOf } from './steiner'
import { eachEdge, type WeightedEdge, type WeightedGraph } from './weighted-graph'

/** The forest depends only on the graph: compute it once for many questions. */
export function forestOf(graph: WeightedGraph): readonly WeightedEdge[] {
  const edges: WeightedEdge[] = []
  eachEdge(graph, (u, v, weight) => void edges.push({ u, v, weight }))
  return spanningForest(graph.size, edges)
}

export function steinerTreeInForest(forest: readonly WeightedEdge[], terminals: readonly number[]): SteinerTree {
  const wanted = new Set(terminals)
  return treeOf(pruned(forest, wanted), wanted)
}
