/** Everything of a sort in the graph, one after another: for what is added up over the whole of it. O(corpus). */
import type { Chunk, DerivedKind, GraphNode } from '../../src/core/graph/types'
import type { Nodes } from './nodes'
import type { Texts } from './texts'

export const DERIVED = ['entity', 'keyword', 'label', 'summary', 'community'] as const satisfies readonly DerivedKind[]

/** What is there of the ids of some pages. */
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

/** Ids in pages, by what gives the page behind an id. */
export function* idPages(page: (after: string) => readonly string[]): Generator<readonly string[]> {
  for (let after = ''; ; ) {
    const ids = page(after)
    const last = ids[ids.length - 1]
    if (last === undefined) return
    yield ids
    after = last
  }
}
