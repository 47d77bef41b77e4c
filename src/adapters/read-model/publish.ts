/**
 * D1 as the read model: what the outbox sends it, in bulk. One bound JSON list carries a thousand rows (D1 allows 100 parameters per
 * statement and 2 MB per value). A fence per corpus keeps order: once a version has begun to be written no older call is let in, so a
 * delayed repetition can neither overwrite rows nor bring back dropped ones. A call larger than a batch is written in several, each of
 * whole rows; only the last moves `version`, and repeating the call completes it.
 */
import type { D1Database, D1PreparedStatement, D1Result } from '@cloudflare/workers-types'
import { omittedData } from '../../omitted-data'
import { d1Limits } from '../../platform-limits'
import type { ReadModel } from '../../ports/read-model'
import { storeFault } from '../../store-fault'
import { type Databases, sizeOf } from '../databases'
import { keysOf, rowsOf } from './pages'
import { type RowChange, rowChanges, type TableName } from './rows'

const VALUE = 1_000_000 // bytes of one bound list; D1 refuses a value of 2 MB
const BATCH = 8_000_000 // bytes of one batch, which D1 must finish within 30 s
const MAX_ROW = d1Limits.maxRowBytes - 50_000 // bytes of its JSON: uid, version and an index take some too
const MIN_BATCH = 100_000 // however often D1 has been reset over larger ones
const DROPPED = Number.MAX_SAFE_INTEGER // the fence of a corpus that is gone
const SLICE = 5000 // rows deleted from a table at a time

const OPEN = '(SELECT fence FROM published WHERE uid = ?1) <= ?2'

interface Table {
  readonly key: readonly string[]
  /** Column and the SQL that reads it from one element of the list. */
  readonly columns: { readonly [column: string]: string }
}

const text = (name: string): string => `value->>'${name}'`
const json = (name: string): string => `value->'${name}'`

const TABLES: { readonly [name in TableName]: Table } = {
  document: {
    key: ['id'],
    columns: {
      id: text('id'),
      title: text('title'),
      name: text('name'),
      url: text('url'),
      metadata: json('metadata'),
      chunks: json('chunks'),
    },
  },
  chunk: {
    key: ['id'],
    columns: {
      id: text('id'),
      title: text('title'),
      text: text('text'),
      tokens: text('tokens'),
      own: text('own'),
      parts: `'{}'`, // spans and mentions are only in the object; the column is older than that
    },
  },
  node: {
    key: ['id'],
    columns: {
      id: text('id'),
      kind: text('kind'),
      layer: text('layer'),
      text: text('text'),
      tokens: text('tokens'),
      stale: text('stale'),
      data: json('data'),
      folded: text('folded'),
      bearer: text('bearer'),
    },
  },
  edge: {
    key: ['source', 'kind', 'target'],
    columns: { source: text('source'), kind: text('kind'), target: text('target'), weight: text('weight'), data: json('data') },
  },
}

export function readModel(databases: Databases): ReadModel {
  let fitting = BATCH // bytes; halved when D1 was reset over a batch, and doubled again by each that passes
  const carriedOut = async (db: D1Database, statements: D1PreparedStatement[]): Promise<D1Result[]> => {
    try {
      const results = await db.batch(statements)
      fitting = Math.min(BATCH, fitting * 2)
      return results
    } catch (error) {
      if (storeFault(error) === 'heavy') fitting = Math.max(MIN_BATCH, fitting / 2)
      throw error
    }
  }
  return {
    async publish({ uid, database }, { version, upto }, changes) {
      const db = databases.of(database)
      const batches = batchesOf(slicesOf(rowChanges(changes), Math.min(VALUE, fitting)), fitting)
      let rows = 0
      let bytes = 0
      for (const [at, batch] of batches.entries()) {
        const done = at === batches.length - 1 ? upto : 0
        const results = await carriedOut(db, [
          db.prepare(BEGIN).bind(uid, version, done),
          ...batch.map((slice) => db.prepare(statementOf(slice)).bind(uid, version, slice.list)),
        ])
        for (const { meta } of results) rows += meta.rows_written ?? 0
        bytes = results.at(-1)?.meta.size_after ?? bytes
      }
      return { rows, bytes }
    },
    async drop({ uid, database }) {
      const db = databases.of(database)
      const deletes = Object.keys(TABLES).map((name) => db.prepare(dropOf(name as TableName)).bind(uid))
      const results = await db.batch([db.prepare(BEGIN).bind(uid, DROPPED, 0), ...deletes])
      return results.slice(1).reduce((sum, result) => sum + (result.meta.changes ?? 0), 0)
    },
    async forget({ uid, database }) {
      await databases.of(database).prepare('DELETE FROM published WHERE uid = ?1 AND fence = ?2').bind(uid, DROPPED).run()
    },
    keys: ({ uid, database }, table, after, limit) => keysOf(databases.of(database), uid, table, after, limit),
    rows: ({ uid, database }, table, keys) => rowsOf(databases.of(database), uid, table, keys),
    size: async ({ database }) => ({ bytes: await sizeOf(databases.of(database)), max: databases.maxBytes }),
  }
}

