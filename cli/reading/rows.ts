/** JSON lines and CSV: one document a row, read one by one. Text, id, title and url by their usual names; a list `access` holds labels; what else there is becomes metadata. */
import { closeSync, openSync, readSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { MAX_METADATA } from '../../src/contract/document-limits'
import type { SourceDocument } from '../documents'
import { readLines, readPieces } from './decode'

const NAMES = {
  text: ['text', 'content', 'contents', 'body', 'passage', 'document', 'page_content'],
  id: ['id', '_id', 'doc_id', 'docid', 'uuid'],
  title: ['title', 'name', 'headline'],
  url: ['url', 'link', 'source_url'],
} as const

/** Names chosen by the caller. */
export interface Columns {
  readonly text?: string | undefined
  readonly id?: string | undefined
}

export type Row = Omit<SourceDocument, 'id'> & {
  readonly id?: string
  /** Its number, from 1 on. */
  readonly row: number
}

type Cells = { readonly [column: string]: unknown }

export async function* readJsonLines(path: string, columns: Columns): AsyncGenerator<Row> {
  let row = 0
  for await (const line of readLines(path)) {
    row++
    const json = line.trim()
    if (json === '') continue
    yield { row, ...toDocument(parse(json, row), columns) }
  }
}

export async function* readCsv(path: string, columns: Columns): AsyncGenerator<Row> {
  const { parse } = await import('csv-parse')
  const parser = parse({ columns: true, bom: true, delimiter: separatorOf(path), skip_empty_lines: true, relax_column_count: true })
  let row = 0
  const reading = pipeline(Readable.from(readPieces(path)), parser) // which ends the parser with its own error
  reading.catch(() => {})
  for await (const record of parser) {
    row++
    yield { row, ...toDocument(record as Cells, columns) }
  }
  await reading
}

function parse(line: string, row: number): Cells {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new Error(`line ${row} is not JSON`)
  }
  if (typeof value === 'string') return { text: value }
  if (!isCells(value)) throw new Error(`line ${row} is neither an object nor a text`)
  return value
}

const isCells = (value: unknown): value is Cells => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The one of comma, semicolon and tab that occurs most often in the first line. */
function separatorOf(path: string): string {
  const buffer = Buffer.alloc(4096)
  const file = openSync(path, 'r')
  const [head = ''] = buffer.toString('utf8', 0, readSync(file, buffer)).split('\n')
  closeSync(file)
  const count = (sign: string): number => head.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

function toDocument(record: Cells, columns: Columns): Omit<Row, 'row'> {
  const keys = new Map(Object.keys(record).map((key) => [key.trim().toLowerCase(), key]))
  const named = (what: keyof typeof NAMES): string | undefined => keys.get(NAMES[what].find((name) => keys.has(name)) ?? '')
  const names = { text: columns.text ?? named('text'), id: columns.id ?? named('id'), title: named('title'), url: named('url') }
  if (names.text === undefined) return { text: formatRow(record) } // every column says something of the thing the row is about
  const taken = new Set(Object.values(names))
  const cell = (name: string | undefined): unknown => (name === undefined ? undefined : record[name])
  const [text, id, title, url] = [cell(names.text), cell(names.id), cell(names.title), cell(names.url)]
  const rest = Object.fromEntries(Object.entries(record).filter(([name]) => !taken.has(name)))
  const { access, ...others } = rest
  const isLabelled = Array.isArray(access) && access.every((one) => typeof one === 'string')
  const metadata = metadataIn(isLabelled ? others : rest)
  return {
    text: typeof text === 'string' ? text : text == null ? '' : JSON.stringify(text),
    ...(id == null || id === '' ? {} : { id: String(id) }),
    ...(typeof title === 'string' && title ? { title } : {}),
    ...(typeof url === 'string' && /^https?:/.test(url) ? { url } : {}),
    ...(metadata ? { metadata } : {}),
    ...(isLabelled ? { access } : {}),
  }
}

const formatRow = (record: Cells): string =>
  Object.entries(record)
    .filter(([, value]) => value != null && value !== '')
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join('\n')

/** As `{metadata: {…}}` if the row has it so, else the other columns. Left out where it is too large to be stored. */
function metadataIn({ metadata, ...rest }: Cells): SourceDocument['metadata'] {
  const own = isCells(metadata) ? metadata : metadata === undefined ? {} : { metadata }
  const all = { ...rest, ...own } as NonNullable<SourceDocument['metadata']> // it was parsed from JSON, or is texts
  const size = Buffer.byteLength(JSON.stringify(all))
  return size > 2 && size <= MAX_METADATA ? all : undefined
}
