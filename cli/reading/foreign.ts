/**
 * What other graph RAG systems leave in a folder, read in place, with the readers that the service has for zipped folders. Their graphs are not imported:
 * Loam derives its own.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { localBounds } from '../../src/reading/bounds'
import type { ExportedDocument } from '../../src/reading/exports/exported'
import { GRAPHRAG_FILES, graphRagDocuments } from '../../src/reading/exports/graphrag'
import { LIGHTRAG_FILE, lightRagDocuments } from '../../src/reading/exports/lightrag'
import { Unreadable } from '../../src/reading/unreadable'
import type { Many, SourceDocument } from '../documents'
import { Failure } from '../failure'

/** Undefined: nothing known is in this folder. */
export function findForeign(folder: string): (() => AsyncGenerator<SourceDocument>) | undefined {
  for (const inside of [folder, join(folder, 'output'), join(folder, 'rag_storage')]) {
    if (existsSync(join(inside, LIGHTRAG_FILE))) return () => asSources(() => lightRagIn(join(inside, LIGHTRAG_FILE)))
    if (GRAPHRAG_FILES.some((name) => existsSync(join(inside, name)))) return () => asSources(() => graphRagIn(inside))
  }
  return undefined
}

function graphRagIn(folder: string): AsyncGenerator<ExportedDocument> {
  const where = (name: string): string => join(folder, name)
  const open = async (name: string) => {
    if (!existsSync(where(name))) return undefined
    const { asyncBufferFromFile } = await import('hyparquet')
    return asyncBufferFromFile(where(name))
  }
  return graphRagDocuments({ open, where }, localBounds, { left: Number.POSITIVE_INFINITY })
}

function lightRagIn(path: string): Generator<ExportedDocument> {
  try {
    return lightRagDocuments(readFileSync(path, 'utf8'), path, localBounds, { left: Number.POSITIVE_INFINITY })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STRING_TOO_LONG') throw error
    throw new Failure(`${path}: is larger than 512 MB; \`loam ingest\` takes the files that LightRAG read`)
  }
}

/** With their own ids. Errors in the file are not our bugs. */
export async function* asSources(read: () => Many<ExportedDocument>, path?: string): AsyncGenerator<SourceDocument> {
  try {
    for await (const { path: id, title, text, metadata } of read()) yield { id, text, ...(title ? { title } : {}), metadata }
  } catch (error) {
    throw error instanceof Unreadable ? new Failure(`${path ? `${path}: ` : ''}${error.message}`) : error
  }
}
