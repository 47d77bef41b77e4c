/** The part of a change that a report needs: names, not contents. */
import type { Change, Edge, GraphNode } from '../../../src/core/graph/types'

export type Touched =
  | Exclude<Change, { readonly op: 'put-node' | 'put-edge' | 'put-value' }>
  | { readonly op: 'put-node'; readonly node: Pick<GraphNode, 'id'> }
  | { readonly op: 'put-edge'; readonly edge: Pick<Edge, 'kind' | 'source' | 'target'> }
  | { readonly op: 'put-value'; readonly space: string; readonly key: string }
