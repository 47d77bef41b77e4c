/**
 * The net effect of a patch, by kind of change: of several changes to one thing the last one counts. In order of id, which is how tables
 * are laid out.
 */

import { ends } from '../../src/core/graph/edge-ends'
import { compareText } from '../../src/core/graph/ordered-map'
import type { Change, Chunk, ChunkVectors, DocumentRecord, Edge, EdgeKind, GraphNode, Patch, Value } from '../../src/core/graph/types'

type Ends = { readonly kind: EdgeKind; readonly source: string; readonly target: string }

export interface Net {
  readonly putNodes: GraphNode[]
  readonly dropNodes: string[]
  readonly putEdges: Edge[]
  readonly dropEdges: Ends[]
  readonly putPlaces: (readonly [space: string, key: string, id: string])[]
  readonly dropPlaces: (readonly [space: string, key: string])[]
  readonly putValues: (readonly [space: string, key: string, value: Value])[]
  readonly dropValues: (readonly [space: string, key: string])[]
  readonly putChunks: { readonly chunk: Chunk; readonly vectors: ChunkVectors }[]
  readonly dropChunks: string[]
  readonly putDocuments: DocumentRecord[]
  readonly dropDocuments: string[]
}

export function netChange(patch: Patch): Net {
  const last = new Map(patch.map((change) => [subject(change), change]))
  const out: Net = {
    putNodes: [],
    dropNodes: [],
    putEdges: [],
    dropEdges: [],
    putPlaces: [],
    dropPlaces: [],
    putValues: [],
    dropValues: [],
    putChunks: [],
    dropChunks: [],
    putDocuments: [],
    dropDocuments: [],
  }
  for (const [, change] of [...last].sort(([a], [b]) => compareText(a, b))) addChange(change, out)
  return out
}

/** What a change is about. Lengths separate foreign ids that may contain any character. */
function subject(change: Change): string {
  switch (change.op) {
    case 'put-node':
      return `node ${change.node.id}`
    case 'drop-node':
      return `node ${change.id}`
    case 'put-edge':
      return edgeSubject(change.edge)
    case 'drop-edge':
      return edgeSubject(change)
    case 'put-place':
    case 'drop-place':
      return `place ${change.space.length} ${change.space} ${change.key}`
    case 'put-value':
    case 'drop-value':
      return `value ${change.space.length} ${change.space} ${change.key}`
    case 'put-chunk':
      return `chunk ${change.chunk.id}`
    case 'drop-chunk':
      return `chunk ${change.id}`
    case 'put-document':
      return `document ${change.document.id}`
    case 'drop-document':
      return `document ${change.id}`
  }
}

function edgeSubject({ kind, source, target }: Ends): string {
  const [first, second] = ends(kind, source, target)
  return `edge ${kind} ${first.length} ${first} ${second}`
}

function addChange(change: Change, out: Net): void {
  switch (change.op) {
    case 'put-node':
      out.putNodes.push(change.node)
      break
    case 'drop-node':
      out.dropNodes.push(change.id)
      break
    case 'put-edge':
      out.putEdges.push(change.edge)
      break
    case 'drop-edge':
      out.dropEdges.push(change)
      break
    case 'put-place':
      out.putPlaces.push([change.space, change.key, change.id])
      break
    case 'drop-place':
      out.dropPlaces.push([change.space, change.key])
      break
    case 'put-value':
      out.putValues.push([change.space, change.key, change.value])
      break
    case 'drop-value':
      out.dropValues.push([change.space, change.key])
      break
    case 'put-chunk':
      out.putChunks.push(change)
      break
    case 'drop-chunk':
      out.dropChunks.push(change.id)
      break
    case 'put-document':
      out.putDocuments.push(change.document)
      break
    case 'drop-document':
      out.dropDocuments.push(change.id)
      break
  }
}
