/**
 * A zipped folder of Microsoft GraphRAG or LightRAG: only the files with documents are unpacked (no caches, vectors or graphs, nor any API
 * keys stored next to them). The graph is not taken over: Loam derives its own, whose every statement can be checked against a passage.
 */
import type { ReadBounds } from '../bounds'
import { Unreadable } from '../unreadable'
import { type Budget, type ExportedDocument, type Files, MAX_DOCUMENTS, tooLarge } from './exported'
import { GRAPHRAG_FILES, graphRagDocuments } from './graphrag'
import { LIGHTRAG_FILE, lightRagDocuments } from './lightrag'

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
    return { kind, folder, files: found.filter((name) => placeOf(name) === folder) }
  }
  return null
}

/** If an id occurs twice, the last document counts. */
export async function foreignDocuments(
  { kind, folder }: ForeignFolder,
  files: Files,
  { bounds, budget }: { readonly bounds: ReadBounds; readonly budget: Budget },
): Promise<ExportedDocument[]> {
  const documents = new Map<string, ExportedDocument>()
  const found =
    kind === 'lightrag'
      ? lightRagDocuments(textOf(files.get(`${folder}${LIGHTRAG_FILE}`)), LIGHTRAG_FILE, bounds, budget)
      : graphRagDocuments({ open: async (name) => bufferOf(files.get(`${folder}${name}`)), where: (name) => name }, bounds, budget)
  for await (const one of found) {
    documents.set(one.path, one)
    if (documents.size > MAX_DOCUMENTS && !bounds.isTrusted) throw tooLarge(`more than ${MAX_DOCUMENTS} documents`)
  }
  return [...documents.values()]
}

function textOf(bytes: Uint8Array | undefined): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw new Unreadable('encoding', `${LIGHTRAG_FILE}: is not UTF-8`)
  }
}

const bufferOf = (bytes: Uint8Array | undefined) =>
  bytes && { byteLength: bytes.length, slice: (from: number, to?: number) => bytes.slice(from, to).buffer }