const BEGIN = `INSERT INTO published (uid, fence, version) VALUES (?1, ?2, ?3)
ON CONFLICT (uid) DO UPDATE SET fence = excluded.fence, version = max(version, excluded.version) WHERE excluded.fence >= fence`

const KINDS = (Object.keys(TABLES) as TableName[]).flatMap((table) => [
  { table, op: 'put' as const },
  { table, op: 'drop' as const },
])

interface Slice {
  readonly table: TableName
  readonly op: 'put' | 'drop'
  readonly list: string
}

function statementOf({ table, op }: Slice): string {
  const { key, columns } = TABLES[table]
  if (op === 'drop') {
    const which = key.map((column) => columns[column]).join(', ')
    return `DELETE FROM ${table} WHERE uid = ?1 AND (${key.join(', ')}) IN (SELECT ${which} FROM json_each(?3)) AND version <= ?2 AND ${OPEN}`
  }
  const names = Object.keys(columns)
  const set = [...names.filter((name) => !key.includes(name)), 'version'].map((name) => `${name} = excluded.${name}`)
  return `INSERT INTO ${table} (uid, ${names.join(', ')}, version) SELECT ?1, ${Object.values(columns).join(', ')}, ?2 FROM json_each(?3)
WHERE ${OPEN} ON CONFLICT (uid, ${key.join(', ')}) DO UPDATE SET ${set.join(', ')} WHERE excluded.version >= ${table}.version`
}

function dropOf(table: TableName): string {
  const key = TABLES[table].key.join(', ')
  return `DELETE FROM ${table} WHERE uid = ?1 AND (${key}) IN (SELECT ${key} FROM ${table} WHERE uid = ?1 LIMIT ${SLICE})`
}

/** Rows of one table and one operation, as lists below the size of a bound value. */
function slicesOf(changes: readonly RowChange[], max: number): Slice[] {
  return KINDS.flatMap(({ table, op }) => {
    const group = changes.filter((change) => change.table === table && change.op === op)
    if (group.length === 0) return []
    const lists: string[][] = [[]]
    let size = 0
    for (const { row } of group) {
      const item = written(row)
      const bytes = item.length * 3 // UTF-8 needs at most three bytes for a UTF-16 unit
      if (size + bytes > max && size > 0) {
        lists.push([])
        size = 0
      }
      lists.at(-1)?.push(item)
      size += bytes
    }
    return lists.map((list) => ({ table, op, list: `[${list.join(',')}]` }))
  })
}

/** A row too large for D1 is stored without its data, which the object has: an export asks the object (`omitted_bytes`). */
function written(row: RowChange['row']): string {
  const item = JSON.stringify(row)
  if (item.length * 3 <= MAX_ROW || row.data === undefined) return item
  const bytes = new TextEncoder().encode(item).length
  return bytes <= MAX_ROW ? item : JSON.stringify({ ...row, data: omittedData(bytes) })
}

/** At least one batch, so that a commit without rows still moves the version. */
function batchesOf(slices: readonly Slice[], max: number): Slice[][] {
  const batches: Slice[][] = [[]]
  let size = 0
  for (const slice of slices) {
    if (size + slice.list.length > max && size > 0) {
      batches.push([])
      size = 0
    }
    batches.at(-1)?.push(slice)
    size += slice.list.length
  }
  return batches
}
