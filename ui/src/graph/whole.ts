/** The whole graph, from the export as it streams in, up to what a screen can show. */
import { ask, at } from '../api/client'
import type { GraphEdge, GraphNode } from '../api/types'
import { named } from './entities'
import type { Picture, Spot, Tie } from './picture'

const MOST_NODES = 5000
const MOST_EDGES = 20_000

interface Line {
  readonly type: string
  readonly id: string
  readonly title?: string
  readonly text?: string
  readonly chunks?: readonly { readonly chunk: string }[]
}

export async function wholeGraph(corpus: string, signal: AbortSignal): Promise<Picture> {
  const response = await ask('GET', `${at(corpus, 'export')}?format=jsonl`, { signal })
  const nodes = new Map<string, Spot>()
  const entities: GraphNode[] = []
  const edges: Tie[] = []
  const texts = new Map<string, string>()
  let left = 0
  const add = (spot: Spot) => {
    if (nodes.size < MOST_NODES || nodes.has(spot.id)) nodes.set(spot.id, spot)
    else left += 1
  }
  for await (const line of lines(response)) {
    const told: Line = JSON.parse(line)
    if (told.type === 'document') {
      add({ id: told.id, kind: 'document', layer: 0, text: told.title || told.id })
      for (const { chunk } of told.chunks ?? []) edges.push({ kind: 'contains', source: told.id, target: chunk, weight: 1 })
    } else if (told.type === 'chunk') {
      add({ id: told.id, kind: 'chunk', layer: 0, text: (told.text ?? '').slice(0, 200) })
      texts.set(told.id, told.text ?? '')
    } else if (told.type === 'node') {
      const node: GraphNode = JSON.parse(line)
      add({ id: node.id, kind: node.kind, layer: node.layer, text: node.text })
      if (node.kind === 'entity') entities.push(node)
    } else if (told.type === 'edge' && edges.length < MOST_EDGES) {
      const { kind, source, target, weight }: GraphEdge = JSON.parse(line)
      edges.push({ kind, source, target, weight })
    }
  }
  const { find } = named(entities)
  for (const [chunk, text] of texts)
    for (const entity of find(text)) edges.push({ kind: 'mentions', source: chunk, target: entity, weight: 1 })
  const shown = edges.filter(({ source, target }) => source !== target && nodes.has(source) && nodes.has(target)).slice(0, MOST_EDGES)
  return { nodes: [...nodes.values()], edges: shown, ...(left > 0 ? { note: `${left} more nodes are left out.` } : {}) }
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
