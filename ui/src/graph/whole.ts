/** The whole graph, from the export as it streams in (its first part, some 160 MB), up to what a screen can show. */

import type { Edge, Node } from '../../../src/client/client'
import { corpusAt } from '../shared/loam'
import { named } from './entities'
import { nameOf } from './namesakes'
import type { Picture, PictureEdge, PictureNode } from './picture'

const MAX_NODES = 5000
const MAX_EDGES = 20_000
const MAX_SHARED_NAMES = 12 // shared by entities, whose namesakes are distinguished; one call each

const CHUNK_SHOWN = 200 // characters of a chunk's text that represent it

type Line =
  | { readonly type: 'document'; readonly id: string; readonly title: string; readonly chunks: readonly { readonly chunk: string }[] }
  | { readonly type: 'chunk'; readonly id: string; readonly text: string }
  | ({ readonly type: 'node' } & Node)
  | ({ readonly type: 'edge' } & Edge)
  | { readonly type: 'corpus' | 'end' | 'next' }

export async function wholeGraph(corpus: string, signal: AbortSignal): Promise<Picture> {
  const response = await corpusAt(corpus, signal).exportPart()
  const told: Gathered = { nodes: new Map(), edges: [], entities: [], texts: new Map(), left: 0 }
  for await (const line of lines(response)) addLine(told, JSON.parse(line))
  const { nodes, edges, left } = told
  const { find } = named(told.entities)
  for (const [chunk, text] of told.texts)
    for (const entity of find(text)) edges.push({ kind: 'mentions', source: chunk, target: entity, weight: 1 })
  await distinguishNamesakes(corpus, nodes, signal)
  const shown = edges.filter(({ source, target }) => source !== target && nodes.has(source) && nodes.has(target)).slice(0, MAX_EDGES)
  const tied = new Set(shown.flatMap(({ source, target }) => [source, target]))
  const drawn = [...nodes.values()].filter(({ id }) => tied.has(id))
  const alone = nodes.size - drawn.length
  const notes = [
    ...(left > 0 ? [`${left} more nodes are left out.`] : []),
    ...(alone > 0 ? [`${alone} without a connection are not drawn.`] : []),
  ]
  return { nodes: drawn, edges: shown, ...(notes.length > 0 ? { note: notes.join(' ') } : {}) }
}

/** An export does not say what distinguishes entities with the same name: that is requested, for a limited number of names. */
async function distinguishNamesakes(corpus: string, nodes: Map<string, PictureNode>, signal: AbortSignal): Promise<void> {
  const names = [...nodes.values()].flatMap((node) => (node.kind === 'entity' ? [nameOf({ text: node.text })] : []))
  const met = new Set<string>()
  const shared = new Set(names.filter((name) => met.has(name) || !met.add(name)))
  const asked = [...shared].slice(0, MAX_SHARED_NAMES).map(async (name) => {
    const { data } = await corpusAt(corpus, signal).entities({ q: name, limit: 50 })
    for (const { id, about } of data) {
      const spot = nodes.get(id)
      if (spot && about) nodes.set(id, { ...spot, about })
    }
  })
  await Promise.all(asked)
}

interface Gathered {
  readonly nodes: Map<string, PictureNode>
  readonly edges: PictureEdge[]
  readonly entities: Node[]
  /** Texts of chunks, in which names are searched for. */
  readonly texts: Map<string, string>
  left: number
}

function addLine(told: Gathered, line: Line): void {
  switch (line.type) {
    case 'document':
      addSpot(told, { id: line.id, kind: 'document', layer: 0, text: line.title || line.id })
      for (const { chunk } of line.chunks) told.edges.push({ kind: 'contains', source: line.id, target: chunk, weight: 1 })
      break
    case 'chunk':
      addSpot(told, { id: line.id, kind: 'chunk', layer: 0, text: line.text.slice(0, CHUNK_SHOWN) })
      told.texts.set(line.id, line.text)
      break
    case 'node':
      addSpot(told, { id: line.id, kind: line.kind, layer: line.layer, text: line.text })
      if (line.kind === 'entity') told.entities.push(line)
      break
    case 'edge':
      if (told.edges.length < MAX_EDGES) told.edges.push({ kind: line.kind, source: line.source, target: line.target, weight: line.weight })
  }
}

function addSpot(told: Gathered, spot: PictureNode): void {
  if (told.nodes.size < MAX_NODES || told.nodes.has(spot.id)) told.nodes.set(spot.id, spot)
  else told.left += 1
}

async function* lines(response: Response): AsyncGenerator<string, void, void> {
  if (!response.body) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const parts = (rest + piece.value).split('\n')
    rest = parts.pop() ?? ''
    yield* parts.filter(Boolean)
  }
  if (rest) yield rest
}
