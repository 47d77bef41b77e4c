/** Patches written into drafts, and taken back. */
import type { Draft } from '../../../src/core/graph/draft'
import type { GraphReader } from '../../../src/core/graph/reader'
import type { Patch } from '../../../src/core/graph/types'

/** Changes to documents and chunks are passed over: a draft does not take them. */
export function write(draft: Draft, patch: Patch): void {
  for (const change of patch) {
    if (change.op === 'put-node') draft.putNode(change.node)
    else if (change.op === 'drop-node') draft.dropNode(change.id)
    else if (change.op === 'put-edge') draft.putEdge(change.edge)
    else if (change.op === 'drop-edge') draft.dropEdge(change.kind, change.source, change.target)
    else if (change.op === 'put-place') draft.putPlace(change.space, change.key, change.id)
    else if (change.op === 'drop-place') draft.dropPlace(change.space, change.key)
    else if (change.op === 'put-value') draft.putValue(change.space, change.key, change.value)
    else if (change.op === 'drop-value') draft.dropValue(change.space, change.key)
  }
}

/** The changes that take these back. */
export function undoing(graph: GraphReader, patch: Patch): Patch {
  return patch.flatMap((change): Patch => {
    if (change.op === 'put-node' || change.op === 'drop-node') {
      const id = change.op === 'put-node' ? change.node.id : change.id
      const node = graph.node(id)
      return [node ? { op: 'put-node', node } : { op: 'drop-node', id }]
    }
    if (change.op === 'put-edge' || change.op === 'drop-edge') {
      const { kind, source, target } = change.op === 'put-edge' ? change.edge : change
      const edge = graph.edge(kind, source, target)
      return [edge ? { op: 'put-edge', edge } : { op: 'drop-edge', kind, source, target }]
    }
    if (change.op === 'put-place' || change.op === 'drop-place') {
      const { space, key } = change
      const place = graph.order(space, { from: key, to: key, limit: 1 })[0]
      return [place ? { op: 'put-place', space, key, id: place.id } : { op: 'drop-place', space, key }]
    }
    if (change.op !== 'put-value' && change.op !== 'drop-value') return []
    const { space, key } = change
    const value = graph.value(space, key)
    return [value === undefined ? { op: 'drop-value', space, key } : { op: 'put-value', space, key, value }]
  })
}
