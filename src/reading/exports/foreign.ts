/**
 * A zipped folder of Microsoft GraphRAG or LightRAG: only the files with documents and with the graph are unpacked (no caches or vectors,
 * nor any API keys stored next to them). Of the graph, each document brings what its own passages say (peer-graph.ts).
 */
import type { ReadBounds } from '../bounds'
import { Unreadable } from '../unreadable'
import { type Budget, type ExportedDocument, type Files, MAX_DOCUMENTS, tooLarge } from './exported'
import { GRAPHRAG_FILES, graphRagDocuments } from './graphrag'
import { GRAPH_FILES, graphRagGraph } from './graphrag-graph'
import { LIGHTRAG_FILE, lightRagDocuments } from './lightrag'
import { LIGHTRAG_CHUNKS, LIGHTRAG_GRAPH, lightRagGraph } from './lightrag-graph'
import { GraphBringer, type Taken } from './peer-graph'

export interface ForeignFolder {
  readonly kind: 'graphrag' | 'lightrag'
  /** Ends with a slash, or is empty. */
  readonly folder: string
  readonly files: readonly string[]
}

const placeOf = (name: string): string => name.slice(0, name.lastIndexOf('/') + 1)
const depthOf = (folder: string): number => folder.split('/').length

/** The topmost folder. Null: there is none. */
export function findForeign(names: readonly string[]): ForeignFolder | null {
  for (const kind of ['lightrag', 'graphrag'] as const) {
    const known = kind === 'lightrag' ? [LIGHTRAG_FILE] : GRAPHRAG_FILES
    const found = names.filter((name) => known.includes(name.slice(placeOf(name).length)))
    const folders = [...new Set(found.map(placeOf))].sort((a, b) => depthOf(a) - depthOf(b))
    const [folder, next] = folders
    if (folder === undefined) continue
    if (next !== undefined && depthOf(next) === depthOf(folder))
      throw new Unreadable('unsupported', 'This archive contains several such folders. Zip and send them one by one.')
    const more = kind === 'lightrag' ? [LIGHTRAG_GRAPH, LIGHTRAG_CHUNKS] : GRAPH_FILES
    const wanted = [...found, ...names.filter((name) => more.includes(name.slice(placeOf(name).length)))]
    return { kind, folder, files: [...new Set(wanted)].filter((name) => placeOf(name) === folder) }
  }
  return null
}

export interface ForeignRead {
  readonly documents: readonly ExportedDocument[]
  /** How much of the graph came with them; absent: there is none. */
  readonly graph?: Taken
}

/** If an id occurs twice, the last document counts. */
export async function foreignDocuments(
  { kind, folder }: ForeignFolder,
  files: Files,
  { bounds, budget }: { readonly bounds: ReadBounds; readonly budget: Budget },
): Promise<ForeignRead> {
  const documents = new Map<string, ExportedDocument>()
  const text = (name: string): string | undefined => {
    const bytes = files.get(`${folder}${name}`)
    return bytes && textOf(bytes, name)
  }
  const tables = { open: async (name: string) => bufferOf(files.get(`${folder}${name}`)), where: (name: string) => name }
  const found =
    kind === 'lightrag'
      ? lightRagDocuments(text(LIGHTRAG_FILE) ?? '', LIGHTRAG_FILE, bounds, budget)
      : graphRagDocuments(tables, bounds, budget)
  for await (const one of found) {
    documents.set(one.path, one)
    if (documents.size > MAX_DOCUMENTS && !bounds.isTrusted) throw tooLarge(`more than ${MAX_DOCUMENTS} documents`)
  }
  const graph =
    kind === 'lightrag'
      ? lightRagGraph({ graph: text(LIGHTRAG_GRAPH), chunks: text(LIGHTRAG_CHUNKS) }, (name) => name)
      : await graphRagGraph(tables, bounds, budget)
  if (!graph) return { documents: [...documents.values()] }
  const bringer = new GraphBringer(graph)
  const whole = [...documents.values()].map((one) => withGraph(one, bringer))
  return { documents: whole, graph: bringer.taken }
}

export function withGraph(document: ExportedDocument, bringer: GraphBringer): ExportedDocument {
  const graph = bringer.of(document.path, document.text)
  return graph ? { ...document, graph } : document
}

function textOf(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw new Unreadable('encoding', `${name}: is not UTF-8`)
  }
}

const bufferOf = (bytes: Uint8Array | undefined) =>
  bytes && { byteLength: bytes.length, slice: (from: number, to?: number) => bytes.slice(from, to).buffer }
