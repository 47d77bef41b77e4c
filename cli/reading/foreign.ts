/**
 * What other graph RAG systems leave in a folder, as the documents they were made of: Microsoft GraphRAG's `documents.parquet`
 * (or, without texts there, `text_units.parquet`), LightRAG's `kv_store_full_docs.json`. Their graphs are not taken over: Loam derives its own.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceDocument } from '../documents'

const PARQUET = ['documents', 'create_final_documents', 'create_base_documents', 'text_units', 'create_final_text_units']
const LIGHTRAG = 'kv_store_full_docs.json'

/** Undefined: nothing known is in this folder. */
export function findForeign(folder: string): (() => AsyncGenerator<SourceDocument>) | undefined {
  for (const inside of [folder, join(folder, 'output'), join(folder, 'rag_storage')]) {
    if (existsSync(join(inside, LIGHTRAG))) return () => readLightRag(join(inside, LIGHTRAG))
    if (PARQUET.some((name) => existsSync(join(inside, `${name}.parquet`)))) return () => readGraphRag(inside)
  }
  return undefined
}

type Fields = { readonly [name: string]: unknown } | null

async function* readLightRag(path: string): AsyncGenerator<SourceDocument> {
  const documents = JSON.parse(readFileSync(path, 'utf8')) as { readonly [id: string]: Fields }
  for (const [id, one] of Object.entries(documents)) {
    const text = textOf(one?.content)
    if (text === undefined) continue
    const file = typeof one?.file_path === 'string' && one.file_path !== 'unknown_source' ? one.file_path : undefined
    yield { id, text, ...(file ? { title: file } : {}), metadata: { source: 'lightrag' } }
  }
}

async function* readGraphRag(folder: string): AsyncGenerator<SourceDocument> {
  const { asyncBufferFromFile, parquetReadObjects } = await import('hyparquet')
  for (const name of PARQUET) {
    const path = join(folder, `${name}.parquet`)
    if (!existsSync(path)) continue
    let found = false
    for (const row of await parquetReadObjects({ file: await asyncBufferFromFile(path) })) {
      const { id, human_readable_id: number, title, text: own, raw_content: raw } = row
      const text = textOf(own ?? raw)
      if (text === undefined) continue
      found = true
      yield { id: String(id ?? number), text, ...(title ? { title: String(title) } : {}), metadata: { source: 'graphrag' } }
    }
    if (found) return
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined)
