/**
 * The rows of a corpus as stored in D1, a page at a time along the primary keys: for exports, and for comparing them with the object's own.
 * A page ends at a number of rows or bytes, whichever comes first, so that no page is larger than memory allows.
 */
import type { D1Database } from '@cloudflare/workers-types'
import type { RowPage, RowTable, StoredPage, StoredRow } from '../../ports/read-model'

type Columns = { readonly [column: string]: string | number | null }

interface Table {
  readonly columns: string
  /** The approximate size of a row in bytes, without reading it. */
  readonly bytes: string
  readonly row: (columns: Columns) => StoredRow
}

const octets = (...columns: string[]): string => columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ')
const json = (text: string | number | null | undefined): never => JSON.parse(String(text)) as never

const TABLES: { readonly [table in RowTable]: Table } = {
  document: {
    columns: 'id, title, url, metadata, chunks',
    bytes: octets('id', 'title', 'metadata', 'chunks'),
    row: (it) => ({ table: 'document', row: { ...it, metadata: json(it.metadata), chunks: json(it.chunks) } as never }),
  },
  chunk: {
    columns: 'id, title, text, tokens, own',
    bytes: octets('id', 'title', 'text'),
    row: (it) => ({ table: 'chunk', row: it as never }),
  },
  node: {
    columns: 'id, kind, layer, text, tokens, stale, data',
    bytes: octets('id', 'text', 'data'),
    row: ({ stale, ...it }) => ({ table: 'node', row: { ...it, ...(stale ? { stale: true } : {}), data: json(it.data) } as never }),
  },
  edge: {
    columns: 'kind, source, target, weight, data',
    bytes: octets('source', 'target', 'data'),
    row: ({ data, ...it }) => ({ table: 'edge', row: { ...it, ...(data === null ? {} : { data: json(data) }) } as never }),
  },
}

const EDGE_KEY = 'source, kind, target'
/** The parts of a row's key. */
const keyOf = (table: RowTable): string => (table === 'edge' ? EDGE_KEY : 'id')

/** The place of an edge among edges, as one string. */
export const edgeKey = (source: string, kind: string, target: string): string => JSON.stringify([source, kind, target])

/** `after`: the last key on the previous page; '' for the first. */
export async function pageOf(db: D1Database, uid: string, table: RowTable, from: RowPage): Promise<StoredPage> {
  const { columns, bytes, row } = TABLES[table]
  const key = keyOf(table)
  const after = table === 'edge' ? placeOf(from.after) : [from.after]
  const marks = after.map(() => '?').join(', ')
  // The sum runs along the key, so SQLite stops reading at the limit; a row that alone is larger than the page is returned alone.
  const { results } = await db
    .prepare(
      `SELECT ${columns}, size FROM (SELECT ${columns}, ${bytes} AS size, sum(${bytes}) OVER (ORDER BY ${key}) AS upto FROM (
SELECT ${columns} FROM ${table} WHERE uid = ? AND (${key}) > (${marks}) ORDER BY ${key} LIMIT ?)) WHERE upto - size < ? ORDER BY ${key}`,
    )
    .bind(uid, ...after, from.rows, from.bytes)
    .all<Columns & { readonly size: number }>()
  const size = results.reduce((sum, one) => sum + one.size, 0)
  const last = results.at(-1)
  const isLast = !last || (results.length < from.rows && size < from.bytes)
  return { rows: results.map(({ size: _, ...it }) => row(it)), bytes: size, next: isLast ? null : placeAfter(table, last) }
}

/** Those of these rows that exist. */
export async function rowsOf(db: D1Database, uid: string, table: RowTable, keys: readonly string[]): Promise<readonly StoredRow[]> {
  const { columns, row } = TABLES[table]
  const list = table === 'edge' ? `[${keys.join(',')}]` : JSON.stringify(keys)
  const among = table === 'edge' ? 'value->>0, value->>1, value->>2' : 'value'
  const statement = `SELECT ${columns} FROM ${table} WHERE uid = ? AND (${keyOf(table)}) IN (SELECT ${among} FROM json_each(?))`
  const { results } = await db.prepare(statement).bind(uid, list).all<Columns>()
  return results.map(row)
}

/** Keys after a key, in the order of the database. */
export async function keysOf(db: D1Database, uid: string, table: RowTable, after: string, limit: number): Promise<readonly string[]> {
  const key = keyOf(table)
  const from = table === 'edge' ? placeOf(after) : [after]
  const marks = from.map(() => '?').join(', ')
  const statement = `SELECT ${key} FROM ${table} WHERE uid = ? AND (${key}) > (${marks}) ORDER BY ${key} LIMIT ?`
  const { results } = await db
    .prepare(statement)
    .bind(uid, ...from, limit)
    .all<Columns>()
  return results.map((one) => placeAfter(table, one))
}

function placeAfter(table: RowTable, { id, source, kind, target }: Columns): string {
  return table === 'edge' ? edgeKey(String(source), String(kind), String(target)) : String(id)
}

function placeOf(key: string): readonly string[] {
  return key === '' ? ['', '', ''] : (JSON.parse(key) as readonly string[])
}
