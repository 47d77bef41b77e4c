/**
 * What other graph RAG systems leave in a folder, as the documents they were made of: Microsoft GraphRAG's Parquet (graphrag.ts), LightRAG's
 * `kv_store_full_docs.json`. Their graphs are not taken over: Loam derives its own.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceDocument } from '../documents'
import { Failure } from '../failure'
import { isGraphRag, readGraphRag } from './graphrag'

const LIGHTRAG = 'kv_store_full_docs.json'

/** Undefined: nothing known is in this folder. */
export function findForeign(folder: string): (() => AsyncGenerator<SourceDocument>) | undefined {
  for (const inside of [folder, join(folder, 'output'), join(folder, 'rag_storage')]) {
    if (existsSync(join(inside, LIGHTRAG))) return () => readLightRag(join(inside, LIGHTRAG))
    if (isGraphRag(inside)) return () => readGraphRag(inside)
  }
  return undefined
}

type Fields = { readonly [name: string]: unknown }

async function* readLightRag(path: string): AsyncGenerator<SourceDocument> {
  for (const [id, one] of Object.entries(objectIn(path))) {
    if (!isFields(one)) throw new Failure(`${path}: entry ${id} is not an object`)
    const { content, file_path: file } = one
    if (content === undefined || content === null) continue
    if (typeof content !== 'string') throw new Failure(`${path}: \`content\` of entry ${id} is not text`)
    if (content.trim() === '') continue
    const title = typeof file === 'string' && file !== 'unknown_source' && file !== 'no-file-path' ? file : undefined
    yield { id, text: content, ...(title ? { title } : {}), metadata: { source: 'lightrag' } }
  }
}

function objectIn(path: string): Fields {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const isTooLong = (error as NodeJS.ErrnoException).code === 'ERR_STRING_TOO_LONG'
    throw new Failure(`${path}: ${isTooLong ? 'is larger than 512 MB; `loam ingest` takes the files LightRAG was given' : 'is not JSON'}`)
  }
  if (!isFields(value)) throw new Failure(`${path}: is not an object of documents by id`)
  return value
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
