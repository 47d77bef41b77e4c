/** All things of a sort in the graph, one after another: for sums over the whole of it. O(corpus). */
import { chunkLine, documentLine, edgeLine, nodeLine, placeLine, valueLine } from '../../src/core/graph/canonical'
import type { Chunk, DerivedKind, DocumentRecord, GraphNode } from '../../src/core/graph/types'
import type { Edges } from './edges'
import type { KeyedRows } from './keyed-rows'
import type { Nodes } from './nodes'
import type { Texts } from './texts'

export const DERIVED = ['entity', 'keyword', 'label', 'summary', 'community'] as const satisfies readonly DerivedKind[]

/** Yields what exists of the ids in some pages. */
export function* readEach<T>(pages: Iterable<readonly string[]>, find: (id: string) => T | undefined): Generator<T> {
  for (const ids of pages) {
    for (const id of ids) {
      const found = find(id)
      if (found !== undefined) yield found
    }
  }
}

export function* chunksOf(texts: Texts): Generator<Chunk> {
  for (const { chunk } of texts.all()) yield chunk
}

export function* nodesOf(nodes: Nodes): Generator<GraphNode> {
  for (const kind of DERIVED) yield* nodes.all(kind)
}

interface Tables {
  readonly documents: Iterable<DocumentRecord>
  readonly texts: Texts
  readonly nodes: Nodes
  readonly edges: Edges
  readonly keyedRows: KeyedRows
}

/** One canonical line for each thing. */
export function* linesOf({ documents, texts, nodes, edges, keyedRows }: Tables): Generator<string> {
  for (const document of documents) yield documentLine(document)
  for (const { chunk, vectors } of texts.all()) yield chunkLine(chunk, vectors)
  for (const node of nodesOf(nodes)) yield nodeLine(node)
  for (const edge of edges.all()) yield edgeLine(edge)
  for (const [space, key, id] of keyedRows.places()) yield placeLine(space, { key, id })
  for (const [space, key, value] of keyedRows.all()) yield valueLine(space, key, value)
}

/** Ids in pages, from a function that returns the page after an id. */
export function* idPages(page: (after: string) => readonly string[]): Generator<readonly string[]> {
  for (let after = ''; ; ) {
    const ids = page(after)
    const last = ids[ids.length - 1]
    if (last === undefined) return
    yield ids
    after = last
  }
}
