/** Keeps the state of the graph (core/graph/state.ts) up to date: what a net change removes and what it adds, in two sums. */
import { ends } from '../../src/core/graph/edge-ends'
import type { GraphReader } from '../../src/core/graph/reader'
import { chunkRow, count, documentRow, edgeRow, hexOf, isExported, nodeRow, noSum, type Sum, sumOf } from '../../src/core/graph/state'
import type { Chunk, DocumentRecord, Edge, GraphNode } from '../../src/core/graph/types'
import type { Net } from './net-change'

/** Texts came with the documents; the rest was derived from them. */
export interface Sums {
  readonly texts: Sum
  readonly derived: Sum
}

export function packSums({ texts, derived }: Sums): string {
  return `${hexOf(texts)} ${hexOf(derived)}`
}

/** Reverses `packSums`; an empty value gives nothing. */
export function unpackSums(packed: string): Sums {
  const [texts, derived] = packed.split(' ')
  return { texts: texts ? sumOf(texts) : noSum(), derived: derived ? sumOf(derived) : noSum() }
}

/** Before the change is made: what exists now is what it removes. O(change). */
export function note(graph: GraphReader, change: Net, { texts, derived }: Sums): void {
  for (const document of change.putDocuments) moved(texts, rowOf(documentRow, graph.document(document.id)), documentRow(document))
  for (const id of change.dropDocuments) moved(texts, rowOf(documentRow, graph.document(id)), undefined)
  for (const { chunk } of change.putChunks) moved(texts, rowOf(chunkRow, graph.chunk(chunk.id)), chunkRow(chunk))
  for (const id of change.dropChunks) moved(texts, rowOf(chunkRow, graph.chunk(id)), undefined)
  for (const node of change.putNodes) moved(derived, rowOf(nodeRow, graph.node(node.id)), nodeRow(node))
  for (const id of change.dropNodes) moved(derived, rowOf(nodeRow, graph.node(id)), undefined)
  for (const edge of change.putEdges) {
    if (!isExported(edge.kind)) continue
    const [source, target] = ends(edge.kind, edge.source, edge.target)
    moved(derived, rowOf(edgeRow, graph.edge(edge.kind, source, target)), edgeRow({ ...edge, source, target }))
  }
  for (const { kind, source, target } of change.dropEdges) {
    if (isExported(kind)) moved(derived, rowOf(edgeRow, graph.edge(kind, source, target)), undefined)
  }
}

export interface Everything {
  readonly documents: Iterable<DocumentRecord>
  readonly chunks: Iterable<Chunk>
  readonly nodes: Iterable<GraphNode>
  readonly edges: Iterable<Edge>
}

/** The same from scratch. O(corpus): for a corpus older than its sums, and to test them. */
export function recounted({ documents, chunks, nodes, edges }: Everything): Sums {
  const [texts, derived] = [noSum(), noSum()]
  for (const document of documents) count(texts, documentRow(document), 1)
  for (const chunk of chunks) count(texts, chunkRow(chunk), 1)
  for (const node of nodes) count(derived, nodeRow(node), 1)
  for (const edge of edges) if (isExported(edge.kind)) count(derived, edgeRow(edge), 1)
  return { texts, derived }
}

function rowOf<T>(write: (thing: T) => string, thing: T | undefined): string | undefined {
  return thing && write(thing)
}

function moved(sum: Sum, before: string | undefined, now: string | undefined): void {
  if (before === now) return
  if (before !== undefined) count(sum, before, -1)
  if (now !== undefined) count(sum, now, 1)
}
