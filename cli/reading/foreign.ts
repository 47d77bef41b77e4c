/**
 * What other graph RAG systems leave in a folder, read in place, with the readers that the service has for zipped folders. Of their graphs each document
 * brings what its own passages say.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { localBounds } from '../../src/reading/bounds'
import type { ExportedDocument } from '../../src/reading/exports/exported'
import { withGraph } from '../../src/reading/exports/foreign'
import { GRAPHRAG_FILES, graphRagDocuments } from '../../src/reading/exports/graphrag'
import { graphRagGraph } from '../../src/reading/exports/graphrag-graph'
import { LIGHTRAG_FILE, lightRagDocuments } from '../../src/reading/exports/lightrag'
import { LIGHTRAG_CHUNKS, LIGHTRAG_GRAPH, lightRagGraph } from '../../src/reading/exports/lightrag-graph'
import { GraphBringer, type PeerGraph, type Taken } from '../../src/reading/exports/peer-graph'
import { Unreadable } from '../../src/reading/unreadable'
import type { Many, SourceDocument } from '../documents'
import { Failure } from '../failure'

export interface Foreign {
  readonly documents: () => AsyncGenerator<SourceDocument>
  /** How much of the graph came with the documents that have been read; undefined: there is none. */
  readonly taken: () => Taken | undefined
}

const UNBOUNDED = { left: Number.POSITIVE_INFINITY }

/** Undefined: nothing known is in this folder. */
export function findForeign(folder: string): Foreign | undefined {
  for (const inside of [folder, join(folder, 'output'), join(folder, 'rag_storage')]) {
    if (existsSync(join(inside, LIGHTRAG_FILE))) return withTheirGraph(lightRagIn(inside))
    if (GRAPHRAG_FILES.some((name) => existsSync(join(inside, name)))) return withTheirGraph(graphRagIn(inside))
  }
  return undefined
}

interface Reading {
  documents(): Many<ExportedDocument>
  graph(): Promise<PeerGraph | undefined>
}

/** Documents may be read more than once, and a file may change meanwhile: each time the graph is read anew. */
function withTheirGraph({ documents, graph }: Reading): Foreign {
  let bringer: GraphBringer | undefined
  async function* read(): AsyncGenerator<ExportedDocument> {
    const found = await graph()
    bringer = found && new GraphBringer(found)
    for await (const one of documents()) yield bringer ? withGraph(one, bringer) : one
  }
  return { documents: () => asSources(read), taken: () => bringer?.taken }
}

function graphRagIn(folder: string): Reading {
  const where = (name: string): string => join(folder, name)
  const open = async (name: string) => {
    if (!existsSync(where(name))) return undefined
    const { asyncBufferFromFile } = await import('hyparquet')
    return asyncBufferFromFile(where(name))
  }
  const tables = { open, where }
  return {
    documents: () => graphRagDocuments(tables, localBounds, UNBOUNDED),
    graph: () => graphRagGraph(tables, localBounds, UNBOUNDED),
  }
}

function lightRagIn(folder: string): Reading {
  const where = (name: string): string => join(folder, name)
  const text = (name: string): string | undefined => (existsSync(where(name)) ? textIn(where(name)) : undefined)
  return {
    documents: () => lightRagDocuments(textIn(where(LIGHTRAG_FILE)), where(LIGHTRAG_FILE), localBounds, UNBOUNDED),
    graph: async () => lightRagGraph({ graph: text(LIGHTRAG_GRAPH), chunks: text(LIGHTRAG_CHUNKS) }, where),
  }
}

function textIn(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STRING_TOO_LONG') throw error
    throw new Failure(`${path}: is larger than 512 MB; \`loam ingest\` takes the files that LightRAG read`)
  }
}

/** With their own ids. Errors in the file are not our bugs. */
export async function* asSources(read: () => Many<ExportedDocument>, path?: string): AsyncGenerator<SourceDocument> {
  try {
    for await (const { path: id, title, text, metadata, graph } of read())
      yield { id, text, ...(title ? { title } : {}), metadata, ...(graph ? { graph } : {}) }
  } catch (error) {
    throw error instanceof Unreadable ? new Failure(`${path ? `${path}: ` : ''}${error.message}`) : error
  }
}
