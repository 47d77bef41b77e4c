/** The drawn graph: it grows in place, and existing nodes stay where they are. */
import { MultiUndirectedGraph } from 'graphology'
import { clip } from '../shared/numbers'
import { palette } from './colours'
import type { Order } from './layout.worker'
import { textOf } from './namesakes'
import { degrees, edgeKey, type Picture } from './picture'

const MANY = 1000 // nodes from which they are drawn smaller
const APART = 0.12 // of the extent: how far new nodes start from the nodes they are tied to
const GOLDEN = Math.PI * (3 - Math.sqrt(5))

export const emptyGraph = (): MultiUndirectedGraph => new MultiUndirectedGraph()

/** Adds what is not there yet, with names of at most so many letters. Returns the layout's work; null: nothing was added. */
export function grow(graph: MultiUndirectedGraph, picture: Picture, letters: number): Order | null {
  const met = degrees(picture)
  const scale = picture.nodes.length > MANY ? 0.5 : 1
  const before = new Set(graph.nodes())
  const { of, edge: line } = palette()
  const extent = Math.max(1, ...graph.mapNodes((_, { x, y }) => Math.max(Math.abs(Number(x)), Math.abs(Number(y)))))
  for (const node of picture.nodes) {
    const { id, kind } = node
    const size = scale * Math.min(14, 4 + 1.4 * Math.sqrt(met.get(id) ?? 0) + (kind === 'question' ? 5 : 0))
    if (graph.hasNode(id)) graph.setNodeAttribute(id, 'size', size)
    else graph.addNode(id, { x: 0, y: 0, size, kind, color: of(kind), label: clip(textOf(node).split('\n')[0] ?? '', letters) })
  }
  let came = graph.order > before.size
  for (const edge of picture.edges) {
    if (graph.hasEdge(edgeKey(edge))) continue
    graph.addEdgeWithKey(edgeKey(edge), edge.source, edge.target, { size: 1, color: line })
    came = true
  }
  if (!came) return null
  if (before.size === 0) return orderOf(graph, null)
  let turn = 0
  for (const id of graph.nodes()) {
    if (before.has(id)) continue
    const [near] = graph.neighbors(id).filter((other) => before.has(other))
    const { x, y } = near === undefined ? { x: 0, y: 0 } : (graph.getNodeAttributes(near) as { readonly x: number; readonly y: number })
    const far = extent * APART * Math.sqrt(1 + turn / 4)
    graph.mergeNodeAttributes(id, { x: x + far * Math.cos(turn * GOLDEN), y: y + far * Math.sin(turn * GOLDEN) })
    turn += 1
  }
  return orderOf(graph, before)
}

/** Drawn again, in the colours of another theme. */
export function colour(graph: MultiUndirectedGraph): void {
  const { of, edge } = palette()
  graph.updateEachNodeAttributes((_, data) => ({ ...data, color: of(String(data.kind)) }))
  graph.updateEachEdgeAttributes((_, data) => ({ ...data, color: edge }))
}

/** Positions as the layout sends them, in the order of the nodes it was sent. */
export function place(graph: MultiUndirectedGraph, positions: Float32Array): void {
  let i = 0
  graph.updateEachNodeAttributes(
    (_, attributes) => {
      if (i < positions.length) {
        attributes.x = positions[i] ?? 0
        attributes.y = positions[i + 1] ?? 0
      }
      i += 2
      return attributes
    },
    { attributes: ['x', 'y'] },
  )
}

function orderOf(graph: MultiUndirectedGraph, fixed: ReadonlySet<string> | null): Order {
  const ids = graph.nodes()
  const places = new Map(ids.map((id, i) => [id, i]))
  const edges = Uint32Array.from(graph.mapEdges((_, __, source, target) => [places.get(source) ?? 0, places.get(target) ?? 0]).flat())
  if (!fixed) return { nodes: ids.length, edges }
  return {
    nodes: ids.length,
    edges,
    start: Float32Array.from(ids.flatMap((id) => [Number(graph.getNodeAttribute(id, 'x')), Number(graph.getNodeAttribute(id, 'y'))])),
    fixed: Uint8Array.from(ids.map((id) => (fixed.has(id) ? 1 : 0))),
  }
}
