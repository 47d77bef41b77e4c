/** Microsoft GraphRAG's Parquet files as the documents they were made of, a group of rows at a time. What is wrong is named by file and row. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceDocument } from '../documents'
import { Failure } from '../failure'

/** Since 2.0; as 0.x and 1.x named them. Where documents hold no text, the text units do. */
const FILES = ['documents', 'create_final_documents', 'create_base_documents', 'text_units', 'create_final_text_units'] as const
const ROWS_AT_ONCE = 1000
const REASON = 120 // characters of a library's message

type Row = { readonly [column: string]: unknown }

export function isGraphRag(folder: string): boolean {
  return FILES.some((name) => existsSync(join(folder, `${name}.parquet`)))
}

export async function* readGraphRag(folder: string): AsyncGenerator<SourceDocument> {
  for (const name of FILES) {
    const path = join(folder, `${name}.parquet`)
    if (!existsSync(path)) continue
    let [found, row] = [false, 0]
    for await (const one of rowsOf(path)) {
      const document = toDocument(one, `${path}, row ${++row}`)
      if (!document) continue
      found = true
      yield document
    }
    if (found) return
  }
}

async function* rowsOf(path: string): AsyncGenerator<Row> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await import('hyparquet')
  const file = await asyncBufferFromFile(path)
  const told = (error: unknown): never => {
    const { message = '' } = error as Partial<Error>
    throw new Failure(`${path}: is not a readable Parquet file (${message.split('\n')[0]?.slice(0, REASON)})`)
  }
  const metadata = await parquetMetadataAsync(file).catch(told)
  const rows = Number(metadata.num_rows)
  for (let rowStart = 0; rowStart < rows; rowStart += ROWS_AT_ONCE) {
    const rowEnd = Math.min(rows, rowStart + ROWS_AT_ONCE)
    yield* await parquetReadObjects({ file, metadata, rowStart, rowEnd }).catch(told)
  }
}

/** Undefined: it contains no text. */
function toDocument(row: Row, where: string): SourceDocument | undefined {
  const { id, human_readable_id: number, title, text, raw_content: raw } = row
  const content = text ?? raw
  if (content == null || content === '') return undefined
  if (typeof content !== 'string') throw new Failure(`${where}: \`text\` is no text`)
  if (content.trim() === '') return undefined
  const name = id ?? number
  if (name == null || name === '') throw new Failure(`${where}: has neither \`id\` nor \`human_readable_id\``)
  return { id: String(name), text: content, ...(title ? { title: String(title) } : {}), metadata: metadataOf(row) }
}

function metadataOf({ metadata, raw_data: data, creation_date: created, document_ids: ids, document_id: own }: Row) {
  const documents = Array.isArray(ids) ? ids : own == null ? [] : [own]
  return {
    ...objectOf(data),
    ...objectOf(metadata),
    ...(typeof created === 'string' && created !== '' ? { creation_date: created } : {}),
    ...(documents.length > 0 ? { document_ids: documents.map(String) } : {}),
    source: 'graphrag',
  }
}

/** Columns of one's own, which it keeps as JSON; texts and numbers of it alone. */
function objectOf(value: unknown): { readonly [name: string]: string | number | boolean } {
  const parsed = typeof value === 'string' ? attempt(value) : value
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return {}
  const plain = Object.entries(parsed).filter(([name]) => name !== 'text')
  return Object.fromEntries(plain.flatMap(([name, one]) => (isPlain(one) ? [[name, one] as const] : [])))
}

const isPlain = (value: unknown): value is string | number | boolean => ['string', 'number', 'boolean'].includes(typeof value)

function attempt(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
