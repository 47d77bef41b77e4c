/** Everything a reader says about a small world, as plain data: two readers that observe alike are alike. */
import { homesOf } from '../../../src/core/graph/homes'
import { neighboursOf } from '../../../src/core/graph/neighbours'
import type { GraphReader } from '../../../src/core/graph/reader'
import { type Chunk, EDGE_ENDS, type Vector } from '../../../src/core/graph/types'
import { terms } from '../../../src/core/text/terms'
import { documentIds, edgeKinds, keys, nodes, spaces, words } from './worlds'

const KINDS = ['document', 'chunk', 'passage', 'unit', 'entity', 'keyword', 'label', 'summary', 'community'] as const
const PAGED = ['document', 'chunk', 'entity', 'keyword', 'label', 'summary', 'community'] as const

export function observe(graph: GraphReader, chunks: readonly Chunk[]): unknown {
  const ids = [...nodes.map((node) => node.id), ...documentIds, 'e_nobody', '']
  const parts = chunks.flatMap((chunk) => [...chunk.passages, ...chunk.units].map((one) => one.id))
  return {
    counts: KINDS.map((kind) => [graph.count(kind), graph.count(kind, 0), graph.count(kind, 2)]),
    nodes: ids.map((id) => graph.node(id)),
    chunks: chunks.map(({ id }) => [graph.chunk(id), graph.placements(id)]),
    homes: homesOf(graph, [...chunks.map(({ id }) => id), 'c_nobody', ...chunks.map(({ id }) => id)]),
    texts: [...parts, 'p_nobody.0', 'u_nobody.9', `${parts[0]}0`, `${parts[0]?.replace('.', '.0')}`].map((id) => graph.text(id)),
    vectors: [...ids, ...parts, ...chunks.map((chunk) => chunk.id)].map((id) => plain(graph.vector(id))),
    documents: documentIds.map((id) => graph.document(id)),
    edges: edgeKinds.map((kind) => ids.map((id) => star(graph, kind, id))),
    neighbours: edgeKinds.flatMap((kind) =>
      EDGE_ENDS[kind] === 'target' ? [] : [neighboursOf(graph, kind, [...ids, ...ids.slice(0, 2)])],
    ),
    orders: spaces.map((space) => keys.map((key) => ranges(graph, space, key))),
    values: spaces.map((space) => keys.map((key) => [graph.value(space, key), graph.values(space, key, 3)])),
    valuesOf: spaces.map((space) => graph.valuesOf(space, [...keys, ...keys.slice(0, 2)])),
    matches: [['river'], terms('the naïve U.S. 北京大学'), terms(words.join(' ')), ['"quoted'], []].map((one) => [
      match(graph, one, 3),
      match(graph, one, 1000),
    ]),
    frequencies: graph.frequency([...terms(words.join(' ')), 'nowhere']),
    twice: graph.frequency([...terms(words.join(' ')), 'nowhere'], 2).map((count) => Math.min(count, 2)),
    pages: PAGED.map((kind) => ['', 'e_', 'm', 'zz', ...ids, ...chunks.map((one) => one.id)].map((id) => graph.page(kind, id, 2))),
  }
}

function star(graph: GraphReader, kind: (typeof edgeKinds)[number], id: string): unknown {
  const leaving = EDGE_ENDS[kind] === 'target' ? [] : [graph.edges(kind, id), graph.edges(kind, id, 1)]
  const [out] = leaving[0] ?? []
  const found = out && graph.edge(kind, out.source, out.target)
  if (EDGE_ENDS[kind] === 'source') return [leaving, found]
  const one = graph.edgesTo(kind, id)[0]
  return [
    leaving,
    found,
    graph.edgesTo(kind, id),
    graph.edgesTo(kind, id, 2),
    graph.degreeTo(kind, id),
    one && graph.edge(kind, one.source, one.target),
  ]
}

function ranges(graph: GraphReader, space: string, key: string): unknown {
  return [true, false].flatMap((descending) => [
    graph.order(space, { limit: 100, descending }),
    graph.order(space, { from: key, limit: 2, descending }),
    graph.order(space, { to: key, limit: 2, descending }),
    graph.order(space, { from: '0', to: key, limit: 3, descending }),
  ])
}

/** Scores are compared within 1e-9, and what is within that of each other counts as equal. */
function match(graph: GraphReader, words: readonly string[], limit: number): unknown {
  return graph.match(words, limit).map(({ id, score }) => [id, Math.round(score * 1e9)])
}

function plain(vector: Vector | undefined): number[] | undefined {
  return vector && [...vector]
}
