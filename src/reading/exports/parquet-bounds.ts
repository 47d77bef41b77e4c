/**
 * What a Parquet file would unpack to, from the headers of its pages, before any page is decoded. The library trusts these headers: one of
 * a few bytes may claim pages of gigabytes, endless values, or strings that repeat earlier ones.
 */
import type { AsyncBuffer, ColumnMetaData, FileMetaData, PageHeader } from 'hyparquet'
import { Unreadable } from '../unreadable'
import { type Budget, MAX_DOCUMENTS, tooLarge } from './exported'

const MAX_FOOTER = 256 * 1024 // bytes; GraphRAG's are some 10 kB
const MAX_HEAD = 32 * 1024 // bytes of a page's header, including its smallest and largest values
const MAX_VALUES = 200_000 // of a column; lists have several in a row
const CODECS: ReadonlySet<string> = new Set(['UNCOMPRESSED', 'SNAPPY'])
const EXPANDING = 'DELTA_BYTE_ARRAY' // each string begins with part of the previous one

interface Chosen {
  readonly file: AsyncBuffer
  readonly metadata: FileMetaData
  readonly columns: readonly string[]
  readonly where: string
}

/** The length of what the library is about to parse; parsing numbers in it takes time quadratic in their length. */
export async function requireSmallFooter(file: AsyncBuffer, where: string): Promise<void> {
  const end = new DataView(await file.slice(Math.max(0, file.byteLength - 8), file.byteLength))
  if (end.byteLength < 8 || end.getUint32(4, true) !== 0x31524150) throw broken(where) // PAR1
  if (end.getUint32(0, true) > MAX_FOOTER) throw tooLarge(`a description of more than ${MAX_FOOTER} bytes`, where)
}

export async function requireBounded({ file, metadata, columns, where }: Chosen, budget: Budget): Promise<void> {
  const inGroups = metadata.row_groups.reduce((sum, { num_rows: rows }) => sum + Number(rows), 0)
  if (Math.max(inGroups, Number(metadata.num_rows)) > MAX_DOCUMENTS) throw tooLarge(`more than ${MAX_DOCUMENTS} rows`, where)
  const values = new Map<string, number>()
  for (const { meta_data: column } of metadata.row_groups.flatMap((group) => group.columns)) {
    const [name = ''] = column?.path_in_schema ?? []
    if (!column || !columns.includes(name)) continue
    if (!CODECS.has(column.codec))
      throw new Unreadable(
        'unsupported',
        `${where}: column \`${name}\` is compressed with ${column.codec}; only SNAPPY and uncompressed columns are supported.`,
      )
    for (const page of await pagesOf(file, column, where)) {
      const count = (values.get(name) ?? 0) + page.values
      values.set(name, count)
      budget.left -= page.bytes
      if (budget.left < 0) throw tooLarge(`more text than can be read at once`, `${where}, column \`${name}\``)
      if (count > MAX_VALUES) throw tooLarge(`more than ${MAX_VALUES} values`, `${where}, column \`${name}\``)
    }
  }
}

interface Page {
  readonly bytes: number
  readonly values: number
}

async function pagesOf(file: AsyncBuffer, column: ColumnMetaData, where: string): Promise<Page[]> {
  const { parquetHeader } = await import('hyparquet/src/column.js')
  const { from, to } = placeOf(column)
  if (!(from >= 0 && from <= to && to <= file.byteLength)) throw broken(where)
  const bytes = await file.slice(from, to)
  const pages: Page[] = []
  for (let at = 0; at < bytes.byteLength - 1; ) {
    const reader = { view: new DataView(bytes, at, Math.min(MAX_HEAD, bytes.byteLength - at)), offset: 0 }
    const head = parquetHeader(reader)
    at += reader.offset + head.compressed_page_size
    if (!(head.compressed_page_size >= 0 && head.uncompressed_page_size >= 0 && at <= bytes.byteLength)) throw broken(where)
    pages.push({ bytes: head.uncompressed_page_size, values: valuesIn(head, where) })
  }
  return pages
}

/** As the library finds it. */
function placeOf(column: ColumnMetaData): { readonly from: number; readonly to: number } {
  const { dictionary_page_offset: dictionary, data_page_offset: data, total_compressed_size: size } = column
  const from = Number(dictionary || data)
  return { from, to: from + Number(size) }
}

function valuesIn({ data_page_header: one, data_page_header_v2: two, dictionary_page_header: dictionary }: PageHeader, where: string) {
  const counts = [one?.num_values, two?.num_values, two?.num_nulls, two?.num_rows, dictionary?.num_values].map((n) => n ?? 0)
  if (counts.some((n) => n < 0) || (two && two.num_nulls > two.num_values)) throw broken(where)
  if ([one?.encoding, two?.encoding].includes(EXPANDING))
    throw new Unreadable('unsupported', `${where}: only \`loam import\` reads strings encoded with ${EXPANDING}.`)
  return Math.max(...counts)
}

const broken = (where: string): Unreadable => new Unreadable('broken', `${where}: is not a readable Parquet file`)
