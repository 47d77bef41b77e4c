/** After a rebuild both sinks are sent everything, a slice at a time: documents with their chunks, then the nodes of each kind, with their edges. */
import { INDEXED_UNITS, NAME_VECTORS } from '../../../src/core/builders/entry-vectors'
import { memberEdges } from '../../../src/core/graph/members'
import type { Change, DerivedKind, DocumentRecord, Edge } from '../../../src/core/graph/types'
import type { Job } from '../jobs/job'
import { publish } from '../jobs/publish'
import { scheduleUnnamedRemoval } from '../outbox/index-sink'
import type { CorpusContext } from '../store'
import { documentsOf } from './feed-candidate'

const DOCUMENTS = 32 // sent at a time
const NODES = 1000 // sent at a time

export const FIRST_PLACE = 'document '
const RESENT_KINDS: readonly ('document' | DerivedKind)[] = ['document', 'entity', 'keyword', 'label', 'summary', 'community']

/** Sends what comes after a place, given by a kind and the last id of it. Returns the next place; undefined: everything is sent. */
export function resendSlice(context: CorpusContext, job: Job, place: string): string | undefined {
  const space = place.indexOf(' ')
  const kind = place.slice(0, space) as (typeof RESENT_KINDS)[number]
  const ids = context.graph.page(kind, place.slice(space + 1), kind === 'document' ? DOCUMENTS : NODES)
  const changes = kind === 'document' ? textChanges(context, documentsOf(context, ids)) : nodeChanges(context, ids)
  publish(context, [job], changes)
  const last = ids.at(-1)
  if (last !== undefined) return `${kind} ${last}`
  const following = RESENT_KINDS[RESENT_KINDS.indexOf(kind) + 1]
  if (!following) scheduleUnnamedRemoval(context)
  return following && `${following} `
}

/** A shared chunk is sent once: with the first of its documents. */
function textChanges({ graph }: CorpusContext, documents: readonly DocumentRecord[]): Change[] {
  const none = { passages: [], units: [] }
  const first = (document: string, chunk: string): boolean => graph.placements(chunk)[0]?.document === document
  const own = new Set(documents.flatMap(({ id, chunks }) => chunks.map((one) => one.chunk).filter((chunk) => first(id, chunk))))
  const links = documents.flatMap(({ id }) => graph.edges('links', id))
  return [
    ...documents.map((document): Change => ({ op: 'put-document', document })),
    ...[...own].flatMap((id) => graph.chunk(id) ?? []).map((chunk): Change => ({ op: 'put-chunk', chunk, vectors: none })),
    ...valueChanges(graph, INDEXED_UNITS, [...own]),
    ...links.map(putEdge),
  ]
}

function nodeChanges({ graph }: CorpusContext, ids: readonly string[]): Change[] {
  const edges = ids.flatMap((id) => [...graph.edges('relates', id), ...graph.edges('indicates', id), ...memberEdges(graph, id)])
  const nodes = ids.flatMap((id) => graph.node(id) ?? []).map((node): Change => ({ op: 'put-node', node }))
  return [...nodes, ...valueChanges(graph, NAME_VECTORS, ids), ...edges.map(putEdge)]
}

function valueChanges(graph: CorpusContext['graph'], space: string, keys: readonly string[]): Change[] {
  return graph
    .valuesOf(space, keys)
    .flatMap((value, i) => (value === undefined ? [] : [{ op: 'put-value', space, key: keys[i] as string, value }]))
}

const putEdge = (edge: Edge): Change => ({ op: 'put-edge', edge })
