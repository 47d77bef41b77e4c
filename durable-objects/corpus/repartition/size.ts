/**
 * What giving all documents to other objects will write, before it is begun: the rows and vectors that there are now, since other objects derive the same
 * from the same documents. Counts are exact; bytes and shares are those of a sample of each kind, whose ids are hashes. Reads a bounded number of rows.
 */
import { INDEXED_UNITS, NAME_VECTORS } from '../../../src/core/builders/entry-vectors'
import { memberEdges, membersIn } from '../../../src/core/graph/members'
import { chunkRow, documentRow, edgeRow, nodeRow } from '../../../src/core/graph/state'
import type { DerivedKind, Edge, GraphNode } from '../../../src/core/graph/types'
import type { CorpusSize } from '../../../src/ports/repartition'
import { INDEXED_KINDS } from '../outbox/index-changes'
import { rowsPublished } from '../outbox/read-model-sink'
import type { CorpusContext } from '../store'
import { listTotals } from '../tables/spending'

const SAMPLE = 50 // of each kind
const AROUND = 60 // bytes of a row beside its own values: the corpus's uid, the version, what the database adds
const DERIVED: readonly DerivedKind[] = ['entity', 'keyword', 'label', 'summary', 'community']
const EDGES: readonly Edge['kind'][] = ['relates', 'member', 'indicates', 'links']
const WRITES = { edge: 2, other: 1 } // rows written for one: an edge is also in an index
const PROMPT = 300 // tokens around what a summary is made of

export function sizeOf(context: CorpusContext): CorpusSize {
  const { graph } = context
  const documents = sample(context, 'document', (id) => graph.document(id))
  const chunks = sample(context, 'chunk', (id) => graph.chunk(id))
  const nodes = DERIVED.map((kind) => sample(context, kind, (id) => graph.node(id)))
  const edges = EDGES.reduce((sum, kind) => sum + graph.edgeCount(kind), 0)
  const some = nodes.flatMap(({ found }) => found.flatMap((node) => edgesOf(graph, node)))
  const rows = [
    documents.count * mean(documents.found.map((one) => bytesOf(documentRow(one)))),
    chunks.count * mean(chunks.found.map((one) => bytesOf(chunkRow(one)))),
    ...nodes.map(({ count, found }) => count * mean(found.map((one) => bytesOf(nodeRow(one))))),
    edges * WRITES.edge * mean(some.map((edge) => bytesOf(edgeRow(edge)))),
  ]
  const others = documents.count + chunks.count + nodes.reduce((sum, { count }) => sum + count, 0)
  return {
    documents: documents.count,
    chunks: chunks.count,
    names: graph.count('entity'),
    rows: WRITES.other * others + WRITES.edge * edges,
    published: rowsPublished(context),
    bytes: Math.round(rows.reduce((sum, one) => sum + one, 0)),
    vectors: vectorsOf(context, nodes),
    summaries: summariesOf(context),
  }
}

interface Sample<T> {
  readonly count: number
  readonly found: readonly T[]
}

function sample<T>({ graph }: CorpusContext, kind: 'document' | 'chunk' | DerivedKind, read: (id: string) => T | undefined): Sample<T> {
  const found = graph.page(kind, '', SAMPLE).flatMap((id) => read(id) ?? [])
  return { count: graph.count(kind), found }
}

const mean = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length)
const bytesOf = (line: string): number => AROUND + new TextEncoder().encode(line).length

function edgesOf(graph: CorpusContext['graph'], node: GraphNode): readonly Edge[] {
  const own = node.kind === 'entity' ? graph.edges('relates', node.id).filter(({ source }) => source === node.id) : []
  return [...own, ...memberEdges(graph, node.id)].slice(0, SAMPLE)
}

/** In the index, if every text has its vector: passages, sentences and names of a sample's share, and what is derived and has one. */
function vectorsOf({ graph }: CorpusContext, nodes: readonly Sample<GraphNode>[]): number {
  const share = (all: readonly boolean[]): number => mean(all.map(Number))
  const chunks = graph.page('chunk', '', SAMPLE)
  const units = share(chunks.map((id) => graph.value(INDEXED_UNITS, id) !== undefined))
  const derived = nodes.map(({ count, found }, i) => {
    const kind = DERIVED[i] ?? 'entity'
    const own = INDEXED_KINDS.has(kind) ? share(found.map(({ vector }) => vector !== undefined)) : 0
    const names = kind === 'entity' ? share(found.map(({ id }) => graph.value(NAME_VECTORS, id) !== undefined)) : 0
    return count * (own + names)
  })
  return Math.round(graph.count('passage') + units * graph.count('unit') + derived.reduce((sum, one) => sum + one, 0))
}

/** Each once, and what they have cost so far, with all that was written again: at most about that. Without a text model nothing is asked. */
function summariesOf({ sql, graph, config }: CorpusContext): CorpusSize['summaries'] {
  const known = listTotals(sql).find(({ stage }) => stage === 'summarize')
  const count = config.settings.writer ? graph.count('summary') : 0
  if (count === 0 && !known) return { calls: 0, in: 0, out: 0, embedded: 0 }
  if (known && known.calls >= count) return { calls: known.calls, in: known.read, out: known.written, embedded: known.embedded }
  const found = graph.page('summary', '', SAMPLE).flatMap((id) => graph.node(id) ?? [])
  const written = mean(found.map(({ tokens }) => tokens))
  const read = mean(found.map((node) => membersIn(node).reduce((sum, id) => sum + tokensOf(graph, id), PROMPT)))
  return { calls: count, in: Math.round(count * read), out: Math.round(count * written), embedded: Math.round(count * written) }
}

function tokensOf(graph: CorpusContext['graph'], id: string): number {
  return graph.node(id)?.tokens ?? graph.text(id)?.tokens ?? 0
}
