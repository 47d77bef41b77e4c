/**
 * The steps of clustering for which the paper's ablation (Table 4) tries alternatives: which nodes are linked, what a link weighs, and how
 * communities are found. Loam does as the paper does; bench/variants/archrag.ts has the alternatives, and hands them to `archBuilderOf`.
 */
import { type LeidenOptions, leiden } from '../../algorithms/leiden'
import type { WeightedGraph } from '../../algorithms/weighted-graph'

/** A number for a node that another is linked to. */
type OfNode = (other: string) => number

export interface ClusteringSteps {
  /** The community of each node. */
  readonly findCommunities: (graph: WeightedGraph, options: LeidenOptions) => Int32Array
  /** Are similar nodes linked, beside those that texts relate? */
  readonly linksAlike: boolean
  /** What a node's links weigh, given its likeness to the other end and how strongly texts relate the two, if they do. */
  readonly weighLinks: (likeness: OfNode, strengths: ReadonlyMap<string, number>) => OfNode
  /**
   * Which of a node's links count, each with its weight. `neighboursOf`: what a node is linked to by texts and by likeness, including links that do
   * not count.
   */
  readonly keepLinks: (links: Map<string, number>, id: string, neighboursOf: (id: string) => ReadonlySet<string>) => Map<string, number>
}

export const paperSteps: ClusteringSteps = {
  findCommunities: leiden,
  linksAlike: true,
  weighLinks: (likeness) => likeness,
  keepLinks: (links) => links,
}
