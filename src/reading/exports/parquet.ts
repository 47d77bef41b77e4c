/** A Parquet file as rows, only the columns we need, one row group at a time. A stranger's file is checked before any of it is decoded. */
import type { AsyncBuffer } from 'hyparquet'
import type { ReadBounds } from '../bounds'
import { Unreadable } from '../unreadable'
import type { Budget } from './exported'
import { requireBounded, requireSmallFooter } from './parquet-bounds'

export type ParquetFile = AsyncBuffer
export type Row = { readonly [column: string]: unknown }

export interface Parquet {
  readonly columns: readonly string[]
  /** The columns in `wanted` that exist. */
  rows(wanted: readonly string[]): AsyncGenerator<Row>
}

const ROWS_AT_ONCE = 1000 // on a person's own machine; a bounded file has few rows anyway
const REASON = 120 // characters of a library's message

/** `where`: the file that a fault names. */
export async function openParquet(file: ParquetFile, where: string, { isTrusted }: ReadBounds, budget: Budget): Promise<Parquet> {
  const { parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import('hyparquet')
  const told = (error: unknown): never => {
    if (error instanceof Unreadable) throw error
    // The library's message may quote the file; only a person with the file on disk may see it.
    const reason = isTrusted ? ` (${((error as Partial<Error>).message ?? '').split('\n')[0]?.slice(0, REASON)})` : ''
    throw new Unreadable('broken', `${where}: is not a readable Parquet file${reason}`)
  }
  const open = async () => {
    if (!isTrusted) await requireSmallFooter(file, where)
    const metadata = await parquetMetadataAsync(file)
    return { metadata, columns: parquetSchema(metadata).children.map(({ element }) => element.name) }
  }
  const { metadata, columns: present } = await open().catch(told)
  return {
    columns: present,
    async *rows(wanted) {
      const columns = wanted.filter((name) => present.includes(name))
      if (!isTrusted) await requireBounded({ file, metadata, columns, where }, budget).catch(told)
      const rows = Number(metadata.num_rows)
      const step = isTrusted ? ROWS_AT_ONCE : rows
      for (let rowStart = 0; rowStart < rows; rowStart += step) {
        const rowEnd = Math.min(rows, rowStart + step)
        yield* await parquetReadObjects({ file, metadata, columns, rowStart, rowEnd }).catch(told)
      }
    },
  }
}
