/** LightRAG's graph: `graph_chunk_entity_relation.graphml`, whose nodes and edges name the chunks of `kv_store_text_chunks.json` they were found in. */
import { readGraph } from '../graphml-rows'
import { Unreadable } from '../unreadable'
import { objectIn } from './lightrag'
import type { PeerGraph, PeerPassage } from './peer-graph'

export const LIGHTRAG_GRAPH = 'graph_chunk_entity_relation.graphml'
export const LIGHTRAG_CHUNKS = 'kv_store_text_chunks.json'
const SEPARATOR = '<SEP>' // between what was found in several chunks
const FIRST_WEIGHT = 5 // LightRAG counts a mention as 1, a model here rates it from 1 to 10

interface Files {
  readonly graph: string | undefined
  readonly chunks: string | undefined
}

/** Undefined: there is none, or nothing says which texts it came from. `where` names a file in a fault. */
export function lightRagGraph({ graph, chunks }: Files, where: (name: string) => string): PeerGraph | undefined {
  if (graph === undefined || chunks === undefined) return undefined
  const { nodes, edges } = rowsIn(graph, where(LIGHTRAG_GRAPH))
  const nameOf = new Map(nodes.map(({ id, data }) => [id, data.entity_id ?? id]))
  const entities = nodes.map(({ id, data }) => ({
    name: nameOf.get(id) ?? id,
    type: /^unknown$/i.test(data.entity_type ?? '') ? '' : (data.entity_type ?? ''),
    description: told(data.description),
    passages: partsOf(data.source_id),
  }))
  const relations = edges.map(({ source, target, data }) => ({
    source: nameOf.get(source) ?? source,
    target: nameOf.get(target) ?? target,
    description: told(data.description) || told(data.keywords),
    weight: FIRST_WEIGHT * (Number(data.weight) || 1),
    passages: partsOf(data.source_id),
  }))
  return { entities, relations, passages: passagesIn(chunks, where(LIGHTRAG_CHUNKS)) }
}

function rowsIn(xml: string, where: string) {
  try {
    return readGraph(xml)
  } catch (error) {
    throw error instanceof Unreadable ? new Unreadable(error.why, `${where}: ${error.message}`) : error
  }
}

function passagesIn(json: string, where: string): ReadonlyMap<string, PeerPassage> {
  const found = new Map<string, PeerPassage>()
  for (const [id, one] of Object.entries(objectIn(json, where))) {
    const { content, full_doc_id: document } = (one ?? {}) as { readonly content?: unknown; readonly full_doc_id?: unknown }
    if (typeof content === 'string' && typeof document === 'string') found.set(id, { text: content, documents: [document] })
  }
  return found
}

const partsOf = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter(Boolean)

/** Descriptions from several chunks, as sentences one after another. */
function told(text: string | undefined): string {
  return partsOf(text)
    .map((part) => (/[.!?…。！？]$/u.test(part) ? part : `${part}.`))
    .join(' ')
}
