/** In the object of a corpus in partitions: summaries of what several partitions say. Only for askers who may read everything in all of them. */
import type { NeighbourhoodRequest } from '../core/access/neighbourhood'
import type { Neighbourhood } from '../core/graph/listed'
import type { Vector } from '../core/graph/types'
import type { SummaryAbove } from '../core/joint/joint-trees'

export interface AboveObject {
  /**
   * All of them, in order of id, each with the partitions' summaries below it that are nearest to a question. `embedded`: id of the model that made its
   * vector; none are given if they are of another.
   */
  above(question?: Vector, embedded?: string): Promise<readonly SummaryAbove[]>
  /** Among them and the partitions' top summaries. Null: there is no such node. */
  aroundAbove(from: NeighbourhoodRequest): Promise<Neighbourhood | null>
}
