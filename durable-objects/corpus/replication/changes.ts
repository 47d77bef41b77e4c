/** Changes being sent to a replica: the current state of things identified by their keys, written as bytes and read back as a patch. */
import { ends } from '../../../src/core/graph/edge-ends'
import type { Change, Chunk, DocumentRecord, Edge, EdgeKind, GraphNode, Json, Value, Vector } from '../../../src/core/graph/types'
import type { Net } from '../../graph/net-change'
import { bytesOf, packChunk, packVectors, unpackChunk, unpackVectors } from '../../graph/rows'
import type { Store } from '../store'
import type { ChangedKey } from '../tables/changed-key'
import type { Dated } from '../tables/dated'
import type { EarlierRow } from '../tables/earlier'
import type { OutboxEntry } from '../tables/outbox'
import type { SavedFilterRow } from '../tables/saved-filter'

/** What is known about a document apart from the graph. */
export interface Beside {
  readonly access: readonly string[]
  readonly active: boolean
  /** JSON, as it was submitted. */
  readonly metadata: string
  readonly language: string | null
  readonly dated: Dated | null
  /** What its statements said before, latest first. */
  readonly earlier: readonly Omit<EarlierRow, 'n'>[]
  readonly outline: { readonly given: Json; readonly found: Json } | null
}

export interface OutboxCopy {
  readonly seq: number
  readonly version: number
  readonly entries: readonly OutboxEntry[]
}

export interface Changes {
  readonly patch: readonly Change[]
  /** By document; null: it is gone. */
  readonly beside: readonly (readonly [document: string, Beside | null])[]
  readonly filters?: readonly SavedFilterRow[]
  /** For things whose vectors the index may not show yet. */
  readonly outbox: readonly OutboxCopy[]
}

export function keysOf(net: Net): ChangedKey[] {
  const edges = [...net.putEdges, ...net.dropEdges].map((one): ChangedKey => ['e', one.kind, ...ends(one.kind, one.source, one.target)])
  return [
    ...net.dropChunks.map((id): ChangedKey => ['c', id]),
    ...net.putChunks.map(({ chunk }): ChangedKey => ['c', chunk.id]),
    ...[...net.dropDocuments, ...net.putDocuments.map((one) => one.id)].map((id): ChangedKey => ['d', id]),
    ...edges,
    ...[...net.dropNodes, ...net.putNodes.map((one) => one.id)].map((id): ChangedKey => ['n', id]),
    ...[...net.dropPlaces, ...net.putPlaces].map(([space, key]): ChangedKey => ['p', space, key]),
    ...[...net.dropValues, ...net.putValues].map(([space, key]): ChangedKey => ['v', space, key]),
  ]
}

/** The current state of a thing in the graph. */
export function changeOf({ graph }: Pick<Store, 'graph'>, key: ChangedKey): Change | undefined {
  switch (key[0]) {
    case 'n': {
      const node = graph.node(key[1])
      return node ? { op: 'put-node', node } : { op: 'drop-node', id: key[1] }
    }
    case 'e': {
      const [, kind, source, target] = key
      const edge = graph.edge(kind as EdgeKind, source, target)
      return edge ? { op: 'put-edge', edge } : { op: 'drop-edge', kind: kind as EdgeKind, source, target }
    }
    case 'p': {
      const [place] = graph.order(key[1], { from: key[2], to: key[2], limit: 1 })
      return place ? { op: 'put-place', space: key[1], ...place } : { op: 'drop-place', space: key[1], key: key[2] }
    }
    case 'v': {
      const value = graph.value(key[1], key[2])
      return value === undefined ? { op: 'drop-value', space: key[1], key: key[2] } : { op: 'put-value', space: key[1], key: key[2], value }
    }
    case 'c': {
      const chunk = graph.chunk(key[1])
      if (!chunk) return { op: 'drop-chunk', id: key[1] }
      const vectorsOf = (parts: readonly { readonly id: string }[]) => parts.flatMap(({ id }) => graph.vector(id) ?? [])
      return { op: 'put-chunk', chunk, vectors: { passages: vectorsOf(chunk.passages), units: vectorsOf(chunk.units) } }
    }
    case 'd': {
      const document = graph.document(key[1])
      return document ? { op: 'put-document', document } : { op: 'drop-document', id: key[1] }
    }
    default:
      return undefined
  }
}

