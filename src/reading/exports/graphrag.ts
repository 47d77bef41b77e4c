/** Microsoft GraphRAG's Parquet files as the documents they were made from. Faults are named by file, row and column. */
import type { ReadBounds } from '../bounds'
import { Unreadable } from '../unreadable'
import { type Budget, type ExportedDocument, fitting } from './exported'
import { openParquet, type ParquetFile, type Row } from './parquet'

/** Since 2.0, and as 0.x and 1.x named them. If documents contain no text, the text units do. */
const TABLES = ['documents', 'create_final_documents', 'create_base_documents', 'text_units', 'create_final_text_units']
export const GRAPHRAG_FILES: readonly string[] = TABLES.map((name) => `${name}.parquet`)
const TEXTS = ['text', 'raw_content']
const COLUMNS = [...TEXTS, 'id', 'human_readable_id', 'title', 'metadata', 'raw_data', 'creation_date', 'document_ids', 'document_id']

export interface TableFolder {
  /** Undefined: there is no such file. */
  open(name: string): Promise<ParquetFile | undefined>
  /** How a fault names it. */
  where(name: string): string
}

export async function* graphRagDocuments(folder: TableFolder, bounds: ReadBounds, budget: Budget): AsyncGenerator<ExportedDocument> {
  const textless: string[] = []
  for (const name of GRAPHRAG_FILES) {
    const file = await folder.open(name)
    if (!file) continue
    const where = folder.where(name)
    const { columns, rows } = await openParquet(file, where, bounds, budget)
    if (!TEXTS.some((column) => columns.includes(column))) {
      textless.push(where)
      continue
    }
    let [found, row] = [false, 0]
    for await (const one of rows(COLUMNS)) {
      const document = toDocument(one, `${where}, row ${++row}`)
      if (!document) continue
      found = true
      yield fitting(document, `${where}, row ${row}`, bounds, budget)
    }
    if (found) return
  }
  const [first] = textless
  if (first) throw new Unreadable('broken', `${first}: has no column \`text\` (nor \`raw_content\`), and there are no text units beside it`)
}

/** Undefined: it contains no text. */
function toDocument(row: Row, where: string): ExportedDocument | undefined {
  const { id, human_readable_id: number, title, text, raw_content: raw } = row
  const content = text ?? raw
  if (content == null || content === '') return undefined
  if (typeof content !== 'string') throw new Unreadable('broken', `${where}: \`text\` is not a text`)
  if (content.trim() === '') return undefined
  const name = id ?? number
  if (name == null || name === '') throw new Unreadable('broken', `${where}: has neither \`id\` nor \`human_readable_id\``)
  return { path: String(name), title: title ? String(title) : '', text: content, metadata: metadataOf(row) }
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

/** The user's own columns, which it keeps as JSON; only texts and numbers are used. */
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
