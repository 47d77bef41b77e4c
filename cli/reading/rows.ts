/** JSON lines and CSV: one document per row, read one by one; `src/reading/plain-rows.ts` defines what a row becomes. */
import { closeSync, openSync, readSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { MAX_METADATA } from '../../src/contract/document-limits'
import { type Cells, type Columns, calledBy, isCells, readRow } from '../../src/reading/plain-rows'
import type { SourceDocument } from '../documents'
import { readLines, readPieces } from './decode'

export type { Columns }

export type Row = Omit<SourceDocument, 'id'> & {
  readonly id?: string
  /** Its number, from 1 on. */
  readonly row: number
}

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
    const cells = record as Cells
    const title = calledBy(cells, columns)
    yield { row, ...(title ? { title } : {}), ...toDocument(cells, columns) } // a column of titles comes first
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

/** The one of comma, semicolon and tab that occurs most often in the first line. */
function separatorOf(path: string): string {
  const buffer = Buffer.alloc(4096)
  const file = openSync(path, 'r')
  const [head = ''] = buffer.toString('utf8', 0, readSync(file, buffer)).split('\n')
  closeSync(file)
  const count = (sign: string): number => head.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

/** Metadata too large to be stored is left out. */
function toDocument(record: Cells, columns: Columns): Omit<Row, 'row'> {
  const { metadata, ...rest } = readRow(record, columns)
  return metadata && Buffer.byteLength(JSON.stringify(metadata)) <= MAX_METADATA ? { ...rest, metadata } : rest
}
