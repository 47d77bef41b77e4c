/**
 * The neighbourhood of a node, breadth first, both ways, as its reader sees the graph: what is hidden does not connect what is visible. Documents and
 * chunks are nodes here too. At most `limit` nodes; edges only between nodes that are shown.
 */
import { mentionsOf } from '../builders/mention-list'
import type { ListedEdge, ListedNode, Neighbourhood } from '../graph/listed'
import { memberEdges } from '../graph/members'
import type { GraphReader } from '../graph/reader'
import type { DerivedKind, Edge, EdgeKind, Json } from '../graph/types'
import { kindOf } from '../ids'

const limits = {
  title: 200, // characters of a chunk's text that stand for it
  edges: 100, // of one kind, looked at from one node, each way
  tops: 500, // nodes of a kind among which the highest are looked for
} as const

export interface NeighbourhoodRequest {
  readonly node: string | null
  readonly depth: number
  readonly limit: number
}

export function neighbourhood(graph: GraphReader, from: NeighbourhoodRequest): Neighbourhood | null {
  const shown = new Map<string, ListedNode>()
  for (const id of from.node === null ? top(graph, from.limit) : [from.node]) {
    const node = described(graph, id)
    if (node) shown.set(id, node)
  }
  if (from.node !== null && shown.size === 0) return null
  const edges = new Map<string, ListedEdge>()
  let frontier = [...shown.keys()]
  let truncated = false
  for (let step = 0; step < from.depth && frontier.length > 0; step++) {
    const found = frontier.flatMap((id) => touching(graph, id))
    const reached: string[] = []
    for (const edge of found) edges.set(JSON.stringify([edge.kind, edge.source, edge.target]), edge)
    for (const id of new Set(found.flatMap((edge) => [edge.source, edge.target]))) {
      const node = shown.has(id) ? undefined : described(graph, id)
      if (!node) continue
      if (shown.size >= from.limit) truncated = true
      else {
        shown.set(id, node)
        reached.push(id)
      }
    }
    frontier = reached
  }
  const between = [...edges.values()].filter((edge) => shown.has(edge.source) && shown.has(edge.target))
  return { nodes: [...shown.values()], edges: between, truncated }
}

/** The highest communities, or else summaries, or else documents. */
function top(graph: GraphReader, limit: number): readonly string[] {
  for (const kind of ['community', 'summary'] as const satisfies readonly DerivedKind[]) {
    const nodes = graph.page(kind, '', limits.tops).flatMap((id) => graph.node(id) ?? [])
    if (nodes.length === 0) continue
    nodes.sort((a, b) => b.layer - a.layer || (a.id < b.id ? 1 : -1))
    return nodes.slice(0, limit).map((node) => node.id)
  }
  return graph.page('document', '', limit)
}

function described(graph: GraphReader, id: string): ListedNode | undefined {
  const document = graph.document(id)
  const blank = { layer: 0, tokens: 0, data: {} }
  if (document) return { ...blank, id, kind: 'document', text: document.title || document.name, data: { url: document.url } }
  const chunk = kindOf(id) === 'chunk' ? graph.chunk(id) : undefined
  if (chunk) return { ...blank, id, kind: 'chunk', text: chunk.text.slice(0, limits.title), tokens: chunk.tokens }
  const node = graph.node(id)
  if (!node) return undefined
  const { kind, layer, text, tokens, stale, data } = node
  return { id, kind, layer, text, tokens, ...(stale ? { stale: true as const } : {}), data }
}

function touching(graph: GraphReader, id: string): readonly ListedEdge[] {
  const along = (kind: EdgeKind): ListedEdge[] =>
    [...graph.edges(kind, id, limits.edges), ...graph.edgesTo(kind, id, limits.edges)].map(plain)
  const above = (): readonly Edge[] => graph.edges('member', id, limits.edges)
  const document = graph.document(id)
  const held = (document?.chunks ?? []).map(({ chunk }) => ({ kind: 'contains', source: id, target: chunk, weight: 1 }))
  if (document) return [...held, ...along('links')]
  switch (kindOf(id)) {
    case 'chunk': {
      const holders = graph.placements(id).map((place) => ({ kind: 'contains', source: place.document, target: id, weight: 1 }))
      const said = mentionsOf(graph, id).map(({ entity, units }) => ({
        kind: 'mentions',
        source: id,
        target: entity,
        weight: units.length,
      }))
      return [...holders, ...said, ...above().map(plain)]
    }
    case 'entity':
      return [...along('relates'), ...above().map(plain), ...graph.edgesTo('mentions', id, limits.edges).map(plain)]
    case 'summary':
    case 'community':
      return [...above(), ...memberEdges(graph, id, limits.edges)].map(plain)
    case 'keyword':
    case 'label':
      return along('indicates')
    default:
      return []
  }
}

/** Of what it carries, what people have added. */
function plain({ kind, source, target, weight, data }: ListedEdge): ListedEdge {
  const { people } = (kind === 'relates' ? (data ?? {}) : {}) as { readonly people?: Json }
  return { kind, source, target, weight, ...(people === undefined ? {} : { data: { people } }) }
}