interface Written {
  readonly patch: readonly unknown[]
}

export function pack(changes: Changes, dimensions: number): Uint8Array {
  const patch = changes.patch.map((change) => packed(change, dimensions))
  return new TextEncoder().encode(JSON.stringify({ ...changes, patch }))
}

export function unpack(bytes: Uint8Array, dimensions: number): Changes {
  const { patch, ...rest } = JSON.parse(new TextDecoder().decode(bytes)) as Changes & Written
  return { ...rest, patch: (patch as readonly PackedChange[]).map((one) => unpacked(one, dimensions)) }
}

type PackedNode = Omit<GraphNode, 'vector' | 'sum'> & { readonly vector?: string; readonly sum?: string }
type PackedChange =
  | { readonly op: 'put-node'; readonly node: PackedNode }
  | { readonly op: 'put-chunk'; readonly id: string; readonly body: string; readonly passages: string; readonly units: string }
  | { readonly op: 'put-value'; readonly space: string; readonly key: string; readonly json?: Json; readonly bytes?: string }
  | { readonly op: 'put-edge'; readonly edge: Edge }
  | { readonly op: 'put-document'; readonly document: DocumentRecord }
  | Exclude<Change, { readonly op: 'put-node' | 'put-chunk' | 'put-value' }>

function packed(change: Change, dimensions: number): PackedChange {
  switch (change.op) {
    case 'put-node': {
      const { vector, sum, ...node } = change.node
      return { op: 'put-node', node: { ...node, ...(vector ? { vector: base64(vector) } : {}), ...(sum ? { sum: base64(sum) } : {}) } }
    }
    case 'put-chunk': {
      const { chunk, vectors } = change
      const written = (of: readonly Vector[]): string => base64(packVectors(of, dimensions))
      return { op: 'put-chunk', id: chunk.id, body: packChunk(chunk), passages: written(vectors.passages), units: written(vectors.units) }
    }
    case 'put-value': {
      const { op, space, key, value } = change
      return value instanceof Uint8Array ? { op, space, key, bytes: base64(value) } : { op, space, key, json: value }
    }
    default:
      return change
  }
}

function unpacked(change: PackedChange, dimensions: number): Change {
  switch (change.op) {
    case 'put-node': {
      const { vector, sum, ...node } = change.node
      const numbers = {
        ...(vector ? { vector: new Int8Array(bytesIn(vector)) } : {}),
        ...(sum ? { sum: new Int32Array(bytesIn(sum)) } : {}),
      }
      return { op: 'put-node', node: { ...node, ...numbers } }
    }
    case 'put-chunk': {
      const chunk: Chunk = unpackChunk(change.id, change.body)
      const read = (of: string): readonly Vector[] => unpackVectors(bytesIn(of), dimensions)
      return { op: 'put-chunk', chunk, vectors: { passages: read(change.passages), units: read(change.units) } }
    }
    case 'put-value': {
      const { op, space, key, json = null, bytes } = change
      const value: Value = bytes === undefined ? json : new Uint8Array(bytesIn(bytes))
      return { op, space, key, value }
    }
    default:
      return change
  }
}

const SLICE = 8192 // bytes passed as arguments of one call

function base64(numbers: Int8Array | Int32Array | Uint8Array): string {
  const bytes = bytesOf(numbers)
  let letters = ''
  for (let at = 0; at < bytes.length; at += SLICE) letters += String.fromCharCode(...bytes.subarray(at, at + SLICE))
  return btoa(letters)
}

function bytesIn(text: string): ArrayBuffer {
  const letters = atob(text)
  const bytes = new Uint8Array(letters.length)
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at)
  return bytes.buffer
}
