/**
 * What other graph RAG systems leave in a folder, as the documents they were made of: Microsoft GraphRAG's `documents.parquet`
 * (or, without texts there, `text_units.parquet`), LightRAG's `kv_store_full_docs.json`. Their graphs are not taken over: Loam derives its own.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PARQUET = ['documents', 'create_final_documents', 'create_base_documents', 'text_units', 'create_final_text_units']
const LIGHTRAG = 'kv_store_full_docs.json'

/** @returns {undefined | (() => AsyncGenerator<object>)} undefined: nothing known is in this folder */
export function foreignIn(folder) {
  for (const inside of [folder, join(folder, 'output'), join(folder, 'rag_storage')]) {
    if (existsSync(join(inside, LIGHTRAG))) return () => lightrag(join(inside, LIGHTRAG))
    if (PARQUET.some((name) => existsSync(join(inside, `${name}.parquet`)))) return () => graphrag(inside)
  }
  return undefined
}

async function* lightrag(path) {
  for (const [id, one] of Object.entries(JSON.parse(readFileSync(path, 'utf8')))) {
    if (typeof one?.content !== 'string' || one.content.trim() === '') continue
    const file = typeof one.file_path === 'string' && one.file_path !== 'unknown_source' ? one.file_path : undefined
    yield { id, text: one.content, ...(file ? { title: file } : {}), metadata: { source: 'lightrag' } }
  }
}

async function* graphrag(folder) {
  const { asyncBufferFromFile, parquetReadObjects } = await import('hyparquet')
  for (const name of PARQUET) {
    const path = join(folder, `${name}.parquet`)
    if (!existsSync(path)) continue
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(path) })
    const whole = rows
      .map((row) => ({ ...row, text: row.text ?? row.raw_content }))
      .filter(({ text }) => typeof text === 'string' && text.trim() !== '')
    if (whole.length === 0) continue
    for (const { id, human_readable_id: number, title, text } of whole)
      yield { id: String(id ?? number), text, ...(title ? { title: String(title) } : {}), metadata: { source: 'graphrag' } }
    return
  }
}
